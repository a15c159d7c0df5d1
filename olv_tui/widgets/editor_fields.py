"""The fields of the tool that is edited, and the form of a document.

Rules of this file: a tree is made once for a tool; a tool without fields has no form, and says what that means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.model import Tool
    from olv_tui.schema import Field
    from olv_tui.widgets.document import Document
    from olv_tui.widgets.form_state import FormState


class ToolFields:
    """What the schema of a tool gives to fill in."""

    def __init__(self, tool: Callable[[], Tool | None]) -> None:
        self._tool = tool
        self._tree: tuple[Tool, Field] | None = None

    @property
    def tree(self) -> Field | None:
        """The arguments as a field; None where no tool is edited."""
        tool = self._tool()
        if tool is None:
            return None
        if self._tree is None or self._tree[0] is not tool:
            from olv_tui.schema import tree

            self._tree = (tool, tree(tool.definition.get("inputSchema"), given="inputSchema" in tool.definition))
        return self._tree[1]

    @property
    def root(self) -> Field | None:
        """The same; None also where a form would have no fields."""
        root = self.tree
        if root is None:
            return None
        takes_any = root.shape.patterns or (root.is_open and root.shape.additional)
        return root if root.names or root.branches or takes_any else None

    def form_of(self, document: Document) -> tuple[FormState | None, str]:
        """The form of a document, or why a form cannot hold it ("" where the tool has none)."""
        root = self.root
        if root is None or document.is_empty:
            return None, ""
        from olv_tui.schema import Form, open_form
        from olv_tui.widgets.form_state import FormState

        held = document.form
        if held is not None and held.form.root.schema is root.schema:
            why = held.take(document.arguments)
            return (None, why) if why else (held, "")
        made = open_form(root, document.arguments)
        return (FormState(made), "") if isinstance(made, Form) else (None, made.sentence)

    @property
    def nothing_due(self) -> str:
        """What to say of a tool that has nothing to fill in; "" for all others."""
        root = self.tree
        if root is None or root.reason or self.root is not None:
            return ""
        if root.is_open:
            return "This tool describes no arguments: ctrl+j sends it as it is."
        return "This tool takes no arguments: ctrl+j sends it."
