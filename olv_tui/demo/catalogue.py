"""The data of the demo, read once from catalogue.json: tools, worlds and the texts of their answers.

Rules of this file: it holds no behaviour. Whoever changes a value it gives copies it first.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from . import exact
from .exact import JsonObject


@cache
def catalogue() -> JsonObject:
    """catalogue.json as it stands: label, page_size, tools, worlds, parts, today, postcard, errors, forecast, flaky.

    18 kB in 0.5 ms. Read from beside this file: importlib.resources would cost 10 ms of imports.
    """
    loaded: JsonObject = exact.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8"))
    return loaded


@cache
def tools() -> dict[str, JsonObject]:
    """The tool definitions by name, in the order of tools/list."""
    return {tool["name"]: tool for tool in catalogue()["tools"]}
