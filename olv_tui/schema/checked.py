"""A first text of arguments held against its schema: what a condition asks for is put in, what is still wrong is told.

Rules of this file:

* `drafts` makes up values place by place; only the whole text shows what `if`, `dependentRequired` and such ask for.
* Without gaps the text is right by the schema, as far as that can be checked.
* It loads jsonschema: for when somebody asks for a template, never for the first paint.
"""

from __future__ import annotations

from olv_tui import jsontext
from olv_tui.model import Object
from olv_tui.schema.drafts import Draft, Gap, draft, first_value
from olv_tui.schema.fields import Field
from olv_tui.schema.form import Form, open_form

_ROUNDS = 6
_MISSING = ("required", "dependentRequired", "dependencies")


def checked(root: Field, *, full: bool = False, defaults: bool = False) -> Draft:
    """The draft of a schema, with what only the whole text shows to be missing."""
    made = draft(root, full=full, defaults=defaults)
    form, known = open_form(root, made.text), [gap.pointer for gap in made.gaps]
    if not isinstance(root.schema, Object) or not isinstance(form, Form):
        return made
    for _ in range(_ROUNDS):
        # What is wrong around or in a gap is told by it.
        faults = [fault for fault in _faults(form, root.schema) if not any(_is_near(fault[0], gap) for gap in known)]
        missing = [pointer for pointer, keyword, _ in faults if keyword in _MISSING and form.get(pointer) is None]
        if not missing:
            break
        for pointer in missing:
            filled = form.set(pointer, first_value(form.field(pointer)))
            form = filled if isinstance(filled, Form) else form
    return Draft(form.text, (*made.gaps, *(Gap(pointer, words) for pointer, _, words in faults)))


def _is_near(pointer: str, gap: str) -> bool:
    return f"{pointer}/".startswith(f"{gap}/") or f"{gap}/".startswith(f"{pointer}/")


def _faults(form: Form, schema: Object) -> list[tuple[str, str, str]]:
    """(place, keyword, words) of what the schema has against the text."""
    from olv_tui.schema.findings import check

    found = check(jsontext.loads(form.text), schema)
    return [(one.pointer, one.keyword, one.words) for one in found if one.is_fault]
