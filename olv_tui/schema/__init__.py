"""Schemas of tools as forms: fields, the document behind a form, templates, findings.

`tree` makes the fields of an inputSchema; `open_form` puts a JSON text behind them; `template` makes a first
text; `findings.check` (imported by the one who needs it: it loads jsonschema) says what the schema refuses.
"""

from olv_tui.schema.build import tree
from olv_tui.schema.fields import Branch, Field, Kind

__all__ = ["Branch", "Field", "Kind", "tree"]
