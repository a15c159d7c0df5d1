"""Other text for what the editor holds: filled in from the menu, from an editor outside, or mended.

Rules of this file:

* What stood there before is one undo away.
* What a form cannot hold stands as JSON then, and why is said.
"""

from __future__ import annotations

from dataclasses import replace

from olv_tui.widgets.document import arguments_in, with_arguments
from olv_tui.widgets.editor_data import EditorData


class EditorFilling(EditorData):
    """The editor as it takes texts from elsewhere."""

    def replace_text(self, text: str, *, as_edit: bool = False) -> None:
        """Put an edited text into the present mode; what a form cannot hold stands as JSON then. `as_edit`: undo takes
        it back, as it always does in a form.
        """
        if self._state is not None:
            self._fill_form(text)
            return
        if not self._document.whole:
            self._lay()
        (self._shown_area.put if as_edit else self._shown_area.give)(text)
        self.changed()

    def fill(self, arguments: str) -> None:
        """Other arguments in place of these, in any mode; ctrl+z there takes it back."""
        if self._state is not None:
            self._fill_form(arguments)
            return
        text = arguments
        if self._document.whole:
            _, why = arguments_in(self._envelope.text, self._document.tool)
            if why:
                self.tell(f"Not filled in: {why}.")
                return
            text = with_arguments(self._envelope.text, arguments)
        else:
            self._lay()
        self._shown_area.put(text)
        self.changed()

    def _fill_form(self, text: str) -> None:
        state = self._state
        if state is None:
            return
        why = state.take(text)
        if not why:
            self.form.show(state)
            self.changed()
            return
        held, wish = replace(self.document, arguments=text), self._wish
        self._wish = "json"
        self.load(held)
        self._wish = wish
        self.tell(f"A form cannot hold this text ({why}), so it stands here as JSON.")

    @property
    def outside(self) -> str:
        """The text that an editor outside gets: of the field with several lines, else of the mode."""
        edited = self.form.edited_text if self._state is not None else None
        return self.text if edited is None else edited

    def take_outside(self, text: str) -> None:
        """Put back what the editor outside made of it."""
        if self._state is not None and self.form.edited_text is not None:
            self.form.replace_edited(text)
        else:
            self.replace_text(text)

    def mend(self) -> bool:
        """Take back what was broken on purpose, and what was edited since. False: nothing was."""
        broken = self._document.broken
        if broken is None:
            return False
        self.load(broken.before)
        self.renumber()
        return True
