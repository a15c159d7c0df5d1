"""What work in the background tells the main screen.

Rules of this file: every exchange in these messages is already redacted, so no widget ever holds a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.model import Exchange, Tool
    from olv_tui.screens import asking
    from olv_tui.screens.calls import Running
    from olv_tui.screens.launch import Core
    from olv_tui.session import Listing


class Prepared(Message):
    """History and session are there; connecting begins."""

    def __init__(self, core: Core) -> None:
        super().__init__()
        self.core = core


class Broken(Message):
    """Something of our own failed; the sentence is for the user.

    `fatal`: the explorer cannot go on. `connecting`: it was connecting or listing.
    """

    def __init__(self, sentence: str, *, fatal: bool = False, connecting: bool = False) -> None:
        super().__init__()
        self.sentence = sentence
        self.fatal = fatal
        self.connecting = connecting


class Standing(Message):
    """Era, version or session became known or changed."""


class ToolsCame(Message):
    """A page of tools; `first` begins the list anew."""

    def __init__(self, tools: tuple[Tool, ...], *, first: bool) -> None:
        super().__init__()
        self.tools = tools
        self.first = first


class Listed(Message):
    """The listing ended, well or not. `failed` is the exchange that ended it, None where all is well."""

    def __init__(self, listing: Listing, failed: Exchange | None) -> None:
        super().__init__()
        self.listing = listing
        self.failed = failed


class CallStarted(Message):
    """A call was journalled and is on its way."""

    def __init__(self, running: Running) -> None:
        super().__init__()
        self.running = running


class FrameCame(Message):
    """A call got events of its stream: `running.fresh`."""

    def __init__(self, running: Running) -> None:
        super().__init__()
        self.running = running


class MoreCame(Message):
    """More of the answer of a call came, which is no event stream: `running.arrived`."""

    def __init__(self, running: Running) -> None:
        super().__init__()
        self.running = running


class CallLooked(Message):
    """A call has its answer, a large one, and what its envelope says. The rest is read when `seen` is called."""

    def __init__(self, running: Running, exchange: Exchange, seen: Callable[[], None]) -> None:
        super().__init__()
        self.running = running
        self.exchange = exchange
        self.seen = seen


class CallEnded(Message):
    """A call ended, in whatever way."""

    def __init__(self, running: Running, exchange: Exchange) -> None:
        super().__init__()
        self.running = running
        self.exchange = exchange


class Said(Message):
    """The session did something by itself, for a call or for none."""

    def __init__(self, sentence: str, running: Running | None) -> None:
        super().__init__()
        self.sentence = sentence
        self.running = running


class ToolsChanged(Message):
    """The server says that its list of tools is not what it was."""


class Asked(Message):
    """The server asks the person something and waits."""

    def __init__(self, standing: asking.Standing) -> None:
        super().__init__()
        self.standing = standing


class AskedNoMore(Message):
    """A question is gone, answered or not."""

    def __init__(self, standing: asking.Standing) -> None:
        super().__init__()
        self.standing = standing


class Answered(Message):
    """A question of a call was answered."""

    def __init__(self, running: Running | None) -> None:
        super().__init__()
        self.running = running
