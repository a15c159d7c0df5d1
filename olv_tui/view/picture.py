"""The pictures of an answer as coloured half cells, which any terminal with colours can show.

Rules of this file:

* Pictures are a server's bytes: only four formats are read, nothing above `MOST_PIXELS` is unpacked, and whatever is
  wrong with one comes back as a sentence. Nothing is fetched.
* Half cells and not the graphics protocols: finding out which of those a terminal speaks takes its answer from standard
  input, which the screen is reading; and they get lost in tmux.
* Pillow is an extra (`images`) and imported when a picture is looked at. Reading one may take a while: in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from olv_tui.model import Exchange, Object
from olv_tui.view.content import dimensions
from olv_tui.view.savable import decoded

MOST_PIXELS = 40_000_000
"""Unpacked they take four bytes each."""

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
_MISSING = "Pictures need the extra `images`: pip install 'olv-tui[images]'. s saves the picture to a file."

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an answer: its label, its type as the server tells it ("" for none), its bytes when asked for.

    `data` raises ValueError where they cannot be decoded.
    """

    label: str
    mime: str
    data: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rows of half cells, each the colours of its upper and lower half; or the `problem` that there is instead.

    `size` are the pixels of the picture itself, (0, 0) where they are not known.
    """

    rows: tuple[tuple[tuple[Colour, Colour], ...], ...] = ()
    size: tuple[int, int] = (0, 0)
    problem: str = ""


def pictures(exchange: Exchange) -> tuple[Picture, ...]:
    """Image blocks and embedded resources of an image type, in the order of the answer."""
    message = exchange.judgement.message if exchange.judgement is not None else None
    result = message.get("result") if isinstance(message, Object) else None
    content = result.get("content") if isinstance(result, Object) else None
    found: list[Picture] = []
    for number, block in enumerate(content if isinstance(content, list) else (), 1):
        resource = block.get("resource") if isinstance(block, Object) else None
        inner, member = (resource, "blob") if isinstance(resource, Object) else (block, "data")
        if not isinstance(block, Object) or not isinstance(inner, Object):
            continue
        told = inner.get("mimeType")
        mime, data = told if isinstance(told, str) else "", inner.get(member)
        if isinstance(data, str) and (block.get("type") == "image" or mime.lower().startswith("image/")):
            found.append(Picture(f"content {number}", mime, partial(decoded, data)))
    return tuple(found)


def draw(data: bytes, width: int, height: int, behind: Colour = (0, 0, 0)) -> Drawn:
    """A picture within `width` x `height` cells, never larger than it is; what is clear in it shows `behind`.

    Never raises.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        return Drawn(problem=_MISSING)
    size = dimensions(data[:65_536])
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        return Drawn(size=size, problem=_too_large(size))
    try:
        with Image.open(BytesIO(data), formats=_FORMATS) as image:
            size = image.size
            if size[0] * size[1] > MOST_PIXELS:
                return Drawn(size=size, problem=_too_large(size))
            share = min(width / size[0], 2 * height / size[1], 1.0)
            fitting = (max(round(size[0] * share), 1), max(round(size[1] * share), 1))
            image.draft("RGB", fitting)  # a JPEG is unpacked no larger than it takes
            small = image.convert("RGBA").resize(fitting)
    except UnidentifiedImageError:
        return Drawn(
            problem=f"This is no picture of a kind that is known ({', '.join(_FORMATS)}). s saves it to a file."
        )
    except Exception as error:  # a reader of pictures raises whatever hostile bytes make it raise
        return Drawn(size=size or (0, 0), problem=f"This picture cannot be read: {error}. s saves it to a file.")
    ground = Image.new("RGBA", fitting, (*behind, 255))
    pixels = Image.alpha_composite(ground, small).convert("RGB").tobytes()
    return Drawn(_rows(pixels, *fitting, behind), size)


def _rows(pixels: bytes, width: int, height: int, behind: Colour) -> tuple[tuple[tuple[Colour, Colour], ...], ...]:
    def line(y: int) -> list[Colour]:
        if y >= height:  # an odd number of lines: the last half cell is empty
            return [behind] * width
        at = 3 * y * width
        return [(pixels[i], pixels[i + 1], pixels[i + 2]) for i in range(at, at + 3 * width, 3)]

    return tuple(tuple(zip(line(y), line(y + 1), strict=True)) for y in range(0, height, 2))


def _too_large(size: tuple[int, int]) -> str:
    return (
        f"{size[0]:,} x {size[1]:,} pixels are too many to be shown here (at most {MOST_PIXELS:,}). s saves the picture"
        " to a file."
    )
