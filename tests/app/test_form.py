"""Form mode at the keyboard: typing, lists, drafts, the way between the modes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste

from olv_tui.model import Era, Target
from tests.app.helper import WIDE, OlvPilot, app_on, running, small_server, until
from tests.app.test_form_cases import in_menu, keys, to_field
from tests.screen import settled, widget_text

TEXT = {"type": "string"}
ORDER = {
    "name": "order",
    "inputSchema": {
        "type": "object",
        "properties": {
            "who": {"type": "string", "description": "Whose order it is"},
            "count": {"type": "integer"},
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "sku": {"type": "string"},
                        "tags": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["sku"],
                },
            },
            "to": {
                "oneOf": [
                    {"type": "object", "title": "By mail", "properties": {"kind": {"const": "m"}, "at": TEXT}},
                    {"type": "object", "title": "By phone", "properties": {"kind": {"const": "p"}, "no": TEXT}},
                ]
            },
            "api_token": {"type": "string"},
            "extra": {"type": "object", "additionalProperties": {"type": "integer"}},
            "size": {"enum": ["S", "M"]},
        },
        "required": ["who"],
    },
}  # fmt: skip
OTHER = {"name": "other", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}


@asynccontextmanager
async def at_the_form(size: tuple[int, int] = WIDE, **kept: Any) -> AsyncIterator[tuple[OlvPilot, list[Any]]]:
    """The explorer in the form of the first tool, and the arguments that the server got."""
    sent: list[Any] = []

    def answer(params: dict[str, Any]) -> Any:
        sent.append(params["arguments"])
        return {"content": []}

    with small_server(answer, tools=[ORDER, OTHER]) as found:
        target = Target(found.name, found.url, era=Era.BARE)
        async with running(app_on(target, mode=None, **kept), size) as pilot:
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.focused is pilot.app.main.editor.form.focus_target())
            yield pilot, sent


def arguments(pilot: OlvPilot) -> Any:
    return json.loads(pilot.app.main.editor.document.arguments)


async def listed(pilot: OlvPilot) -> None:
    """Wait for a small screen over the main one."""
    await until(pilot, lambda: len(pilot.app.screen_stack) == 2)


@pytest.mark.parametrize("size", [WIDE, (80, 24)])
async def test_a_nested_list_is_filled_and_sent_by_typing_and_enter_alone(size: tuple[int, int]) -> None:
    async with at_the_form(size) as (pilot, sent):
        await keys(pilot, "Ada")
        await pilot.press("enter")
        await to_field(pilot, "items")
        await pilot.press("enter")
        await keys(pilot, "r1")
        await pilot.press("enter", "enter")
        await keys(pilot, "x")
        await pilot.press("enter")
        await keys(pilot, "y")
        await pilot.press("ctrl+j")
        await until(pilot, lambda: bool(sent))
        await settled(pilot)
        assert sent == [{"who": "Ada", "items": [{"sku": "r1", "tags": ["x", "y"]}]}], "in the middle of typing"


async def test_what_is_no_number_yet_is_not_sent_and_is_there_after_another_tool_and_mode() -> None:
    async with at_the_form() as (pilot, sent):
        editor = pilot.app.main.editor
        await to_field(pilot, "count")
        await keys(pilot, "12x")
        await pilot.press("ctrl+j")
        await until(pilot, lambda: "Not sent: count" in widget_text(editor))
        assert not sent
        await pilot.press("escape", "f2")
        await until(pilot, lambda: "waits in the form" in widget_text(editor))
        assert editor.mode == "json"
        assert "12" not in editor.text
        await pilot.press("f2", "f2", "escape", "down")
        await until(pilot, lambda: "Editor · other" in widget_text(editor))
        await pilot.press("up", "enter")
        await until(pilot, lambda: "12x" in widget_text(editor))
        await to_field(pilot, "count")
        await pilot.press("enter", "backspace", "ctrl+j")
        await until(pilot, lambda: bool(sent))
        await settled(pilot)
        assert sent == [{"count": 12}]


async def test_an_alternative_is_chosen_from_a_list_and_only_its_fields_are_shown() -> None:
    async with at_the_form() as (pilot, _):
        await to_field(pilot, "to")
        await pilot.press("enter")
        await listed(pilot)
        await keys(pilot, "phone")
        await pilot.press("enter")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await keys(pilot, "12")
        await pilot.press("enter")
        await until(pilot, lambda: arguments(pilot).get("to") == {"kind": "p", "no": "12"})
        assert "at " not in widget_text(pilot.app.main.editor.form)


async def test_a_number_typed_where_texts_can_be_too_is_offered_as_both() -> None:
    both = {"name": "both", "inputSchema": {"type": "object", "properties": {
        "v": {"type": ["integer", "string"]}, "e": {"anyOf": [{"enum": ["p", "q"]}, {"type": "null"}]}}}}  # fmt: skip
    with small_server(lambda _: {"content": []}, tools=[both]) as found:
        async with running(app_on(Target(found.name, found.url, era=Era.BARE), mode=None)) as pilot:
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.focused is pilot.app.main.editor.form.focus_target())
            for chosen in (["enter"], ["down", "enter"]):
                await to_field(pilot, "v")
                await pilot.press("delete", "5")
                await listed(pilot)
                await pilot.press(*chosen)
                await until(pilot, lambda: bool(arguments(pilot)))
                assert arguments(pilot) == {"v": 5 if chosen == ["enter"] else "5"}
            await to_field(pilot, "e")
            await pilot.press("enter")
            await listed(pilot)
            await pilot.press(*"null", "enter")
            await until(pilot, lambda: arguments(pilot) == {"v": "5", "e": None})


async def test_letters_that_come_fast_are_all_in_the_value() -> None:
    async with at_the_form() as (pilot, _):
        await pilot.press(*"quickly", "enter", *"7")
        await until(pilot, lambda: arguments(pilot) == {"who": "quickly", "count": 7})


async def test_undo_goes_back_over_fields_and_over_what_json_mode_changed() -> None:
    async with at_the_form() as (pilot, _):
        editor = pilot.app.main.editor
        await keys(pilot, "Ada")
        await pilot.press("enter", "f2")
        await until(pilot, lambda: editor.mode == "json")
        editor.replace_text('{"who": "Bob", "count": 1.0}')
        await pilot.press("f2", "f2")
        await until(pilot, lambda: editor.mode == "form")
        assert editor.text == '{"who": "Bob", "count": 1.0}'
        await pilot.press("ctrl+z")
        await until(pilot, lambda: arguments(pilot) == {"who": "Ada"})
        await pilot.press("ctrl+z")
        await until(pilot, lambda: editor.text == "{}")


async def test_what_a_form_cannot_hold_stays_as_json_and_is_told() -> None:
    async with at_the_form() as (pilot, _):
        editor, text = pilot.app.main.editor, '{"who": 1, "who": 2}'
        await pilot.press("f2")
        await until(pilot, lambda: editor.mode == "json")
        editor.replace_text(text)
        await pilot.press("f2", "f2")
        await until(pilot, lambda: "A form cannot hold this text" in widget_text(editor))
        assert (editor.mode, editor.text) == ("json", text)


async def test_filling_in_is_one_step_to_undo_in_every_mode() -> None:
    async with at_the_form() as (pilot, _):
        editor = pilot.app.main.editor
        for mode in ("form", "json", "envelope"):
            assert editor.mode == mode
            editor.fill('{"who": "filled"}')
            await until(pilot, lambda: arguments(pilot) == {"who": "filled"})
            await pilot.press("ctrl+z")
            await until(pilot, lambda: arguments(pilot) == {})
            await pilot.press("f2")
            await pilot.pause()


async def test_a_finding_stands_at_its_field_and_ctrl_f_goes_there() -> None:
    async with at_the_form() as (pilot, sent):
        editor = pilot.app.main.editor
        await to_field(pilot, "count")
        await keys(pilot, "1.5")
        await pilot.press("enter")
        await until(pilot, lambda: "an integer is due" in widget_text(editor.form))
        assert "2 findings" in widget_text(editor)
        await pilot.press("home", "ctrl+f")
        await until(pilot, lambda: editor.form.row is not None and editor.form.row.pointer == "/count")
        await pilot.press("ctrl+j")
        await until(pilot, lambda: bool(sent))
        await settled(pilot)
        assert sent == [{"count": 1.5}], "a finding keeps nothing from being sent"


async def test_a_secret_is_not_on_the_screen_while_it_is_typed_and_after() -> None:
    async with at_the_form() as (pilot, _):
        await to_field(pilot, "api_token")
        await keys(pilot, "abc9")
        assert "abc9" not in widget_text(pilot.app.main.editor)
        await pilot.press("enter")
        await until(pilot, lambda: arguments(pilot) == {"api_token": "abc9"})
        assert "abc9" not in widget_text(pilot.app.main.editor)
        await pilot.press("up")
        await in_menu(pilot, "v")
        await until(pilot, lambda: "abc9" in widget_text(pilot.app.main.editor))


async def test_several_pasted_lines_are_all_in_the_value_and_lost_line_ends_are_told() -> None:
    async with at_the_form() as (pilot, _):
        pilot.app.post_message(Paste("one\r\ntwo\tthree"))
        await until(pilot, lambda: arguments(pilot) == {"who": "one\ntwo\tthree"})
        assert "CRLF became LF" in widget_text(pilot.app.main.editor)
        await pilot.press("enter", "x", "tab")
        await until(pilot, lambda: arguments(pilot) == {"who": "one\ntwo\tthree\nx"})
        await pilot.press("up", "delete", "a")
        pilot.app.post_message(Paste("b\u2028c\x85"))
        await until(pilot, lambda: arguments(pilot) == {"who": "ab\u2028c\x85"})
        assert "it is edited as JSON" in widget_text(pilot.app.main.editor)


async def test_an_editor_outside_gets_the_arguments_or_the_text_of_several_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_the_form() as (pilot, _):
        editor = pilot.app.main.editor
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.delenv("EDITOR", raising=False)
        await pilot.press("f4")
        await until(pilot, "No editor is set")
        assert "No editor is set" not in widget_text(editor), "a note that passes"
        assert editor.outside == "{}"
        editor.take_outside('{"who": "a\\nb"}')
        await to_field(pilot, "who")
        await pilot.press("enter")
        await until(pilot, lambda: editor.form.edited_text is not None)
        assert editor.outside == "a\nb"
        editor.take_outside("c\nd")
        await until(pilot, lambda: arguments(pilot) == {"who": "c\nd"})


async def test_a_name_is_added_to_a_map_given_a_value_and_renamed() -> None:
    async with at_the_form() as (pilot, _):
        await to_field(pilot, "extra")
        await pilot.press("right", "down", "enter")
        await keys(pilot, "a b")
        await pilot.press("enter")
        await keys(pilot, "5")
        await pilot.press("enter")
        await until(pilot, lambda: arguments(pilot) == {"extra": {"a b": 5}})
        await pilot.press("up")
        await in_menu(pilot, "r")
        await pilot.press("end", "backspace", "c", "enter")
        await until(pilot, lambda: arguments(pilot) == {"extra": {"a c": 5}})


async def test_the_mode_that_was_chosen_stays_for_the_next_tool_and_the_schema_is_one_key_away() -> None:
    async with at_the_form() as (pilot, _):
        editor = pilot.app.main.editor
        await pilot.press("ctrl+s")
        await listed(pilot)
        await until(pilot, "Whose order it is")
        await pilot.press("escape", "f2", "escape", "down")
        await until(pilot, lambda: "Editor · other" in widget_text(editor))
        assert editor.mode == "json"


async def test_every_row_that_changes_is_painted_again_where_the_layout_stays() -> None:
    async with at_the_form() as (pilot, _):
        editor = pilot.app.main.editor
        editor.fill('{"who": "first", "count": 1, "api_token": "hunter2"}')
        await until(pilot, '"first"')
        await to_field(pilot, "count")
        editor.fill('{"who": "second", "count": 1, "api_token": "hunter2"}')
        await until(pilot, '"second"')
        await pilot.press("ctrl+z")
        await until(pilot, '"first"')
        await to_field(pilot, "api_token")
        await in_menu(pilot, "v")
        await until(pilot, '"hunter2"')


async def test_letters_where_fields_are_begin_an_item_or_say_what_to_press() -> None:
    async with at_the_form() as (pilot, _):
        editor = pilot.app.main.editor
        await to_field(pilot, "items")
        await keys(pilot, "x")
        await until(pilot, lambda: "A list is filled item by item" in widget_text(editor.form))
        await pilot.press("enter", "enter", "down")
        await until(pilot, lambda: arguments(pilot) == {"items": [{}]})
        assert editor.form.row is not None
        assert editor.form.row.pointer == "/items/0/tags"
        await keys(pilot, "ab")
        await pilot.press("enter")
        await until(pilot, lambda: arguments(pilot) == {"items": [{"tags": ["ab"]}]})
        await to_field(pilot, "extra")
        await keys(pilot, "x")
        await until(pilot, lambda: "An object is filled name by name" in widget_text(editor.form))
        await pilot.press("ctrl+z", "ctrl+z")
        await until(pilot, lambda: arguments(pilot) == {})
        await pilot.press("ctrl+y", "ctrl+y")
        await until(pilot, lambda: arguments(pilot) == {"items": [{"tags": ["ab"]}]})


async def test_arguments_that_are_no_json_go_round_the_modes_as_they_were_typed() -> None:
    async with at_the_form() as (pilot, _):
        editor, broken = pilot.app.main.editor, '{"who": "a", '
        await pilot.press("f2")
        await until(pilot, lambda: "/who: must be given" in widget_text(editor))
        spaced = ' { "who":"a\u00e9" }\n\n'
        editor.replace_text(spaced)
        await pilot.press("f2", "f2", "f2")
        await until(pilot, lambda: editor.mode == "json")
        assert editor.text == spaced, "white space around the arguments is theirs too"
        editor.replace_text(broken)
        await pilot.press("f2")
        await until(pilot, lambda: editor.mode == "envelope")
        assert broken in editor.text
        await pilot.press("f2")
        await until(pilot, lambda: "A form cannot hold this text (line 1" in widget_text(editor))
        assert (editor.mode, editor.text) == ("json", broken)
        await pilot.press("f2")
        await until(pilot, lambda: editor.mode == "envelope")
        envelope = editor.text
        editor.replace_text(envelope.replace(broken, broken + "!"))
        await pilot.press("f2")
        await until(pilot, lambda: editor.mode == "json")
        assert editor.text == broken + "!", "edited there it comes along"
        await pilot.press("f2")
        editor.replace_text("{" + envelope)
        await pilot.press("f2")
        await until(pilot, lambda: "The envelope is kept" in widget_text(editor))
        assert editor.text == "{" + envelope


async def test_a_value_beside_the_choices_and_an_empty_name_are_told_before_and_after_they_are_taken() -> None:
    async with at_the_form() as (pilot, _):
        form = pilot.app.main.editor.form
        await to_field(pilot, "size")
        await keys(pilot, "XL")
        await listed(pilot)
        await until(pilot, "None of the choices. Enter takes it all the same")
        await pilot.press("enter")
        await until(pilot, lambda: "is none of the choices. It is sent all the same" in widget_text(form))
        await to_field(pilot, "extra")
        await pilot.press("right", "down", "enter", "enter")
        await until(pilot, lambda: "The name is empty" in widget_text(form))
        await pilot.press("enter", *"5", "enter")
        await until(pilot, lambda: arguments(pilot) == {"extra": {"": 5}, "size": "XL"})
