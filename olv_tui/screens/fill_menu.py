"""Filling the arguments: from the schema, from earlier calls, from saved sets; and saving what stands there.

Rules of this file: nothing is sent from here, and what stood in the editor before is one undo away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from olv_tui.screens.desk import DeskScreen
from olv_tui.screens.telling import has_mask

if TYPE_CHECKING:
    from olv_tui.model import Tool
    from olv_tui.schema.filling import Filling
    from olv_tui.screens.picker import Choice

_SAVE = "save:"
_EARLIER = 10
_PREVIEW = 280


class FillMenuScreen(DeskScreen):
    """The desk with the menu that fills arguments."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "fill", "Fill", priority=True, id="editor.fill"),
    ]

    def action_fill(self) -> None:
        """Choose what to fill the arguments with, or type a name to save them under."""
        from olv_tui.screens.picker import PickScreen

        tool = self.state.listed.get(self.state.topic) if self.state.topic is not None else None
        if tool is None:
            self.tell("Nothing to fill: f6 fills the arguments of a tool of the list.")
            return
        offered = {one.name: one for one in self._fillings(tool)}
        present = self.editor.document.arguments

        def saving(name: str) -> Choice | None:
            if name in offered and offered[name].origin != "saved":
                return None
            return _choice(_SAVE + name, f"Save the present arguments as “{name}”", "for this tool", present)

        def taken(key: str | None) -> None:
            if key is not None and key.startswith(_SAVE):
                self._save(tool, key.removeprefix(_SAVE), present)
            elif key is not None:
                self.editor.fill(offered[key].text)
                masked = " A secret is masked in it: put it in before sending." if has_mask(offered[key].text) else ""
                self.editor.tell(f"Filled: {offered[key].name}.{masked} ctrl+z goes back to what stood here.")
                self.go("editor")

        self.app.push_screen(
            PickScreen(
                f"Fill the arguments of {tool.name}",
                [_choice(one.name, one.name, one.origin, one.text) for one in offered.values()],
                placeholder="filter, or a name to save the present arguments under",
                typed=saving,
            ),
            taken,
        )

    def _fillings(self, tool: Tool) -> tuple[Filling, ...]:
        from olv_tui.schema import tree
        from olv_tui.schema.filling import Known, fillings

        known = Known() if self.shelf is None else self.shelf.known_arguments(tool.name, _EARLIER)
        return fillings(tree(tool.definition.get("inputSchema")), known)

    def _save(self, tool: Tool, name: str, arguments: str) -> None:
        if self.shelf is not None and self.shelf.save_arguments(tool.name, name, arguments):
            self.editor.tell(f"Saved as “{name}”: f6 offers it for this tool.")


def _choice(key: str, name: str, origin: str, text: str) -> Choice:
    from olv_tui.screens.picker import Choice
    from olv_tui.view.safe import one_line

    return Choice(key, name, origin, ((origin, "dim"), (one_line(text, _PREVIEW), "")))
