"""The ranking of the tool picker."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.model import Object, Tool
from olv_tui.view.toolfilter import ToolFilter, marks, scattered


def tool(name: str, title: str = "", description: str = "") -> Tool:
    return Tool(name, title, description, Object([("name", name)]))


def names(tools: list[Tool], query: str) -> list[str]:
    return [tools[at].name for at in ToolFilter(tools).hits(query)]


DEMO = [
    tool("olv_list_worlds", "List worlds (demo)", "Lists the worlds of the account."),
    tool("olv_get_world", "Show a world (demo)", "Shows one world."),
    tool("olv_site_status", "Site status (demo)", "Tells whether a site is linked to the account."),
    tool("olv_delete_world", "Delete a world (demo)", "Deletes a world."),
    tool("olv_link_site", "Link a site (demo)", "Links a site to the account."),
]


def test_no_words_give_every_tool_in_the_order_of_the_server() -> None:
    assert names(DEMO, "  ") == [one.name for one in DEMO]


def test_a_hit_in_the_name_goes_before_the_title_and_that_before_the_description() -> None:
    tools = [tool("a", description="moon"), tool("b", title="the moon"), tool("get_moon"), tool("moon")]
    assert names(tools, "moon") == ["moon", "get_moon", "b", "a"]


def test_a_piece_that_begins_a_word_goes_before_one_inside_a_word() -> None:
    assert names([tool("honeymoon"), tool("full_moon"), tool("moonlight")], "moon") == [
        "moonlight", "full_moon", "honeymoon",
    ]  # fmt: skip


def test_scattered_letters_find_a_name_and_come_after_whole_pieces() -> None:
    assert names([tool("olv_list_worlds"), tool("olv_olw")], "olw") == ["olv_olw", "olv_list_worlds"]


def test_scattered_letters_are_not_looked_for_in_descriptions() -> None:
    assert names([tool("x", description="over long winds")], "olw") == []


def test_every_word_has_to_fit_somewhere() -> None:
    assert names(DEMO, "world delete") == ["olv_delete_world"]
    assert names(DEMO, "world account") == ["olv_list_worlds"]
    assert names(DEMO, "world nowhere") == []


def test_case_makes_no_difference_in_any_script() -> None:
    assert names([tool("GetWORLD"), tool("Straße")], "getworld") == ["GetWORLD"]
    assert names([tool("GetWORLD"), tool("Straße")], "STRASSE") == ["Straße"]


def test_tools_of_one_rank_keep_their_order() -> None:
    tools = [tool(f"get_{letter}") for letter in "zyx"]
    assert names(tools, "get") == ["get_z", "get_y", "get_x"]


def test_tools_added_later_are_found_too() -> None:
    index = ToolFilter(DEMO[:2])
    index.add(DEMO[2:])
    assert len(index) == len(DEMO)
    assert list(index.hits("status")) == [2]


def test_signs_of_patterns_are_letters_like_any_other() -> None:
    for sign in ".*[](){}^$|?+\\-":
        assert names([tool(f"a{sign}b"), tool("plain")], f"a{sign}b") == [f"a{sign}b"]


def test_only_the_beginning_of_a_huge_text_is_looked_at() -> None:
    huge = tool("n" * 5_000_000 + "end", description="d" * 5_000_000 + "end")
    assert names([huge], "end") == []
    assert names([huge], "nnn") == [huge.name]


def test_a_name_that_nearly_fits_everywhere_is_refused_without_backtracking() -> None:
    # With a backtracking pattern this takes longer than anybody waits.
    assert not scattered("a" * 30 + "b").match("a" * 256)


@given(st.text(max_size=12), st.lists(st.text(max_size=20), max_size=8))
def test_every_hit_fits_and_nothing_is_listed_twice(query: str, listed: list[str]) -> None:
    hits = list(ToolFilter([tool(name) for name in listed]).hits(query))
    assert len(set(hits)) == len(hits)
    for at in hits:
        folded = listed[at].casefold()
        assert all(scattered(word).match(folded) for word in query.casefold().split())


@given(st.text(alphabet="abc_", max_size=10), st.text(alphabet="abcC_", max_size=20))
def test_marks_are_places_of_letters_of_the_query(query: str, name: str) -> None:
    letters = set(query.casefold())
    assert all(name[at].casefold() in letters for at in marks(name, query))


def test_marks_show_the_piece_that_was_found() -> None:
    assert marks("olv_get_world", "get") == {4, 5, 6}
    assert marks("olv_list_worlds", "olw") == {0, 1, 9}
    assert marks("olv_get_world", "xyz") == frozenset()


@pytest.mark.parametrize("query", ["i", "issue", "gtiss", "zzz"])
def test_five_thousand_tools_are_all_ranked(query: str) -> None:
    rng = random.Random(7)
    tools = [
        tool(f"{''.join(rng.choices(string.ascii_lowercase, k=6))}_issue_{n}", description="lists issues " * 30)
        for n in range(5000)
    ]
    assert len(ToolFilter(tools).hits(query)) == sum(
        bool(scattered(query).match(one.name)) or query in one.description for one in tools
    )
