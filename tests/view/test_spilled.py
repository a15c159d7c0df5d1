"""The file of a body that is too large for memory: told, opened as safe text, saved by copying."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from olv_tui.model import Exchange, Spill, Verdict
from olv_tui.view.decoded import decoded_lines
from olv_tui.view.savable import parts
from olv_tui.view.spilled import gone, safe_pieces, spill_of
from tests.view.exchanges import exchange


def cut(path: str, problem: str = "") -> Exchange:
    one = exchange(Verdict.INVALID_RESPONSE, b'{"a":1', has_message=False)
    assert one.reply is not None
    assert one.reply.response is not None
    response = replace(one.reply.response, spill=Spill(5_000, 6, path, problem))
    return replace(one, reply=replace(one.reply, response=response))


def shown(one: Exchange, limit: int | None = None) -> str:
    lines = decoded_lines(one, limit=limit)
    return "\n".join(lines.text(index) for index in range(len(lines)))


def test_the_answer_begins_with_the_file_and_the_keys_for_it() -> None:
    text = shown(cut("/where/x.json"))
    assert text.startswith("All of the body is in a file  5.0 kB\nfile          /where/x.json\no opens it in the pager")
    assert "ends early    the disk is full" in shown(cut("/where/x.json", "the disk is full"))
    assert "opens it" not in shown(cut("/where/x.json"), limit=1_000), "a printout has no keys"
    assert "is in a file" not in shown(cut(""))
    assert spill_of(exchange(Verdict.RESULT, "{}")) is None


def test_the_file_is_among_what_can_be_saved_and_the_rest_is_called_a_part() -> None:
    labels = {part.label: part for part in parts(cut("/where/x.json"))}
    assert labels["The whole body, 5.0 kB, from its file"].file == "/where/x.json"
    assert "The first 6 B of the body" in labels
    assert "The body as it came" not in labels


def test_the_pager_gets_safe_text_whatever_the_pieces_cut_through(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"a" * 65_535 + "é\x1b[31m\u202e".encode() + b"\xff\n")
    assert b"".join(safe_pieces(path)).decode() == "a" * 65_535 + "é\\u001b[31m\\u202e\ufffd\n"
    assert gone(Spill(1, 1, str(path))) == ""
    path.unlink()
    assert "no longer there" in gone(Spill(1, 1, str(path)))
    assert b"No such file" in b"".join(safe_pieces(path))
