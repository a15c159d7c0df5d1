"""A text area for JSON of any size: coloured, bracket at the cursor, findings underlined.

Rules of this file:

* A key costs the rows that it changes, whatever the size of the text: what was painted is kept by what it shows.
  1 MB over 65,000 lines: 386 ms a key at best in Textual's own area, 4.3 here, and 4.0 in Textual's with a short text.
* Only what is on the screen is coloured, row by row, with `view.json_colour`.
* Soft wrap only, and no line numbers: the editor has neither the other mode nor those.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.cache import LRUCache
from textual.document._document import Location
from textual.document._document_navigator import DocumentNavigator
from textual.expand_tabs import expand_text_tabs_from_widths
from textual.strip import Strip
from textual.widgets import TextArea

from olv_tui.view.json_colour import KINDS, clip, spans_of
from olv_tui.widgets.json_document import LONG, Lines, Wrapped

if TYPE_CHECKING:
    from textual.document._document import EditResult
    from textual.document._edit import Edit

_AHEAD = 256
_FAR = 1 << 16
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\]]')
_REST = re.compile(r'(?:[^"\\]|\\.)*+"?')
_CLOSERS = {"{": "}", "[": "]"}
_SIGN = "!"

_JSON_KINDS = KINDS[: KINDS.index("escape") + 1]


class Mark(NamedTuple):
    """Characters `start` to `end` of a line are marked as a kind: selection, fault, bracket or cursor.

    `sentence` says what is wrong there.
    """

    start: int
    end: int
    kind: str
    sentence: str = ""


class _Look(NamedTuple):
    """All that a painted row depends on; the marks are counted from the start of the row."""

    piece: str
    start: int
    end: int
    in_string: bool
    is_last: bool
    tabs: tuple[int, ...]
    marks: tuple[Mark, ...]
    sign: bool
    width: int
    focused: bool


class PaintedArea(TextArea):
    """Textual's text area with documents, painting and brackets of its own."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"json--{kind}" for kind in _JSON_KINDS), "json--fault", "json--sign"}

    DEFAULT_CSS = """
    PaintedArea {
        & > .json--key { color: $text-primary; }
        & > .json--string { color: $text-success; }
        & > .json--number { color: $text-warning; }
        & > .json--keyword { color: $text-accent; }
        & > .json--punctuation { color: $foreground 60%; }
        & > .json--escape { color: $text-error; }
        & > .json--fault { color: $text-warning; text-style: underline; }
        & > .json--sign { color: $text-warning; text-style: bold; }
    }
    """

    document: Lines
    wrapped_document: Wrapped

    def __init__(self, text: str, *, id: str | None = None) -> None:  # noqa: A002 (Textual's own name for it)
        self._painted: LRUCache[_Look, Strip] = LRUCache(1024)
        self._styles: dict[str, Style] = {}
        self.faults: dict[int, list[Mark]] = {}
        super().__init__(text, soft_wrap=True, show_line_numbers=False, id=id, highlight_cursor_line=False)
        self.cursor_blink = False

    def _set_document(self, text: str, language: str | None) -> None:  # noqa: ARG002 (there is no other language)
        self.faults = {}
        self.document = Lines(text)
        self.wrapped_document = Wrapped(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    @property
    def gutter_width(self) -> int:
        """One column for the sign beside a line with a finding."""
        return 1

    def notify_style_update(self) -> None:
        """Colours changed: nothing painted before is good any more."""
        super().notify_style_update()
        self._painted.clear()
        self._styles.clear()

    # ----------------------------------------------------------------------- findings

    def edit(self, edit: Edit) -> EditResult:
        """Edit; what is marked moves with its text, and what was touched is marked no more."""
        (top, left), (bottom, right) = edit.top, edit.bottom
        result = super().edit(edit)
        row, column = result.end_location
        moved: dict[int, list[Mark]] = {}
        for line, marks in self.faults.items():
            for mark in marks:
                if line < top or (line == top and mark.end <= left):
                    moved.setdefault(line, []).append(mark)
                elif line > bottom:
                    moved.setdefault(line + row - bottom, []).append(mark)
                elif line == bottom and mark.start >= right:
                    shift = column - right
                    shifted = mark._replace(start=mark.start + shift, end=mark.end + shift)
                    moved.setdefault(row, []).append(shifted)
        self.faults = moved
        return result

    # ----------------------------------------------------------------------- painting

    def render_line(self, y: int) -> Strip:
        """One row, painted anew only where it looks otherwise than any row before."""
        wrapped, theme = self.wrapped_document, self._theme
        base = theme.base_style or self.rich_style
        y += self.scroll_offset.y
        if y >= wrapped.height:
            return Strip.blank(self.size.width, base)
        look = self._look(*wrapped.row(y))
        strip = self._painted.get(look)
        if strip is None:
            strip = self._painted[look] = self._paint(look, base)
        return strip

    def _look(self, line: int, section: int) -> _Look:
        wrapped = self.wrapped_document
        text = self.document.get_line(line)
        start, end = wrapped.bounds(line, section)
        lead = start
        while lead and text[lead - 1] == "\\":
            lead -= 1
        piece = text if end - lead == len(text) else text[lead : end + _AHEAD]
        tabs: tuple[int, ...] = ()
        if len(text) <= LONG and "\t" in text:
            before = text.count("\t", 0, start)
            tabs = tuple(wrapped.get_tab_widths(line)[before : before + text.count("\t", start, end)])
        marks = tuple(
            Mark(max(mark.start, start) - start, min(mark.end, end + 1) - start, mark.kind)
            for mark in self._marks(line, len(text))
            if mark.start < end + (end == len(text)) and mark.end > start
        )
        return _Look(
            piece=piece,
            start=start - lead,
            end=end - lead,
            in_string=bool(lead) and self.document.in_string(line, lead),
            is_last=end == len(text),
            tabs=tabs,
            marks=marks,
            sign=section == 0 and line in self.faults,
            width=self.scrollable_content_region.size.width - self.gutter_width,
            focused=self.has_focus,
        )

    def _marks(self, line: int, length: int) -> list[Mark]:
        """What is marked in a line, what lies on top last."""
        found = list(self.faults.get(line, ()))
        selection = self.selection
        (top, left), (bottom, right) = sorted(selection)
        row, column = selection.end
        if not selection.is_empty and top <= line <= bottom:
            if length == 0 and line != row:
                found.append(Mark(0, 1, "empty"))
            else:
                found.append(Mark(left if line == top else 0, right if line == bottom else length, "selection"))
        bracket = self._matching_bracket_location
        if bracket is not None and self._has_cursor and self.match_cursor_bracket and selection.is_empty:
            found += [Mark(at, at + 1, "bracket") for of, at in (selection.end, bracket) if of == line]
        if row == line and self._draw_cursor:
            found.append(Mark(column, column + 1, "cursor"))
        return found

    def _paint(self, look: _Look, base: Style) -> Strip:
        plain = look.piece[look.start : look.end]
        text = Text(plain + " " if look.is_last else plain, end="", no_wrap=True)
        for span in clip(spans_of(look.piece, in_string=look.in_string), look.start, look.end):
            text.stylize(self._style(span.kind), span.start, span.end)
        for mark in look.marks:
            if mark.kind == "empty":
                text = Text("▌", style=Style(color=self._style("selection").bgcolor), end="", no_wrap=True)
            else:
                text.stylize(self._style(mark.kind), mark.start, mark.end)
        if look.tabs:
            text = expand_text_tabs_from_widths(text, list(look.tabs))
        elif "\t" in text.plain:
            text.plain = text.plain.replace("\t", " ")
        strip = Strip(text.render(self.app.console), text.cell_len).extend_cell_length(look.width, base)
        sign = Segment(_SIGN if look.sign else " ", self._style("sign") if look.sign else base)
        return Strip.join([Strip([sign], 1), strip]).apply_style(base)

    def _style(self, kind: str) -> Style:
        theme = self._theme
        own = {
            "selection": theme.selection_style, "bracket": theme.bracket_matching_style, "cursor": theme.cursor_style
        }  # fmt: skip
        if kind in own:
            return own[kind] or Style()
        style = self._styles.get(kind)
        if style is None:
            full = self.get_component_rich_style(f"json--{kind}")
            # The background stays that of the area, which a selection changes.
            style = self._styles[kind] = Style(color=full.color, bold=full.bold, underline=full.underline)
        return style

    # ----------------------------------------------------------------------- brackets

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        """The partner of a JSON bracket at a place, brackets in strings left out; none farther than 64,000 characters.

        Textual goes through all the text, 0.3 s at the first bracket of a megabyte.
        """
        row, column = search_from
        if bracket not in "{}[]" or not bracket or self._is_inside(row, column):
            return None
        lines = self.document.lines
        if bracket in _CLOSERS:
            return self._forwards(lines, row, column)
        return self._backwards(lines, row, column)

    def _is_inside(self, row: int, column: int) -> bool:
        # A bracket directly behind a backslash is in a string, or in what is no JSON.
        return self.document.get_line(row)[column - 1 : column] == "\\" or self.document.in_string(row, column)

    @staticmethod
    def _forwards(lines: list[str], row: int, column: int) -> Location | None:
        depth, left = 0, _FAR
        for number in range(row, len(lines)):
            text = lines[number]
            for token in _BRACKETS.finditer(text, column, column + left):
                if token[0] in _CLOSERS:
                    depth += 1
                elif token[0] in "}]":
                    depth -= 1
                    if not depth:
                        return number, token.start()
            left -= len(text) - column + 1
            column = 0
            if left <= 0:
                break
        return None

    def _backwards(self, lines: list[str], row: int, column: int) -> Location | None:
        first, left = row, _FAR - column
        while first and left > 0:
            first -= 1
            left -= len(lines[first]) + 1
        stack: list[Location] = []
        for number in range(first, row + 1):
            end = column if number == row else len(lines[number])
            begin = max(end - _FAR, 0) if len(lines[number]) > LONG else 0
            while begin and lines[number][begin - 1] == "\\":
                begin -= 1
            if begin and self.document.in_string(number, begin):
                rest = _REST.match(lines[number], begin, end)
                begin = rest.end() if rest else end
            for token in _BRACKETS.finditer(lines[number], begin, end):
                if token[0] in _CLOSERS:
                    stack.append((number, token.start()))
                elif token[0] in "}]" and stack:
                    stack.pop()
        return stack[-1] if stack else None

    # ----------------------------------------------------------------------- words

    def get_cursor_word_left_location(self) -> Location:
        """Where the word begins; in a long line no farther than `LONG` characters."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        if len(line) <= LONG or column == 0:
            return super().get_cursor_word_left_location()
        near = line[max(column - LONG, 0) : column].rstrip()
        matches = list(self._word_pattern.finditer(near))
        return row, max(column - LONG, 0) + (matches[-1].start() if matches else 0)

    def get_cursor_word_right_location(self) -> Location:
        """Where the word ends; in a long line no farther than `LONG` characters."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        if len(line) <= LONG or column == len(line):
            return super().get_cursor_word_right_location()
        near = line[column : column + LONG]
        blank = len(near) - len(near.lstrip())
        match = self._word_pattern.search(near.lstrip())
        return row, column + (blank + match.start() if match else len(near))
