"""An exchange in a form for others: curl, HTTPie, Python, HAR, the Markdown report, the record.

Rules of this file:

* Secrets are masked before anything is written, as the redactor masks them; the mask is stable, so two equal
  tokens can be seen to be equal. Values come in only where they are given anew.
* What is masked, or cannot be kept by a form, is told in `Written.warnings`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from olv_tui.model import Exchange, Header, Tool
from olv_tui.redact import MASK, Redactor, is_secret_name
from olv_tui.reports import cut
from olv_tui.reports.har import as_har
from olv_tui.reports.pycode import as_python
from olv_tui.reports.record import record
from olv_tui.reports.values import Written
from olv_tui.reports.write_report import as_report
from olv_tui.reports.write_shell import as_curl, as_httpie

__all__ = ["FORMS", "Written", "as_curl", "as_har", "as_httpie", "as_python", "as_report", "export", "with_secrets"]

FORMS = ("curl", "httpie", "python", "report", "har", "json")
"""The forms that `export` knows."""

_PART = re.compile(r"[^\s;=,]+")


def export(
    exchange: Exchange,
    form: str,
    redactor: Redactor,
    *,
    shell: str = "posix",
    expected: str | None = None,
    ignore: Sequence[str] = (),
    secrets: Iterable[str] | None = None,
    tool: Tool | None = None,
) -> Written:
    """An exchange in one of `FORMS`, redacted here.

    `shell` counts for curl, `expected` (what should have come, a reported answer or words) and `ignore` (places of it
    that do not count) for the report, as does `tool`, the called one as its server lists it. `secrets` are values given
    anew (`known_values`): their masks are filled in again, those of others stay, with a warning.
    """
    kept = redactor.exchange(cut.whole(exchange) if form == "har" else exchange)
    if secrets is not None:
        kept = with_secrets(kept, redactor, secrets)
    match form:
        case "curl":
            written = as_curl(kept, shell)
        case "httpie":
            written = as_httpie(kept)
        case "python":
            written = as_python(kept)
        case "har":
            written = as_har(kept)
        case "report":
            written = as_report(kept, expected, ignore, tool and redactor.tool(tool))
        case _:
            written = Written(record(kept) + "\n")
    short = [cut.told(kept)] if form in ("har", "json", "report") else []
    return Written(written.text, (*written.warnings, *filter(None, short), *_masked(kept)))


def _masked(exchange: Exchange) -> Iterator[str]:
    """A sentence for each place of the request where a mask stands."""
    request = exchange.request
    places = [f"the header {name}" for name, value in request.headers if MASK.search(value)]
    places += ["the address"] if MASK.search(request.url) else []
    places += ["the body"] if MASK.search(request.body.decode("utf-8", "replace")) else []
    for place in dict.fromkeys(places):
        yield f"A secret in {place} is masked: put its value in before sending."


# --------------------------------------------------------------------------- values given anew


def known_values(headers: Iterable[Header], secrets: Iterable[str] = ()) -> tuple[str, ...]:
    """Every text that may be what a mask hides: secrets, whole values of secret headers, and their parts."""
    found = dict.fromkeys(secret for secret in secrets if secret)
    for name, value in headers:
        if is_secret_name(name):
            found.setdefault(value.strip())
            for part in _PART.findall(value):
                found.setdefault(part)
    return tuple(found)


def with_secrets(exchange: Exchange, redactor: Redactor, values: Iterable[str]) -> Exchange:
    """A redacted exchange with the masks of these values, and of those that the redactor knows, filled in, in address,
    headers and body of the request.
    """
    by_mask = {redactor.mask(value): value for value in (*redactor.known, *values)}
    request = exchange.request

    def fill(text: str, form: str = "") -> str:
        def put(match: re.Match[str]) -> str:
            value = by_mask.get(match[0])
            if value is None:
                return match[0]
            return quote(value, safe=":@") if form == "url" else json.dumps(value)[1:-1] if form == "json" else value

        return MASK.sub(put, text)

    body = fill(request.body.decode("utf-8", "surrogateescape"), "json").encode("utf-8", "surrogateescape")
    return replace(
        exchange,
        request=replace(
            request,
            url=fill(request.url, "url"),
            headers=tuple((name, fill(value)) for name, value in request.headers),
            body=body,
        ),
    )
