"""The lists and menus that the form asks for, and what was taken from them.

Rules of this file: it opens screens and gives the answer back to the form; values change there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from olv_tui.screens.desk import DeskScreen
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from olv_tui.schema import Field
    from olv_tui.screens.picker import Choice
    from olv_tui.widgets.form_pane import FormPane


class FillingScreen(DeskScreen):
    """The part of the main screen that helps to fill in a form."""

    def on_form_pane_asked(self, event: FormPane.Asked) -> None:
        """A list is wanted."""
        event.stop()
        event.is_open = True
        match event.what:
            case "options":
                self._list_options(event)
            case "branches":
                self._list_branches(event)
            case "menu":
                self._open_menu()
            case "schema":
                self._show_schema(event.pointer)
            case "findings":
                self._list_findings()
            case _:
                self.action_pane(int(event.text))

    def _list_options(self, event: FormPane.Asked) -> None:
        """The choices of an enum; a text that is none of them can be taken as well."""
        from olv_tui import jsontext
        from olv_tui.screens.picker import Choice, PickScreen
        from olv_tui.view.form_rows import path_words

        form = self.editor.form
        here = form.state.form.field(event.pointer)
        options = [jsontext.dumps(option) for option in here.options]

        def choice(number: int, label: str) -> Choice:
            kind = _kind_of(options[number]) if _is_mixed(options) else ""
            return Choice(options[number], label, kind)

        def typed(text: str) -> Sequence[Choice]:
            if text in here.option_labels or text in options or (text == "null" and here.nullable):
                return ()
            about = "None of the choices. Enter takes it all the same, to see what the server says."
            return (Choice(_as_json(here, text), text, "not one of the choices", ((about, "warning"),)),)

        def taken(key: str | None) -> None:
            if key is not None:
                form.option(event.pointer, key)

        choices = [choice(number, label) for number, label in enumerate(here.option_labels)]
        if here.nullable and None not in here.options:
            choices.append(Choice("null", "null"))
        title = f"{path_words(event.pointer)} is one of"
        self.app.push_screen(
            PickScreen(title, choices, placeholder="type to find", typed=typed, start=event.text), taken
        )

    def _list_branches(self, event: FormPane.Asked) -> None:
        """The alternatives of a union, the innermost open one first asked."""
        from olv_tui.screens.picker import Choice, PickScreen
        from olv_tui.view.arguments import type_words
        from olv_tui.view.form_rows import path_words

        form = self.editor.form
        chain = form.state.form.chain(event.pointer)
        choices = []
        for level, union in enumerate(one for one in chain if one.branches):
            for number, branch in enumerate(union.branches):
                now = "now" if level + 1 < len(chain) and chain[level + 1] is branch.field else ""
                about = [(one_line(type_words(branch.field), 160), "")]
                if branch.field.description:
                    about.append((one_line(branch.field.description, 300), "dim"))
                choices.append(Choice(f"{level} {number}", f"{'  ' * level}{branch.name}", now, about))

        if any(one.nullable for one in chain):
            choices.append(Choice("=null", "null"))

        def typed(text: str) -> Sequence[Choice]:
            return [Choice(f"={value}", text, f"as {what}") for what, value in _as_alternatives(chain, text)]

        def taken(key: str | None) -> None:
            if key is not None and key.startswith("="):
                form.option(event.pointer, key[1:])
            elif key is not None:
                level, number = map(int, key.split())
                form.branch(event.pointer, number, level)

        title = f"{path_words(event.pointer)} can be"
        hint = "type to find" if not _as_alternatives(chain, "1") else "type a value, or to find"
        self.app.push_screen(PickScreen(title, choices, placeholder=hint, typed=typed, start=event.text), taken)

    def _open_menu(self) -> None:
        from olv_tui.screens.field_menu import FieldMenu
        from olv_tui.view.form_keys import commands
        from olv_tui.view.form_rows import path_words

        form = self.editor.form
        row = form.row
        if row is None:
            return

        def taken(key: str | None) -> None:
            if key is not None:
                form.menu(key)

        listed = commands(form.state.form, row, form.state.look, waits=row.pointer in form.state.drafts)
        self.app.push_screen(FieldMenu(path_words(row.pointer), listed), taken)

    def _show_schema(self, pointer: str) -> None:
        """The fragment at a place, then what it refers to."""
        from olv_tui import jsontext
        from olv_tui.screens.field_menu import SchemaScreen
        from olv_tui.view.form_rows import path_words
        from olv_tui.view.json_colour import spans_of
        from olv_tui.view.lines import FixedLines, Line
        from olv_tui.view.safe import visible

        here = self.editor.form.state.form.chain(pointer)[0]
        texts = [jsontext.dumps(place.schema, indent=2) for place in here.sources] or ["{}"]
        lines = []
        for number, text in enumerate(dict.fromkeys(texts)):
            if number:
                lines += [Line(""), Line("it refers to, or is merged from:")]
            for line in visible(text).split("\n"):
                lines.append(Line(line, spans_of(line)))
        self.app.push_screen(SchemaScreen(f"Schema of {path_words(pointer)}", FixedLines(lines)))

    def _list_findings(self) -> None:
        """All that is wrong, by place; Enter goes there."""
        from olv_tui.screens.picker import Choice, PickScreen
        from olv_tui.view.form_rows import path_words

        form = self.editor.form
        drafts = [(pointer, draft.why) for pointer, draft in form.state.drafts.items()]
        found = [*drafts, *((one.pointer, one.words) for one in self.editor.findings)]
        if not found:
            self.editor.tell("Nothing is wrong that the schema knows of.")
            return
        choices = [
            Choice(str(number), path_words(pointer), "", ((one_line(words, 400), "warning"),))
            for number, (pointer, words) in enumerate(found)
        ]

        def taken(key: str | None) -> None:
            if key is not None:
                form.go_to(found[int(key)][0])

        self.app.push_screen(
            PickScreen("What is wrong; it can be sent all the same", choices, placeholder="find"), taken
        )


def _as_alternatives(chain: Sequence[Field], text: str) -> list[tuple[str, str]]:
    """A typed text as a value of alternatives that are no containers: (what it is then, its JSON text). Numbers and
    constants before texts, which anything can be.
    """
    from olv_tui.schema import Kind, typed

    called = {Kind.STRING: "text", Kind.ENUM: "one of the list", Kind.CONST: "it is"}
    branches = [branch.field for union in chain for branch in union.branches]
    found: dict[str, str] = {}
    for kind in (Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN, Kind.ENUM, Kind.CONST, Kind.STRING):
        for of in branches:
            value = typed(of, text) if of.kind is kind else None
            if isinstance(value, str):
                found.setdefault(value, called.get(kind, str(kind)))
    return [(what, value) for value, what in found.items()]


def _kind_of(text: str) -> str:
    first = text[0]
    return {'"': "text", "t": "true or false", "f": "true or false", "n": "null", "{": "object", "[": "list"}.get(
        first, "number"
    )


def _is_mixed(options: list[str]) -> bool:
    return len({_kind_of(text) for text in options}) > 1


def _as_json(of: Field, text: str) -> str:
    """A typed text as a value: as text where all choices are texts, else as JSON where it is some."""
    from olv_tui import jsontext

    if not all(isinstance(option, str) for option in of.options):
        try:
            jsontext.loads(text)
        except jsontext.JsonError:
            pass
        else:
            return text
    return jsontext.dumps(text)
