"""The name of a file for a part of an answer, and writing it.

Rules of this file:

* The proposed name is one plain name in the present folder, whatever the server calls its things. What the reader
  types is a path as typed.
* A file that is there is written over only at a second Enter on the same name.
* Decoding and writing are done in a thread; what fails is said here and the name stays to be changed.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from olv_tui.outside.files import FileError, copy_to, free_name, present_folder, safe_name, typed_path, write_at
from olv_tui.screens.modal import Modal
from olv_tui.view.safe import one_line
from olv_tui.view.words import size
from olv_tui.widgets.pane import Say

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from olv_tui.view.savable import Part


class SaveScreen(Modal[str | None]):
    """Gives the sentence that tells what was written, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back", id="save.back")]

    DEFAULT_CSS = """
    SaveScreen { align: center middle; background: $background 60%; }
    SaveScreen .box { width: 90; padding: 0 1; height: auto; }
    SaveScreen Input, SaveScreen Input:focus { border: none; height: 1; padding: 0 1; background: $foreground 10%; }
    SaveScreen #told { height: auto; max-height: 4; margin-top: 1; }
    """

    def __init__(self, part: Part) -> None:
        super().__init__()
        self._part = part
        self._folder = present_folder()
        self._line = Input(free_name(self._folder, safe_name(part.stem, part.end)), select_on_focus=False)
        self._line.cursor_blink = False
        self._told = Say(id="told")
        self._over: Path | None = None

    def compose(self) -> ComposeResult:
        """The name, and what is said of it."""
        with Vertical(classes="box") as box:
            box.border_title = Content(f"Save: {one_line(self._part.label, 60)}")
            box.border_subtitle = Content("Enter writes · Esc goes back")
            yield self._line
            yield self._told

    def on_mount(self) -> None:
        """The line is ready to be typed in."""
        self._line.focus()
        self._tell(f"in {one_line(str(self._folder), 200)}")

    def _tell(self, sentence: str, style: str = "$foreground 60%") -> None:
        self._told.say(Content.styled(sentence, style), layout=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the file."""
        event.stop()
        if not event.value.strip():
            self._tell("Type a name for the file.", "$text-warning")
            return
        path = typed_path(event.value, self._folder)
        self.run_worker(self._write(path), group="save", exclusive=True)

    async def _write(self, path: Path) -> None:
        shown = one_line(path.name if path.parent == self._folder else str(path), 200)
        try:
            if self._part.file:
                count = await asyncio.to_thread(copy_to, path, Path(self._part.file), over=path == self._over)
            else:
                data = await asyncio.to_thread(self._part.data)
                await asyncio.to_thread(write_at, path, data, over=path == self._over)
                count = len(data)
        except FileExistsError:
            self._over = path
            self._tell(f"{shown} is there already. Enter again writes over it; or type another name.", "$text-warning")
        except FileError as error:
            self._tell(f"Not saved: {one_line(str(error), 300)}.", "$text-error")
        except ValueError as error:
            self._tell(f"Not saved: {one_line(str(error), 300)}. The body as it came can be saved.", "$text-error")
        else:
            self.dismiss(f"Saved {size(count)} to {shown}.")
