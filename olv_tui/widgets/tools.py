"""The tool picker: a filter, a list, and what the server says of the tool under the cursor.

Rules of this file:

* Messages out, data in. Which tool is selected is decided by the owner of the state.
* Names, titles and descriptions are server text: they pass view/safe.py and are drawn as plain text.
* Typing is instant at any number of tools: the list draws only the rows on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.content import Span as ContentSpan
from textual.message import Message
from textual.widgets import Input

from olv_tui.view.safe import one_line, visible
from olv_tui.view.toolfilter import ToolFilter, marks
from olv_tui.widgets.pane import Pane, Say
from olv_tui.widgets.rows import Part, RowList

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget

    from olv_tui.model import Tool

LEGEND = (
    ("R", "success", "read-only: changes nothing"),
    ("D", "error", "destructive, and says so: asked about before the first call"),
    ("d", "warning", "possibly destructive: the server does not say"),
    ("O", "secondary", "open world: reaches beyond the server"),
    ("!", "warning", "the definition breaks a rule"),
)
"""The letters after a tool: letter, colour, meaning."""

NOT_TAKEN = ("There is no tool to take here: nothing was chosen.", "warning")
"""Said when Enter finds no tool, be it that none fits or that the list has not come."""

NOT_SENT = ("Not sent: no tool is chosen while the filter finds none.", "warning")
"""Said when a send key finds no tool."""

_NAME_SHOWN = 120
_ARGUMENTS = 100
_STYLES = {"key": "bold $foreground", "muted": "$foreground 60%", "warning": "$text-warning"}


def letters(tool: Tool) -> list[Part]:
    """The badge letters of a tool, coloured; `destructive_said` tells D from d."""
    from olv_tui.mcp.tools import badges  # not before there are tools: first paint does without it

    words = badges(tool)
    found: list[Part] = []
    if tool.violations:
        found.append(("!", "warning"))
    if "read-only" in words:
        found.append(("R", "success"))
    elif says_destructive(tool):
        found.append(("D", "error"))
    elif any("destructive" in word for word in words):
        found.append(("d", "warning"))
    if any("open" in word for word in words):
        found.append(("O", "secondary"))
    return found


def says_destructive(tool: Tool) -> bool:
    """Whether the annotations say `destructiveHint: true` in so many words and not read-only."""
    hints = tool.definition.get("annotations")
    return isinstance(hints, dict) and hints.get("destructiveHint") is True and hints.get("readOnlyHint") is not True


class ToolList(RowList):
    """The rows of the picker: name, required arguments, badge letters."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("J", "about(3)", "About down", show=False, id="about.down"),
        Binding("K", "about(-3)", "About up", show=False, id="about.up"),
    ]

    class AboutScrolled(Message):
        """What is told of the tool below the list is to be moved by so many lines."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self) -> None:
        super().__init__(id="tool-list")
        self.tools: list[Tool] = []
        self.hits: Sequence[int] = ()
        self.query_text = ""
        self.running: frozenset[str] = frozenset()

    def action_about(self, step: int) -> None:
        """Ask for other lines of what is told below."""
        self.post_message(self.AboutScrolled(step))

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """One line: `olv_get_world world_id      R`."""
        from olv_tui.mcp.tools import required_arguments

        tool = self.tools[self.hits[index]]
        name = one_line(tool.name, _NAME_SHOWN)
        left: list[Part] = _emphasised(name, marks(name, self.query_text)) if self.query_text else [(name, "plain")]
        required = required_arguments(tool)
        if required:
            left.append(("  " + " ".join(one_line(word, 40) for word in required[:8]), "dim"))
        right: list[Part] = [(" ", "plain"), *letters(tool)]
        if tool.name in self.running:
            right.insert(1, ("… ", "primary"))
        return [(left, right)]


def _emphasised(name: str, places: frozenset[int]) -> list[Part]:
    parts: list[Part] = []
    for at, letter in enumerate(name):
        kind = "strong" if at in places else "plain"
        if parts and parts[-1][1] == kind:
            parts[-1] = (parts[-1][0] + letter, kind)
        else:
            parts.append((letter, kind))
    return parts


class FilterInput(Input):
    """A line for a filter that lets the arrow keys move in the list below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "rows('move', 1)", show=False),
        Binding("up", "rows('move', -1)", show=False),
        Binding("pagedown", "rows('page', 1)", show=False),
        Binding("pageup", "rows('page', -1)", show=False),
        Binding("escape", "leave", "Clear filter", show=False, priority=True, id="filter.clear"),
    ]

    DEFAULT_CSS = """
    FilterInput, FilterInput:focus {
        border: none; height: 1; padding: 0 1; background: $foreground 8%; dock: top;
    }
    """

    class Left(Message):
        """The filter was given up with Esc."""

        def __init__(self, line: FilterInput) -> None:
            super().__init__()
            self.line = line

    def __init__(self, placeholder: str, rows: Callable[[], RowList]) -> None:
        super().__init__(placeholder=placeholder, select_on_focus=False)
        self.cursor_blink = False
        self._rows = rows

    def action_rows(self, what: str, step: int) -> None:
        """Move in the list while the filter keeps the focus."""
        rows = self._rows()
        rows.action_move(step) if what == "move" else rows.action_page(step)

    def action_leave(self) -> None:
        """Say that the filter is given up."""
        self.post_message(self.Left(self))

    def open(self, pane: Pane) -> None:
        """Show the line on top of a pane and take the focus. It is mounted when first wanted: start-up is faster."""
        if not self.is_attached:
            pane.mount(self)
        self.display = True
        self.action_select_all()  # a new filter takes the place of the old one, unless the cursor is moved first
        self.focus()

    def clear_and_close(self) -> None:
        """Empty and hide the line."""
        self.value = ""
        self.display = False


