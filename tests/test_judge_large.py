"""Large answers are read late: the judgement is the same as on values, and a first look tells the verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.jsonrpc import read_request
from olv_tui.jsontext import late, reader, steps
from olv_tui.judge import first_look, judge
from olv_tui.model import Era, Judgement, Object, Reply, Tool, Verdict, WireResponse, header
from tests.caselib import Case
from tests.judging import CALL, answer, judged
from tests.recordings import recordings
from tests.servers import recorded_servers
from tests.test_judge_cases import OFFLINE, judged_case
from tests.test_recorded_exchanges import judged as judged_recording
from tests.test_recorded_exchanges import reply_of


@contextmanager
def everything_is_large() -> Iterator[None]:
    """Read every object late, down to its last member."""
    with patch.object(late, "LARGE", -1), patch.object(late, "_SMALL", 0):
        yield


def same(one: Judgement, other: Judgement) -> None:
    """Two judgements are the same, their messages to the last digit and duplicate."""
    assert replace(one, message=None) == replace(other, message=None)
    assert jsontext.dumps(one.message) == jsontext.dumps(other.message)


@pytest.mark.parametrize("case", OFFLINE, ids=lambda case: case["id"])
def test_a_case_is_judged_the_same_when_its_answer_is_read_late(case: Case) -> None:
    wanted = judged_case(case)
    with everything_is_large():
        same(judged_case(case), wanted)


@pytest.mark.parametrize("folder", recorded_servers(), ids=lambda folder: folder.name)
def test_a_recording_is_judged_the_same_when_its_answer_is_read_late(folder: Path) -> None:
    for one in recordings(folder):
        wanted = judged_recording(one, reply_of(one))
        with everything_is_large():
            same(judged_recording(one, reply_of(one)), wanted)


@pytest.mark.parametrize("folder", recorded_servers(), ids=lambda folder: folder.name)
def test_a_first_look_at_a_recording_tells_what_the_judge_tells(folder: Path) -> None:
    for one in recordings(folder):
        wanted, reply = judged_recording(one, reply_of(one)), reply_of(one)
        era, version = one.era
        session_id = header(one.sent_headers, "mcp-session-id")
        with everything_is_large():
            seen = first_look(read_request(one.sent), reply, era=era, version=version, session_id=session_id)
        if seen is not None:
            agrees(seen, wanted)


def agrees(seen: Judgement, wanted: Judgement) -> None:
    """A first look tells what the judgement tells, but for findings."""
    assert set(seen.violations) <= set(wanted.violations)
    same(replace(seen, violations=()), replace(wanted, violations=()))


def look(body: bytes, media: str = "application/json") -> Judgement | None:
    """A first look at an answer to `CALL`."""
    reply = Reply(WireResponse(200, "OK", (("Content-Type", media),), body))
    return first_look(read_request(CALL), reply, era=Era.BARE, version=None)


WORLDS = [
    {"id": number, "name": f"world {number}", "pages": 1.50, "tags": ["a", {"b": None}]} for number in range(5_000)
]


def large(**members: object) -> bytes:
    result = {"content": [{"type": "text", "text": "ok"}], "structuredContent": {"worlds": WORLDS}, **members}
    return answer(json.dumps(result)).encode()


def test_a_first_look_at_a_large_answer_agrees_with_the_judge() -> None:
    for body in (large(), large(isError=True, structuredContent={"error": "not_linked", "worlds": WORLDS})):
        seen = look(body)
        assert seen is not None
        agrees(seen, judged(body))


def test_a_first_look_is_left_to_the_judge_where_the_envelope_does_not_tell() -> None:
    assert look(answer().encode()) is None, "small"
    assert look(large() + b"}") is None
    assert look(large().replace(b"1.5", b"NaN", 1)) is None
    assert look(large().replace(b"world 7", b"world \xff", 1)) is None
    assert look(large().replace(b"world 7", b"\\ud800", 1)) is None
    assert look(large(isError=False)[:-1] + b',"id":7}') is None, "a name that stands twice"
    assert look(b"[" + large() + b"]") is None


def test_findings_deep_in_a_large_answer_are_found_by_the_judge() -> None:
    twice = large().replace(b'"id": 4321', b'"id": 1, "id": 4321')
    assert "J05" in [one.code for one in judged(twice).violations]
    assert "J04" in [one.code for one in judged(large().replace(b"1.5", b"1e999", 1)).violations]
    assert "J06" in [one.code for one in judged(large().replace(b"world 7", b"\\ud800", 1)).violations]
    assert "J09" in [one.code for one in judged(large().replace(b"world 7", b"\\u202e", 1)).violations]
    assert judged(large().replace(b"1.5", b"NaN", 1)).verdict is Verdict.INVALID_RESPONSE


def test_what_the_judge_read_of_a_large_answer_is_not_kept() -> None:
    schema = Object([("type", "object")])
    tool = Tool("probe", "", "", Object([("name", "probe"), ("outputSchema", schema)]))
    sent = read_request(CALL)
    reply = Reply(WireResponse(200, "OK", (("Content-Type", "application/json"),), large()))
    message = judge(sent, reply, era=Era.BARE, version=None, tool=tool).message
    assert isinstance(message, jsontext.LateObject)
    assert not dict.__len__(message)
    assert message["result"]["structuredContent"]["worlds"][4999]["name"] == "world 4999"  # type: ignore[index,call-overload]


# --------------------------------------------------------------------------- the values

_TEXTS = st.text(max_size=6) | st.sampled_from(["}, {", "], [", '", "', "\\", 'é"', "\n"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_TEXTS, inner, max_size=5),
    max_leaves=25,
)
_STYLES = st.sampled_from([(None, (",", ":")), (None, (" , ", " :\t")), (1, None), (None, None)])


@given(_VALUES, _STYLES, st.booleans(), st.sampled_from([0, 6, 30]))
def test_a_late_value_is_the_value(
    value: object, style: tuple[int | None, tuple[str, str] | None], ascii_: bool, small: int
) -> None:
    data = json.dumps({"a": value}, indent=style[0], separators=style[1], ensure_ascii=ascii_).encode()
    wanted = reader.parse(data)
    with patch.object(late, "LARGE", -1), patch.object(late, "_SMALL", small), patch.object(late, "STEP", small + 3):
        found = jsontext.parse(data)
        assert (found.valid, found.violations) == (wanted.valid, wanted.violations)
        assert isinstance(found.value, Object)
        assert isinstance(wanted.value, Object)
        assert found.value == wanted.value
        assert wanted.value == found.value
        assert dict(found.value) == dict(wanted.value)
        assert [*found.value.members()] == [*wanted.value.members()]
        assert jsontext.dumps(found.value) == jsontext.dumps(wanted.value)
        assert jsontext.dumps(found.value, indent=2) == jsontext.dumps(wanted.value, indent=2)


@given(_VALUES, _STYLES, st.sampled_from([2, 9, 30, 80]))
def test_what_is_indented_in_steps_is_what_is_indented_at_once(
    value: object, style: tuple[int | None, tuple[str, str] | None], step: int
) -> None:
    data = json.dumps(value, indent=style[0], separators=style[1]).encode()
    wanted = jsontext.pretty(data)
    with patch.object(late, "STEP", step):
        assert steps.indented(data, *late.trimmed(data), lambda _: False) == wanted


def test_a_deep_nest_is_not_indented_in_steps() -> None:
    data = b'{"a":' + b"[" * 60 + b"]" * 60 + b',"b":[' + b"1," * 700_000 + b"1]}"
    made = jsontext.pretty(data)
    assert made is not None
    assert b"\n" + b" " * 82 not in made
    assert jsontext.compact(made) == data


def test_a_name_that_stands_twice_stays_twice_in_a_late_value() -> None:
    inner = b'{"x":{"y":1,"y":2,"z":"' + b"z" * 300_000 + b'"}}'
    value = jsontext.value(inner)
    assert isinstance(value, jsontext.LateObject)
    assert jsontext.dumps(value).encode() == inner
    twice = value["x"]
    assert isinstance(twice, Object)
    assert twice.pairs is not None
    assert [name for name, _ in twice.members()] == ["y", "y", "z"]


@given(st.text(max_size=60) | st.text(alphabet='ab\\"é😀\n', max_size=60), st.booleans(), st.integers(1, 40))
def test_a_large_text_is_the_text_however_it_is_cut(text: str, ascii_: bool, step: int) -> None:
    data = json.dumps({"text": text}, ensure_ascii=ascii_).encode("utf-8", "surrogatepass")
    holder = late.glance(data)
    if holder is None:
        return  # half a pair
    with patch.object(late, "_SMALL", 0), patch.object(late, "STEP", step):
        assert jsontext.has_text(holder, "text")
        assert jsontext.text_of(holder, "text") == text.encode()
        beginning = jsontext.text_of(holder, "text", step)
        assert beginning is not None
        assert text.encode().startswith(beginning)
        assert jsontext.size_of_text(holder, "text") <= len(text)


@given(
    st.binary(max_size=12) | st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.integers(4, 9),
)
def test_utf8_looked_at_in_steps_is_utf8(data: bytes, step: int) -> None:
    try:
        data.decode()
        wanted = True
    except UnicodeDecodeError:
        wanted = False
    with patch.object(late, "STEP", step):
        assert late.is_utf8(data) is wanted
