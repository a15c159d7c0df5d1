"""The filter of the history: `tool:add verdict:tool_error is:starred text`, read into terms.

Rules of this file:

* Pure: text and the present time in, terms out; it knows no database.
* Reading never fails. What cannot be read is left out and told in a sentence, as a filter is read while it is typed.
* A word without a key is looked for in everything. Only `#42`, `today`, `5xx` and the keys below mean something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from olv_tui.model import Verdict

KEYS = ("id", "tool", "method", "verdict", "status", "target", "is", "has", "since", "before", "on", "text")
VERDICTS = tuple(verdict.value for verdict in Verdict)
FINE = ("result", "accepted", "pending")
IS = ("starred", "failed", "pending", "automatic")
HAS = ("note",)
TIMES = ("today", "yesterday", "2h", "7d")

_ALIASES = {"star": "starred", "handshake": "automatic", "notes": "note", "json-rpc_error": "rpc_error"}
_LABELS = re.compile(
    r"(?<![^\s-])(?:(?:tool|json-rpc|http|transport)[ _]error|rpc_error|invalid[ _]response|input[ _]required)(?!\S)"
    r'(?=(?:[^"]*"[^"]*")*[^"]*$)',  # not in quotes
    re.IGNORECASE,
)
"""Verdicts as the screen names them: two words that belong together."""

_TOKEN = re.compile(r'(-?)(?:([A-Za-z]+):)?((?:"(?:[^"\\]|\\.)*"?|[^\s"])*)')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"?')
_STATUS = re.compile(r"[1-5](?:[0-9][0-9]|xx)", re.IGNORECASE)
_AGE = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_BOUNDS = re.compile(r"(>=|<=|>|<)(.+)")


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: one of the `values` fits, or none where `negative`.

    `key` is text, id, tool, method, verdict, status, target, starred, note, automatic or time. The values of `time`
    are two UTC times in the form of an exchange, from (included) and until (not included), "" for no bound.
    """

    key: str
    values: tuple[str, ...] = ()
    negative: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """All `terms` have to fit. `faults` are sentences about what could not be read."""

    terms: tuple[Term, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it limits nothing."""
        return not self.terms

    def of(self, key: str) -> tuple[Term, ...]:
        """The terms of one key."""
        return tuple(term for term in self.terms if term.key == key)


def text_query(text: str) -> Query:
    """A query for one text, taken as it is."""
    return Query((Term("text", (text,)),) if text else ())


def parse_query(text: str, now: datetime) -> Query:
    """Read a filter; `now` has a time zone, and days are days there."""
    terms: list[Term] = []
    faults: list[str] = []
    for match in _TOKEN.finditer(_LABELS.sub(lambda label: f"verdict:{_verdict_of(label[0])}", text)):
        if not match[0] or match[0] == "-":
            continue
        negative, key, value = bool(match[1]), (match[2] or "").lower(), match[3]
        made: Term | str
        if key in KEYS:
            made = _keyed(key, value, now) if value else ""
        elif key:
            # `http://host` and `Name: value` are texts; a word with a colon that is close to a key is a slip.
            made = _unknown(match[2], value)
        else:
            made = _bare(value, now)
        if isinstance(made, str):
            if made:
                faults.append(made)
        elif made.values or made.key in ("starred", "note", "automatic"):
            terms.append(Term(made.key, made.values, negative))
    return Query(tuple(terms), tuple(faults))


def _verdict_of(label: str) -> str:
    word = label.lower().replace(" ", "_")
    return _ALIASES.get(word, word)


def _unknown(key: str, value: str) -> Term | str:
    import difflib

    near = difflib.get_close_matches(key.lower(), KEYS, 1, 0.8)
    if near:
        return f'{key}: is no key of the filter; did you mean {near[0]}: ? In quotes it is a text: "{key}:…"'
    return Term("text", (_plain(f"{key}:{value}"),))


def _bare(value: str, now: datetime) -> Term | str:
    if len(value) > 1 and value.startswith("#"):
        return Term("id", (value[1:],))
    if value.lower() in ("today", "yesterday") or re.match(r"[<>]=?\d", value):
        return _time("on", value, now)
    if re.fullmatch(r"[1-5]xx", value, re.IGNORECASE):
        return Term("status", (value.lower(),))
    plain = _plain(value)
    return Term("text", (plain,)) if plain else ""


def _keyed(key: str, value: str, now: datetime) -> Term | str:
    if key == "id":
        return Term("id", (value.removeprefix("#"),))
    if key in ("since", "before", "on"):
        return _time(key, value, now)
    values = tuple(_plain(part) for part in _parts(value))
    if key == "verdict":
        return _verdict(values)
    if key == "status":
        wrong = next((one for one in values if not _STATUS.fullmatch(one)), None)
        if wrong is not None:
            return f"status:{wrong} is no HTTP status: write status:404 or status:5xx"
        return Term("status", tuple(one.lower() for one in values))
    if key in ("is", "has"):
        return _flag(key, values)
    return Term(key, tuple(one for one in values if one))


def _flag(key: str, values: tuple[str, ...]) -> Term | str:
    word = _ALIASES.get(values[0].lower(), values[0].lower())
    known = IS if key == "is" else HAS
    if word not in known:
        return f"{key}:{values[0]} is not known; it may be {_listed(tuple(f'{key}:{one}' for one in known))}"
    if word == "failed":
        return Term("verdict", tuple(one for one in VERDICTS if one not in FINE))
    return Term("verdict", (word,)) if word == "pending" else Term(word)


def _verdict(values: tuple[str, ...]) -> Term | str:
    found: list[str] = []
    for value in values:
        word = _verdict_of(value)
        fitting = [one for one in VERDICTS if one == word] or [one for one in VERDICTS if word and one.startswith(word)]
        if not fitting and value:
            return f"verdict:{value} is not known; it may be {_listed(VERDICTS)}"
        found += fitting
    return Term("verdict", tuple(dict.fromkeys(found)))


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _parts(value: str) -> list[str]:
    """A value at its commas, those in quotes aside."""
    return [part for part in re.findall(r'(?:"(?:[^"\\]|\\.)*"?|[^,])+', value) if part]


def _plain(value: str) -> str:
    """A value without its quotes."""
    return _QUOTED.sub(lambda match: re.sub(r'\\(["\\])', r"\1", match[1]), value)


# --------------------------------------------------------------------------- times


def _time(key: str, value: str, now: datetime) -> Term | str:
    sign, text = "", value.strip('"')
    bound = _BOUNDS.fullmatch(text)
    if bound:
        sign, text = bound[1], bound[2]
    span = _span(text, now)
    if span is None:
        return (
            f"{value} is no time: write today, yesterday, 2026-12-01, 2026-12-01T10:30, 2h or 7d; > and < may stand"
            " before a date"
        )
    begin, end = span
    if key == "since" or sign == ">=":
        return Term("time", (_utc(begin), ""))
    if key == "before" or sign == "<":
        return Term("time", ("", _utc(begin)))
    if sign == ">":
        return Term("time", (_utc(end), ""))
    if sign == "<=":
        return Term("time", ("", _utc(end)))
    return Term("time", (_utc(begin), _utc(end)))


def _span(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    """Begin and end of a day, a minute, or an age until now; None where it is none."""
    word = text.lower()
    try:
        if word in ("today", "yesterday"):
            return _day(now.date() - timedelta(days=word == "yesterday"), now)
        age = _AGE.fullmatch(word)
        if age:
            return now - timedelta(**{_UNITS[age[2]]: int(age[1])}), now
        if re.fullmatch(r"\d{4}-\d\d-\d\d", word):
            return _day(date.fromisoformat(word), now)
        begin = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None
    begin = begin if begin.tzinfo is not None else begin.replace(tzinfo=now.tzinfo)
    return begin, begin + timedelta(seconds=1 if text.count(":") > 1 else 60)


def _day(day: date, now: datetime) -> tuple[datetime, datetime]:
    start = datetime.combine(day, time(), now.tzinfo)
    return start, datetime.combine(day + timedelta(days=1), time(), now.tzinfo)


def _utc(moment: datetime) -> str:
    offset = moment.utcoffset() or timedelta()
    return (moment.replace(tzinfo=None) - offset).isoformat(timespec="milliseconds") + "Z"


# --------------------------------------------------------------------------- while typing


def completion(text: str, tools: tuple[str, ...] = ()) -> str | None:
    """The filter with its last word completed, None where nothing fits; `tools` are names seen in the history."""
    head, word = re.fullmatch(r"((?:.*\s)?)(\S*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    mark = "-" if word.startswith("-") else ""
    word = word[len(mark) :]
    key, colon, value = word.partition(":")
    if colon:
        known = {
            "verdict": VERDICTS, "is": IS, "has": HAS, "since": TIMES, "before": TIMES, "on": TIMES[:2], "tool": tools,
            "status": ("5xx", "404"),
        }.get(key.lower(), ())  # fmt: skip
        before, _, value = value.rpartition(",")
        start = f"{key}:{before}," if before else f"{key}:"
    else:
        known, value, start = (*(f"{one}:" for one in KEYS), "today", "yesterday"), word, ""
    if not word or (not value and not colon):
        return None
    fitting = next((one for one in known if one.lower().startswith(value.lower()) and one != value), None)
    return None if fitting is None else f"{head}{mark}{start}{fitting}"
