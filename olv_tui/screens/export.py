"""An exchange written for others: pick a form, look at it, copy it or save it.

Rules of this file:

* Secrets are masked. Put in they are only by a choice of its own, which says what it means, and for this box alone.
* A file is never written over: a name that is taken is said, and another one is offered.
* Writing out is done in a thread; the preview shows the beginning of what is large.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from olv_tui.outside.files import FileError, free_name, present_folder, safe_name, typed_path, write_at
from olv_tui.screens.modal import Modal
from olv_tui.screens.telling import owner
from olv_tui.view.safe import one_line
from olv_tui.view.text_lines import TextLines
from olv_tui.widgets.lines_view import LinesView
from olv_tui.widgets.pane import Say
from olv_tui.widgets.rows import Part, RowList

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from olv_tui.model import Exchange, Tool
    from olv_tui.redact import Redactor
    from olv_tui.reports.values import Written

_PREVIEW = 400_000


@dataclass(frozen=True, slots=True)
class Exporting:
    """What is exported: the exchange, what was expected of it (the reported answer as text), the secret values that
    are known now, the places that do not count when both are compared, and the called tool where it is listed.
    """

    exchange: Exchange
    redactor: Redactor
    expected: str | None = None
    secrets: tuple[str, ...] = ()
    ignore: Sequence[str] = ()
    tool: Tool | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """A form: its name, the words of `reports.write.export` for it, the end of a file name, the colours."""

    name: str
    form: str
    end: str
    shell: str = "posix"
    language: str = ""


FORMS = (
    Form("Bug report, Markdown", "report", ".md"),
    Form("curl, POSIX shell", "curl", ".sh"),
    Form("curl, PowerShell", "curl", ".ps1", "powershell"),
    Form("HTTPie", "httpie", ".sh"),
    Form("Python, httpx", "python", ".py"),
    Form("HAR", "har", ".har", language="json"),
    Form("Record, JSON", "json", ".json", language="json"),
)
"""In the order of the list: the report is what most want, so it is one key away."""


class _Forms(RowList):
    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """The name of a form."""
        return [([(f"{index + 1} ", "accent"), (FORMS[index].name, "plain")], [])]


class ExportScreen(Modal[None]):
    """Forms on the left, the text on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Close", priority=True, id="export.close"),
        Binding("y,enter", "copy", "Copy", id="export.copy"),
        Binding("s", "save", "Save", id="export.save"),
        Binding("w", "secrets", "With secrets", id="export.secrets"),
        Binding("tab", "app.focus_next", "Text", show=False),
        *(Binding(str(number), f"pick({number})", show=False) for number in range(1, len(FORMS) + 1)),
    ]

    DEFAULT_CSS = """
    ExportScreen { align: center middle; background: $background 60%; }
    ExportScreen #both { height: 1fr; }
    ExportScreen #forms { width: 26; height: 1fr; }
    ExportScreen LinesView { width: 1fr; height: 1fr; }
    ExportScreen #warnings { height: auto; max-height: 5; }
    ExportScreen Input, ExportScreen Input:focus { height: 1; border: none; background: $foreground 8%; }
    ExportScreen Input { display: none; }
    ExportScreen.-saving Input { display: block; }
    ExportScreen.-narrow #both { layout: vertical; }
    ExportScreen.-narrow #forms { width: 1fr; height: 7; }
    """

    def __init__(self, exporting: Exporting, copy: Callable[[str, str], None], say: Callable[[str], None]) -> None:
        super().__init__()
        self._exporting = exporting
        self._copy = copy
        self._say = say
        self._forms = _Forms(id="forms")
        self._view = LinesView("")
        self._file = Input(id="file", select_on_focus=False)
        self._file.cursor_blink = False
        self._written: Written | None = None
        self._with_secrets = self._asks = False
        self._told = ""
        self._copies = False
        self._generation = 0

    def compose(self) -> ComposeResult:
        """Forms beside text; warnings, the line for a file name and the keys below."""
        with Vertical(classes="box sheet") as box:
            box.border_title = Content(f"Export · {owner(self._exporting.exchange)}")
            box.border_subtitle = Content("y copies · s saves · w with secrets · Esc closes")
            with Horizontal(id="both"):
                yield self._forms
                yield self._view
            yield Say(id="warnings")
            yield self._file

    def on_mount(self) -> None:
        """Begin with the bug report."""
        self.set_class(self.app.size.width < 100, "-narrow")
        self._forms.set_rows(len(FORMS), 0)
        self._forms.focus()
        self._write()

    @property
    def _form(self) -> Form:
        return FORMS[self._forms.cursor]

    # ----------------------------------------------------------------------- writing out

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Another form."""
        event.stop()
        self._asks = False
        self._write()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter or a double click copies."""
        event.stop()
        self.action_copy()

    def _write(self) -> None:
        self._generation += 1
        self._written, self._told = None, ""
        form, generation, with_secrets = self._form, self._generation, self._with_secrets

        async def work() -> None:
            written = await asyncio.to_thread(written_as, self._exporting, form, with_secrets=with_secrets)
            if generation == self._generation:
                self._show(form, written)

        self.run_worker(work(), group="export", exclusive=True)

    def _show(self, form: Form, written: Written) -> None:
        self._written = written
        text = written.text
        cut = text[:_PREVIEW]
        more = f", the first {_PREVIEW:,} shown" if len(text) > _PREVIEW else ""
        self._view.set_label(f"{form.name} · {len(text):,} characters{more}")
        self._view.load(lambda: TextLines(cut, form.language, words=form.form == "report"), heavy=len(cut) > 100_000)
        self._tell()
        if self._copies:
            self._copies = False
            self.action_copy()

    def _tell(self) -> None:
        lines: list[Content] = []
        if self._asks:
            told = "w again puts the secrets in: whoever gets the text can use them."
            lines.append(Content.styled(told, "bold $text-error"))
        elif self._with_secrets:
            told = "WITH SECRETS: whoever gets this text can use them. w masks them."
            lines.append(Content.styled(told, "bold $text-error"))
        if self._told:
            lines.append(Content.styled(self._told, "$text-accent"))
        warnings = self._written.warnings if self._written is not None else ()
        lines += [Content.styled(one_line(one, 200), "$text-warning") for one in warnings[:3]]
        self.query_one("#warnings", Say).say(Content("\n").join(lines), layout=True)

    # ----------------------------------------------------------------------- keys

    def action_pick(self, number: int) -> None:
        """The form with this number."""
        self._forms.set_rows(len(FORMS), number - 1)
        self._asks = False
        self._write()

    def action_copy(self) -> None:
        """Copy the text and close."""
        if self._written is None:
            self._copies = True  # as soon as it is written out
        else:
            self._copy(self._written.text, f"the exchange as {self._form.name}")
            self.dismiss(None)

    def action_secrets(self) -> None:
        """Put the secrets in, at the second press; or mask them again."""
        if not (self._exporting.secrets or self._exporting.redactor.known):
            self._told = "No secret is known now: the masks stay."
        elif self._with_secrets or self._asks:
            self._with_secrets, self._asks = self._asks, False
            self._write()
        else:
            self._asks = True
        self._tell()

    def action_save(self) -> None:
        """Ask for the name of a file."""
        if self._written is None:
            return
        self._file.value = free_name(present_folder(), file_name(self._exporting.exchange, self._form))
        self.add_class("-saving")
        self._file.focus()
        self._told = f"Enter writes the file into {one_line(str(present_folder()), 120)}; no file is written over."
        self._tell()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the file, unless there is one of this name."""
        event.stop()
        if self._written is None or not event.value.strip():
            return
        path = typed_path(event.value, present_folder())
        try:  # for the owner alone: secrets may have been put in
            write_at(path, self._written.text.encode("utf-8", "surrogateescape"), private=True)
        except FileExistsError:
            other = path.with_name(free_name(path.parent, path.name))
            self._file.value = str(other)
            self._told = (
                f"{one_line(path.name, 80)} is there already and stays. Enter writes {one_line(other.name, 80)}."
            )
            self._tell()
            return
        except FileError as error:
            self._told = f"Not written: {one_line(str(error), 200)}. Another name or folder?"
            self._tell()
            return
        self._say(f"Written: {path.absolute()}")
        self.dismiss(None)

    def action_leave(self) -> None:
        """Leave the line for the name, else close."""
        if self.has_class("-saving"):
            self.remove_class("-saving")
            self._told = ""
            self._forms.focus()
            self._tell()
        else:
            self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Letters belong to the name of the file while that is typed."""
        if action in ("copy", "save", "secrets", "pick") and self._file.has_focus:
            return False
        return super().check_action(action, parameters)


def written_as(exporting: Exporting, form: Form, *, with_secrets: bool = False) -> Written:
    """The exchange in a form."""
    from olv_tui.reports.write import export

    return export(
        exporting.exchange,
        form.form,
        exporting.redactor,
        shell=form.shell,
        expected=exporting.expected if form.form == "report" else None,
        ignore=exporting.ignore,
        secrets=exporting.secrets if with_secrets else None,
        tool=exporting.tool,
    )


def file_name(exchange: Exchange, form: Form) -> str:
    """A name that says what is in the file: `olv_get_world-42.md`."""
    out = exchange.outgoing
    identity = exchange.id.text if exchange.id is not None else f"at{exchange.serial}"
    return safe_name(f"{out.tool or out.method or 'request'}-{identity}", form.end)
