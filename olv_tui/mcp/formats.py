"""Formats of JSON Schema that can be told apart with certainty, each with an example to say what is due.

Follows JSON Schema validation 2020-12, 7.3. By the specification a format is a remark until somebody checks it; ours
is checked for arguments alone, where a person types.

Rules of this file:

* Only formats whose rules leave no doubt are here: a regular expression of ECMA 262 is none, Python has another
  dialect; nor are host names and templates. An unknown format says nothing.
* A check takes a bounded time: texts beyond `_LONG` characters are taken as right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from ipaddress import IPv4Address, IPv6Address

_LONG = 2_000
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DURATION = re.compile(r"P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)", re.ASCII)
_FRACTION = re.compile(r"\.\d+")


def _plain(text: str) -> str:
    """As Python reads it: no fraction (it takes six digits), no 60th second (it knows none)."""
    return re.sub(r":60(?=[Zz+-])", ":59", _FRACTION.sub("", text)).upper()


def _date_time(text: str) -> None:
    _due(_STAMP, text)
    datetime.fromisoformat(_plain(text))


def _time(text: str) -> None:
    _due(_TIME, text)
    time.fromisoformat(_plain(text))


def _date(text: str) -> None:
    _due(_DATE, text)
    date.fromisoformat(text)


def _email(text: str) -> None:
    name, at, host = text.rpartition("@")
    if not (name and at and host) or re.search(r"\s", host):
        raise ValueError


def _uri(text: str) -> None:
    _due(re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*"), text)


def _due(pattern: re.Pattern[str], text: str) -> None:
    if not pattern.fullmatch(text):
        raise ValueError


_KNOWN: dict[str, tuple[Callable[[str], object], str]] = {
    "date-time": (_date_time, "2026-12-31T23:59:59Z"),
    "date": (_date, "2026-12-31"),
    "time": (_time, "23:59:59Z"),
    "duration": (lambda text: _due(_DURATION, text), "P1DT12H"),
    "email": (_email, "name@example.com"),
    "ipv4": (IPv4Address, "192.0.2.1"),
    "ipv6": (IPv6Address, "2001:db8::1"),
    "uuid": (lambda text: _due(_UUID, text), "123e4567-e89b-12d3-a456-426614174000"),
    "uri": (_uri, "https://example.com/page"),
}


def example(name: object) -> str:
    """A text of this format, "" where the format is not known."""
    return _KNOWN[name][1] if isinstance(name, str) and name in _KNOWN else ""


def fits(name: object, text: str) -> bool:
    """Whether a text is of this format; True for a format that is not known."""
    if not isinstance(name, str) or name not in _KNOWN or len(text) > _LONG:
        return True
    try:
        _KNOWN[name][0](text)
    except ValueError:
        return False
    return True
