"""The bar on top: where we are, how we talk, and the mark that never drops out.

Rules of this file:

* The mark (DEMO, CASSETTE, PRODUCTION) is laid out first and everything else gets what is left, so at any width it
  is there.
* Server text (the server's own name) is made safe here; it is self-reported and stands last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from olv_tui.model import Era, Target
from olv_tui.view.safe import one_line

_ERAS = {
    Era.AUTO: "finding out how the server speaks",
    Era.MODERN: "stateless MCP",
    Era.LEGACY: "MCP with handshake",
    Era.BARE: "plain JSON-RPC",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What the header tells. `url` is already without secrets; `era` is None until it is known.

    `failed` tells that connecting was tried and came to nothing.
    """

    name: str
    url: str
    demo: bool = False
    production: bool = False
    insecure: bool = False
    era: Era | None = None
    version: str | None = None
    evidence: str = ""
    session: bool = False
    server: str = ""
    failed: bool = False
    cassette: bool = False

    @classmethod
    def of(cls, target: Target, url: str) -> Standing:
        """What is known of a target before anything was sent."""
        return cls(target.name, url, target.demo, target.production, target.insecure, cassette=target.cassette)


def public_url(url: str) -> str:
    """A URL without user, password, query and fragment: what may be shown before a redactor is there."""
    head, separator, rest = url.partition("://")
    if not separator:
        return ""
    rest = rest.split("?")[0].split("#")[0]
    host, slash, path = rest.partition("/")
    return f"{head}://{host.rpartition('@')[2]}{slash}{path}"


class HeaderBar(Widget):
    """Two lines on a wide screen, one on a narrow or low one."""

    DEFAULT_CSS = """
    HeaderBar { height: 2; background: $panel; color: $foreground; }
    HeaderBar.-one { height: 1; }
    """

    standing: reactive[Standing] = reactive(Standing("", ""))

    def render(self) -> Content:
        """The bar as text; the size decides what is left out."""
        told, width = self.standing, self.size.width
        mark = _mark(told)
        room = max(0, width - mark.cell_length - 1)
        if self.size.height < 2:
            first = next((line for line in _singles(told) if line.cell_length <= room), _brand(told))
        else:
            first = Content.assemble(_brand(told), _address(one_line(told.url, 300) or "starting"))
        first = first.truncate(room, ellipsis=True)
        pad = " " * max(0, width - first.cell_length - mark.cell_length)
        top = Content.assemble(first, pad, mark)
        return top if self.size.height < 2 else Content("\n").join([top, _second(told, width)])


def _brand(told: Standing) -> Content:
    name = one_line(told.name, 40)
    return Content.assemble((" olv-tui ", "bold $text on $primary"), " ", (f"{name} " if name else "", "bold"))


def _address(text: str) -> Content:
    return Content.styled(text, "$foreground 70%")


def _singles(told: Standing) -> Iterator[Content]:
    """The one line for a narrow screen, with less and less in it."""
    url = one_line(told.url, 300) or "starting"
    version = Content.styled(f" · {_era(told, short=True)}", "$text-accent")
    era = Content.styled(f" · {told.era or _era(told, short=True)}", "$text-accent")
    for address in (url, url.partition("://")[2]):
        yield Content.assemble(_brand(told), _address(address), version)
        yield Content.assemble(_brand(told), _address(address), era)
    yield Content.assemble(_brand(told), _address(url))


def _mark(told: Standing) -> Content:
    marks = []
    if told.insecure:
        marks.append(Content.styled(" certificates not checked ", "bold $text on $warning"))
    if told.demo:
        marks.append(Content.styled(" DEMO · invented data ", "bold $text on $warning"))
    if told.cassette:
        marks.append(Content.styled(" CASSETTE · recorded answers ", "bold $text on $warning"))
    if told.production:
        marks.append(Content.styled(" PRODUCTION ", "bold $text on $error"))
    return Content(" ").join(marks)


def _era(told: Standing, *, short: bool) -> str:
    if told.era is None:
        return "not connected" if told.failed else "connecting" if short else _ERAS[Era.AUTO]
    words = str(told.era) if short else f"{told.era}: {_ERAS[told.era]}"
    return f"{words} {one_line(told.version, 24)}" if told.version else words


def _second(told: Standing, width: int) -> Content:
    parts = [Content.styled(f" {_era(told, short=False)}", "$text-accent")]
    session = "session ●" if told.session else "no session"
    if told.era is not None:
        parts.append(Content.styled(session, "$text-success" if told.session else "$foreground 60%"))
    if told.evidence:
        parts.append(Content.styled(one_line(told.evidence, 200), "$foreground 60%"))
    line = Content(" · ").join(parts)
    server = one_line(told.server, 60)
    if server and line.cell_length + cell_len(server) + 4 <= width:
        pad = " " * (width - line.cell_length - cell_len(server) - 1)
        return Content.assemble(line, pad, (server, "$foreground 60%"), " ")
    return line.truncate(max(0, width - 1), ellipsis=True)
