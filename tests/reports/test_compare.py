"""The reported answer against the one that came: same, same kind or different, and where."""

from __future__ import annotations

import pytest
from hypothesis import given

from olv_tui import jsontext
from olv_tui.model import Number
from olv_tui.reports.compare import MAX_DIFFERENCES, Difference, answer_of, compare
from tests.history.test_codec import values
from tests.reports.made import ANSWER, exchange


def result(text: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"result":' + text.encode() + b"}"


def error(code: int, message: str) -> bytes:
    return f'{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"{message}"}}}}'.encode()


def tool_error(word: str, more: str = "") -> bytes:
    return result(f'{{"isError":true,"structuredContent":{{"error":"{word}"{more}}},"content":[]}}')


SAME = {
    "white space": (b'{"a": [1, 2]}', b'{"a":[1,2]}\n'),
    "escapes": (b'{"a":"\\u00e9"}', '{"a":"é"}'.encode()),
    "texts that are no JSON": (b"<h1>502</h1>\n", b"<h1>502</h1>"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_what_is_written_otherwise_is_the_same(one: bytes, other: bytes) -> None:
    assert compare(one, other).outcome == "same"


def test_order_of_members_and_spelling_of_numbers_are_kept_apart() -> None:
    found = compare(b'{"a":1.0,"b":{"c":1,"d":2}}', b'{"b":{"d":2,"c":1},"a":1}')
    assert found.outcome == "same"
    assert [(item.at, item.kind) for item in found.written] == [("", "order"), ("/a", "spelling"), ("/b", "order")]


def test_a_digit_makes_a_difference() -> None:
    found = compare(b'{"n":7205759403792793601}', b'{"n":7205759403792793600}')
    assert found.differences == (
        Difference("/n", "value", Number("7205759403792793601"), Number("7205759403792793600")),
    )


def test_every_kind_of_difference_has_its_place_and_both_values() -> None:
    found = compare(b'{"a":1,"b":"x","c~/d":null,"e":[1]}', b'{"a":true,"b":"y","e":[1],"f":2}')
    assert [(item.at, item.kind) for item in found.differences] == [
        ("/c~0~1d", "missing"),
        ("/f", "added"),
        ("/a", "type"),
        ("/b", "value"),
    ]
    assert found.outcome == "different"


def test_one_item_more_in_an_array_is_one_difference() -> None:
    found = compare(b"[1,2,3,4]", b"[1,2,9,3,4]")
    assert [(item.at, item.kind, item.actual) for item in found.differences] == [("/2", "added", Number("9"))]


def test_items_in_another_order_are_one_difference_of_order() -> None:
    found = compare(result("[1,2,3]"), result("[3,1,2]"))
    assert [(item.at, item.kind) for item in found.differences] == [("/result", "order")]
    assert found.outcome == "same kind"


KINDS = {
    "the same code, other words": (error(-32602, "no a"), error(-32602, "no b"), "same kind"),
    "another code": (error(-32602, "x"), error(-32603, "x"), "different"),
    "the same tool error at another site": (
        tool_error("not_linked", ',"site":"a.test"'),
        tool_error("not_linked", ',"site":"b.test"'),
        "same kind",
    ),
    "another tool error": (tool_error("not_linked"), tool_error("expired"), "different"),
    "a tool error for an error": (tool_error("x"), error(1, "x"), "different"),
    "a result for an error": (error(1, "x"), result("{}"), "different"),
    "a result with other values": (result('{"t":"a","n":[1]}'), result('{"t":"b","n":[2]}'), "same kind"),
    "a result of another shape": (result('{"t":"a"}'), result('{"t":1}'), "different"),
    "HTML for JSON": (b"<h1>", result("{}"), "different"),
    "other HTML": (b"<h1>", b"<h2>", "different"),
}


@pytest.mark.parametrize(("one", "other", "outcome"), KINDS.values(), ids=KINDS)
def test_the_kind_tells_the_same_failure_from_another(one: bytes, other: bytes, outcome: str) -> None:
    assert compare(one, other).outcome == outcome


def test_nothing_that_came_is_different() -> None:
    found = compare(ANSWER, None)
    assert (found.outcome, found.differences[0].kind) == ("different", "missing")


@pytest.mark.parametrize("pointer", ["/result/time", "/result/*", "/*/time", "", "/result"])
def test_ignored_places_do_not_count(pointer: str) -> None:
    assert compare(result('{"time":1}'), result('{"time":2}'), [pointer]).outcome == "same"


def test_ignored_places_may_be_missing_or_new() -> None:
    found = compare(
        result('{"a":1,"b":[{"t":1},{}]}'),
        result('{"c":1,"b":[{},{"t":2}]}'),
        ["/result/a", "/result/c", "/result/b/*/t"],
    )
    assert found.outcome == "same"


@pytest.mark.parametrize("pointer", ["/result/tim", "/time", "/result/time/x", "/RESULT/time"])
def test_other_places_still_count(pointer: str) -> None:
    assert compare(result('{"time":1}'), result('{"time":2}'), [pointer]).outcome != "same"


def test_only_so_many_differences_are_told_and_all_are_counted() -> None:
    one = "[" + ",".join(map(str, range(1000))) + "]"
    other = "[" + ",".join(str(number + 1000) for number in range(1000)) + "]"
    found = compare(one.encode(), other.encode())
    assert (len(found.differences), found.total) == (MAX_DIFFERENCES, 1000)


def test_depth_is_no_limit() -> None:
    one = b'{"a":' * 5000 + b"1" + b"}" * 5000
    found = compare(one, one.replace(b"1", b"2"))
    assert found.differences[0].at == "/a" * 5000
    lists = b"[" * 20_000 + b"1" + b"]" * 20_000
    assert compare(lists, lists.replace(b"1", b"2")).differences[0].at == "/0" * 20_000


def test_the_answer_of_an_exchange_is_its_message_else_its_body() -> None:
    assert compare(ANSWER, answer_of(exchange())).outcome == "same"
    assert answer_of(exchange(answer=b"<h1>", media="text/html")) == b"<h1>"
    assert answer_of(exchange(answer=None)) is None


@given(values)
def test_any_value_is_the_same_as_itself(value: object) -> None:
    text = jsontext.dumps(value).encode("utf-8", "surrogatepass")  # type: ignore[arg-type]
    found = compare(text, text)
    assert (found.outcome, found.differences, found.written) == ("same", (), ())


@given(values, values)
def test_any_two_values_are_compared_alike_from_both_sides(one: object, other: object) -> None:
    texts = [jsontext.dumps(value).encode("utf-8", "surrogatepass") for value in (one, other)]  # type: ignore[arg-type]
    assert compare(texts[0], texts[1]).outcome == compare(texts[1], texts[0]).outcome