class ToolsPane(Pane):
    """Filter, list and detail. `Selected` follows the cursor, `Taken` is Enter."""

    key = "tools"
    label = "Tools"
    HELP = (
        "Every tool the server lists. Moving the cursor loads the tool into the editor, with the text you last"
        " had there. / filters by name, title and description; Enter takes the first hit to the editor. Below the"
        " list stand description and arguments of the tool: J and K scroll them, z gives them more room."
    )

    DEFAULT_CSS = """
    ToolsPane { height: 3fr; }
    ToolsPane #tool-detail {
        height: 7; padding: 0 1; border-top: solid $foreground 15%; color: $foreground 75%;
        scrollbar-size-vertical: 1;
    }
    ToolsPane #tool-about { height: auto; }
    """

    class Selected(Message):
        """The cursor is on this tool now (None: on none)."""

        def __init__(self, tool: Tool | None) -> None:
            super().__init__()
            self.tool = tool

    class Taken(Message):
        """Enter was pressed: on to the editor."""

    def __init__(self) -> None:
        super().__init__(id="tools", front=True)
        self._filter = ToolFilter()
        self._rows = ToolList()
        self._line = FilterInput("filter the tools", lambda: self._rows)
        self._about = Say(id="tool-about")
        self._detail = VerticalScroll(self._about, id="tool-detail", can_focus=False)
        self.is_stale = False

    def compose(self) -> ComposeResult:
        """List above detail; the filter comes when it is wanted."""
        yield self._rows
        yield self._detail

    def on_mount(self) -> None:
        """Begin empty."""
        self._detail.display = False
        self.tell_title("Tools")

    def focus_target(self) -> Widget:
        """The list."""
        return self._rows

    # ----------------------------------------------------------------------- data in

    @property
    def current(self) -> Tool | None:
        """The tool under the cursor."""
        rows = self._rows
        return rows.tools[rows.hits[rows.cursor]] if rows.count else None

    def clear(self, *note: Part) -> None:
        """Forget all tools; `note` stands in their place, such as a failure and the next key."""
        self._filter = ToolFilter()
        self._rows.tools = []
        self._apply("", 0)
        self._rows.set_note(*note)
        self.is_stale = False
        self.tell_corner("")
        self.tell_title("Tools")

    def mark_stale(self) -> None:
        """The server says that its list changed: what is shown may be stale, until it is listed again."""
        self.is_stale = True
        self.tell_corner("ctrl+l lists again")
        self._tell_count()

    def set_note(self, *note: Part) -> None:
        """What stands in the list while it is empty."""
        self._rows.set_note(*note)

    def add_note(self, paragraph: Part) -> None:
        """Say one thing more there."""
        self._rows.add_note(paragraph)

    def add(self, tools: Sequence[Tool]) -> None:
        """Take in a page of tools; the cursor stays where it is."""
        before = self.current
        self._filter.add(tools)
        self._rows.tools += tools
        keep = self._rows.cursor if not self._line.value else 0
        self._apply(self._line.value, keep)
        if before is None and self.current is not None:
            self._tell_selected()

    def select(self, name: str) -> bool:
        """Put the cursor on the tool of this name, dropping a filter that hides it. False: not listed."""
        rows = self._rows
        if self.current is not None and self.current.name == name:
            return True
        place = next((at for at, tool in enumerate(rows.tools) if tool.name == name), None)
        if place is None:
            return False
        if place not in rows.hits:
            self._line.clear_and_close()
            self._apply("", place)
        else:
            self._apply(rows.query_text, list(rows.hits).index(place))
        self._show_detail()
        return True

    def show_running(self, names: frozenset[str]) -> None:
        """Mark the tools that have a call under way."""
        if names != self._rows.running:
            self._rows.running = names
            self._rows.refresh()

    @property
    def is_without_hit(self) -> bool:
        """Whether a filter hides every tool, the one in the editor as well."""
        return bool(self._line.value) and not self._rows.count

    def open_filter(self) -> None:
        """Go to the filter line."""
        self._line.open(self)

    # ----------------------------------------------------------------------- what happens here

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as the letters come; the cursor goes to the best hit."""
        event.stop()
        if event.value != self._rows.query_text:
            self._apply(event.value, 0)
            self._tell_selected()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the filter takes the hit under the cursor: the first one unless it was moved."""
        event.stop()
        if self.current is not None:
            self._end_filter()
            self.post_message(self.Taken())
        else:
            self._rows.add_note(NOT_TAKEN)

    def on_filter_input_left(self, event: FilterInput.Left) -> None:
        """Esc in the filter clears it and goes back to the list, to the same tool."""
        event.stop()
        self._end_filter()
        self._rows.focus()

    def end_filter(self) -> bool:
        """Show all tools again. False: there was no filter."""
        had = bool(self._line.value) or self._line.has_focus
        if had:
            self._end_filter()
            self._rows.focus()
        return had

    def _end_filter(self) -> None:
        """Show all tools again, with the cursor on the same one."""
        rows = self._rows
        place = rows.hits[rows.cursor] if rows.count else 0
        self._line.clear_and_close()
        self._apply("", place)
        self._tell_selected()

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """The cursor moved."""
        event.stop()
        self._tell_selected()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """A row was taken."""
        event.stop()
        self.post_message(self.Taken())

    def on_tool_list_about_scrolled(self, event: ToolList.AboutScrolled) -> None:
        """Scroll what is told of the tool."""
        event.stop()
        self._detail.scroll_relative(y=event.step, animate=False)

    def _apply(self, query: str, cursor: int) -> None:
        rows = self._rows
        rows.query_text = query
        rows.hits = self._filter.hits(query)
        rows.set_rows(len(rows.hits), cursor)
        if query and rows.tools and not rows.hits:
            rows.set_note(("No tool fits. Esc clears the filter.", "dim"))
        self._tell_count()

    def _tell_count(self) -> None:
        rows = self._rows
        total = len(rows.tools)
        count = f" {len(rows.hits)} of {total}" if rows.query_text and total else f" {total}" if total else ""
        self.tell_title(f"Tools{count}{' · stale' if self.is_stale else ''}")

    def _tell_selected(self) -> None:
        self._show_detail()
        self.post_message(self.Selected(self.current))

    def _show_detail(self) -> None:
        tool = self.current
        self._detail.display = tool is not None
        if tool is not None:
            self._about.say(detail(tool), layout=True)
            self._detail.scroll_home(animate=False)


def detail(tool: Tool) -> Content:
    """Title, broken rules, what its annotations say, description, arguments: all of it server text, made safe."""
    from olv_tui.mcp.tools import badges
    from olv_tui.view.arguments import arguments_lines  # reads schemas: not before there are tools

    title = one_line(tool.title or tool.name, 200)
    lines = [Content.styled(title, "bold $foreground")]
    if tool.violations:
        first = tool.violations[0]
        more = f" (+{len(tool.violations) - 1})" if len(tool.violations) > 1 else ""
        lines.append(Content.styled(f"! {first.code} {one_line(first.message, 300)}{more}", "$text-warning"))
    words = badges(tool)
    if words:
        lines.append(Content.styled(" · ".join(words), "italic $text-accent"))
    text = visible(tool.description[:2000].strip())
    if text:
        lines.append(Content(text))
    for text, spans in arguments_lines(tool, _ARGUMENTS):
        styles = [ContentSpan(start, end, _STYLES.get(kind, "")) for start, end, kind in spans]
        lines.append(Content(text, spans=styles))
    return Content("\n").join(lines)
