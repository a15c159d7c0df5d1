"""Schemas of tools as forms: fields, the document behind a form, templates, findings.

`tree` makes the fields of an inputSchema; `open_form` puts a JSON text behind them; `template` makes a first
text; `findings.check` (imported by the one who needs it: it loads jsonschema) says what the schema refuses.
"""

from olv_tui.schema.build import tree
from olv_tui.schema.drafts import Draft, Gap, draft, first_value, template
from olv_tui.schema.entry import as_typed, typed
from olv_tui.schema.fields import Branch, Field, Kind
from olv_tui.schema.form import Form, State, open_form
from olv_tui.schema.problems import Problem

__all__ = [
    "Branch",
    "Draft",
    "Field",
    "Form",
    "Gap",
    "Kind",
    "Problem",
    "State",
    "as_typed",
    "draft",
    "first_value",
    "open_form",
    "template",
    "tree",
    "typed",
]
