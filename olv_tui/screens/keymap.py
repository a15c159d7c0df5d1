"""The keys that a user gives to commands, checked before the explorer opens.

Rules of this file: ids are read from where bindings are declared, so no list of them can grow old. For that every
pane and screen is loaded, and only who has a table `[keys]` pays for it.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import unicodedata
from collections.abc import Iterator, Mapping

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from olv_tui import screens, widgets
from olv_tui.config import UsageError

_MODIFIERS = frozenset({"ctrl", "alt", "shift", "super", "hyper", "meta"})
_NAMES = frozenset(key.value for key in Keys) | frozenset(KEY_NAME_REPLACEMENTS.values())


def checked(keymap: Mapping[str, str], app: type[DOMNode]) -> dict[str, str]:
    """The keymap without blanks. Raises UsageError for a command that does not exist and for what is no key."""
    ids = binding_ids(app)
    result: dict[str, str] = {}
    for name, written in keymap.items():
        if name not in ids:
            near = difflib.get_close_matches(name, ids, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(ids))}"
            raise UsageError(f"keys.{name} in the settings file names no command; {hint}")
        keys = [key.strip() for key in written.split(",")]
        for key in keys:
            if not is_key(key):
                raise UsageError(
                    f"keys.{name} in the settings file: {key!r} is no key (f6, ctrl+s, alt+enter, slash, q)"
                )
        result[name] = ",".join(keys)
    return result


def binding_ids(app: type[DOMNode]) -> frozenset[str]:
    """The ids of all bindings of the explorer."""
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    declared = (binding for owner in (app, *_ours(DOMNode)) for binding in owner.BINDINGS)
    return frozenset(one.id for one in declared if isinstance(one, Binding) and one.id is not None)


def _ours(parent: type[DOMNode]) -> Iterator[type[DOMNode]]:
    for child in parent.__subclasses__():
        if child.__module__.startswith("olv_tui."):
            yield child
        yield from _ours(child)


def is_key(text: str) -> bool:
    """Whether Textual knows a key of this name: a letter, a name such as `slash`, either with modifiers before it."""
    *modifiers, name = text.split("+")
    if not _MODIFIERS.issuperset(modifiers):
        return False
    if len(name) == 1:
        return name.isprintable() and name != " "
    if name in _NAMES:
        return True
    try:
        unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return False
    return True
