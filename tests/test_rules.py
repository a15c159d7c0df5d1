"""Every rule of the catalogue can be found, says what is wrong and points at it; README lists what the code has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.judge import all_rules
from olv_tui.model import Era, Severity, Violation
from tests import rules_table
from tests.caselib import shared_folder
from tests.judging import CALL, answer, refusal, request
from tests.rule_examples import (
    ACKNOWLEDGED,
    BATCH,
    COMPLETE,
    DECLARING_NOTHING,
    EXAMPLES,
    GIVING_A_TOKEN,
    MODERN,
    NOTE,
    PING,
    TEXT,
    WAITING,
    Example,
    Found,
    about,
    listed,
    modern,
    note,
    said,
    streamed,
    subscribed,
    with_header,
)
from tests.test_judge_cases import BODIES

README = Path(__file__).resolve().parents[1] / "README.md"


def leads(one: Violation, messages: tuple[str, ...]) -> bool:
    """Whether the pointer of a violation leads to something: in the message, or in one of an array of them."""
    if one.at is None:
        return True
    text = messages[0 if one.frame is None else one.frame + 1]
    value = jsontext.parse(text.encode("utf-8", "surrogatepass")).value
    texts = [text, *map(jsontext.dumps, value)] if isinstance(value, list) else [text]
    return any(jsontext.span(text, one.at) is not None for text in texts)


@pytest.mark.parametrize("code", sorted(all_rules()))
def test_a_rule_has_an_example_and_says_what_is_wrong_and_where_that_stands(code: str) -> None:
    rule = all_rules()[code]
    assert rule.code == code
    assert re.fullmatch(r"[A-Z0-9a-z].{8,100}[^.]", rule.title), "a title is one plain phrase"
    assert rule.source
    assert [example for example in EXAMPLES if example.code == code], "no example breaks this rule"


def numbered() -> list[tuple[str, Example]]:
    """The examples, each with a name that stays the same when others are added."""
    return [(f"{one.code}-{sum(e.code == one.code for e in EXAMPLES[:at])}", one) for at, one in enumerate(EXAMPLES)]


@pytest.mark.parametrize("example", [one for _, one in numbered()], ids=[name for name, _ in numbered()])
def test_an_example_is_found_with_its_severity_and_its_place(example: Example) -> None:
    found, messages = example.found()
    of_code = [one for one in found if one.code == example.code]
    mine = [one for one in of_code if one.place.endswith(example.place.removeprefix("..."))]
    assert mine, of_code or list(found)
    assert mine[0].severity is (example.severity or all_rules()[example.code].severity)
    for one in found:
        assert one.code in all_rules()
        assert re.fullmatch(r"[^\n]{10,}", one.message), "a sentence of one line"
        assert one.code not in one.message
        assert leads(one, messages), f"{one.at} leads nowhere"


@given(BODIES, st.booleans(), st.sampled_from([CALL, request("tools/list"), request("subscriptions/listen"), BATCH]))
def test_a_place_leads_into_the_message_whatever_came(body: bytes, is_stream: bool, sent: bytes) -> None:
    data = b"data: " + body.replace(b"\n", b"").replace(b"\r", b"") + b"\n\n" if is_stream else body
    media = "text/event-stream" if is_stream else "application/json"
    found, messages = said(data, sent=sent, era=Era.MODERN, version=MODERN, media=media)()
    for one in found:
        assert one.code in all_rules()
        assert leads(one, messages), f"{one.at} leads nowhere"


def test_no_example_is_for_a_rule_that_there_is_not() -> None:
    assert {example.code for example in EXAMPLES} == set(all_rules())


def test_an_answer_without_fault_breaks_no_rule() -> None:
    tool = json.dumps({"name": "a.b-c_1", "description": "d", "inputSchema": {"type": "object"}})
    capable = DECLARING_NOTHING.replace(b'Capabilities":{}', b'Capabilities":{"elicitation":{}}')
    note_of_mine = note("progress", '{"progressToken":"t","progress":0.5}')
    levels = CALL.replace(b'"arguments":{}', b'"arguments":{},"_meta":{"io.modelcontextprotocol/logLevel":"debug"}')
    end = answer(about(more=',"resultType":"complete"'))
    sound: list[Found] = [
        said(answer()),
        said(answer(f'{{{TEXT},"structuredContent":{{}},"isError":false}}')),
        said(refusal(), status=404),
        said("", sent=NOTE, status=202, media=None),
        said(f"[{answer('{}', '2')},{answer('{}', '1')}]", sent=BATCH, version="2025-03-26"),
        streamed(PING, note("message", "{}"), note_of_mine, answer(), sent=GIVING_A_TOKEN),
        streamed(note("message", '{"level":"info","data":1}'), answer(COMPLETE), era=Era.MODERN, sent=levels),
        modern('{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}', "tools/list"),
        modern(f"{{{WAITING}}}", sent=capable),
        subscribed(ACKNOWLEDGED, note("tools/list_changed", about()), end),
        subscribed(refusal('{"code":-32602,"message":"m"}')),
        listed(tool),
        listed(f'{{"name":"a","inputSchema":{with_header(json.dumps("Region"))}}}', MODERN),
    ]
    assert [list(one()[0]) for one in sound] == [[] for _ in sound]


def test_every_rule_of_the_reference_catalogue_is_there_with_its_severity() -> None:
    shared = shared_folder()
    if shared is None:
        pytest.skip("the reference is not beside this checkout")
    text = (shared / "reference" / "protocol.md").read_text("utf-8")
    listed_there = dict(
        re.findall(r"^\| ([JRCMTD]\d\d) \| .* \| ([EWI](?:/[EWI])?(?: [^|]*)?) \| [^|]*\|$", text, re.MULTILINE)
    )
    assert len(listed_there) > 50
    http = set(re.findall(r"\bH\d\d\b", text[text.index("### 3.5") : text.index("### 3.6")]))
    assert len(http) == 15
    rules = all_rules()
    assert set(listed_there) | http <= set(rules)
    names = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}
    for code, severity in listed_there.items():
        assert rules[code].severity in {names[letter] for letter in severity.split(" ")[0].split("/")}, code


def test_the_readme_lists_the_rules_as_they_are_in_the_code() -> None:
    text = README.read_text("utf-8")
    assert rules_table.written(text) == text, "run python -m tests.rules_table"


def test_a_table_that_differs_is_noticed() -> None:
    text = README.read_text("utf-8")
    changed = text.replace("| R07 | error |", "| R07 | warning |")
    assert changed != text
    assert rules_table.written(changed) == text
