"""Pictures of answers in half cells, and what hostile ones come to. The files are made by Pillow itself."""

from __future__ import annotations

import base64
import json
import sys
from io import BytesIO
from typing import Any

import pytest

from olv_tui.view import picture
from olv_tui.view.picture import Picture, draw, pictures
from tests.view.exchanges import exchange

Image = pytest.importorskip("PIL.Image", reason="pillow is not installed")

RED, BLUE, BLACK, WHITE = (255, 0, 0), (0, 0, 255), (0, 0, 0), (255, 255, 255)


def file(kind: str = "PNG", size: tuple[int, int] = (2, 3), colour: Any = RED, mode: str = "RGB") -> bytes:
    made = BytesIO()
    Image.new(mode, size, colour).save(made, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return made.getvalue()


def found(*content: Any) -> tuple[Picture, ...]:
    return pictures(exchange(body=json.dumps({"jsonrpc": "2.0", "id": 5, "result": {"content": content}})))


@pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP"])
def test_a_row_shows_two_lines_of_pixels_and_the_last_half_is_empty(kind: str) -> None:
    drawn = draw(file(kind), 80, 24, WHITE)
    assert drawn.rows == (((RED, RED),) * 2, ((RED, WHITE),) * 2)
    assert (drawn.size, drawn.problem) == ((2, 3), "")


@pytest.mark.parametrize(("room", "cells"), [((80, 24), (48, 24)), ((20, 24), (20, 10)), ((1, 1), (1, 1))])
def test_a_large_picture_is_made_to_fit_and_keeps_its_shape(room: tuple[int, int], cells: tuple[int, int]) -> None:
    drawn = draw(file("JPEG", (400, 400)), *room)
    assert (len(drawn.rows[0]), len(drawn.rows)) == cells
    assert drawn.size == (400, 400)


def test_what_is_clear_shows_what_is_behind() -> None:
    assert draw(file(colour=(255, 0, 0, 0), mode="RGBA"), 9, 9, BLUE).rows[0][0] == (BLUE, BLUE)


def test_what_is_no_picture_or_a_broken_or_too_large_one_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert draw(b"", 9, 9).problem.startswith("This is no picture of a kind that is known (PNG, JPEG, GIF, WEBP)")
    assert draw(file("BMP"), 9, 9).problem.startswith("This is no picture")
    assert draw(file(size=(300, 300))[:-60], 9, 9).problem.startswith("This picture cannot be read")
    huge = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100_000).to_bytes(4, "big") * 2
    assert draw(huge, 9, 9).problem.startswith("100,000 x 100,000 pixels are too many")
    monkeypatch.setattr(picture, "MOST_PIXELS", 5)
    monkeypatch.setattr(picture, "dimensions", lambda _: None)
    assert draw(file(), 9, 9).problem.startswith("2 x 3 pixels are too many")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    data = file()
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert "pip install 'olv-tui[images]'" in draw(data, 9, 9).problem


def test_image_blocks_and_resources_of_an_image_type_are_pictures() -> None:
    data = base64.b64encode(file()).decode()
    made = found(
        {"type": "text", "text": "no"},
        {"type": "image", "mimeType": "image/png", "data": data},
        {"type": "image", "data": f"data:image/png;base64,{data}"},
        {"type": "resource", "resource": {"uri": "x:y", "mimeType": "IMAGE/gif", "blob": data}},
        {"type": "resource", "resource": {"uri": "x:y", "mimeType": "text/plain", "blob": data}},
        {"type": "audio", "data": data, "mimeType": "audio/wav"},
        {"type": "image", "data": 5},
        {"type": "image", "data": "no base64!"},
        "no block",
    )
    assert [(one.label, one.mime) for one in made] == [
        ("content 2", "image/png"),
        ("content 3", ""),
        ("content 4", "IMAGE/gif"),
        ("content 8", ""),
    ]
    assert [one.data() for one in made[:3]] == [file()] * 3
    with pytest.raises(ValueError, match="base64 cannot be decoded"):
        made[3].data()
    assert pictures(exchange(body="[]")) == found() == ()
