"""The file: recorded as exchanges end, opened by its index, damaged lines told and passed over."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.cassette import lines
from olv_tui.cassette.keys import key_of
from olv_tui.cassette.recorder import Recorder, Taping
from olv_tui.cassette.tape import Tape
from olv_tui.config import UsageError
from olv_tui.history import History
from olv_tui.model import (
    Era,
    Exchange,
    Outgoing,
    Reply,
    RequestId,
    Timing,
    TransportError,
    WireRequest,
    WireResponse,
)
from olv_tui.transport.sse import SseDecoder
from tests.cassette.made import REDACTOR, URL, Told, request, response, write

HEAD = lines.Head("made", URL, Era.BARE, "2026-12-02T08:00:00.000Z")


def exchange(number: int = 1, **reply: Any) -> Exchange:
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": f"t{number}"}})
    answer = f'{{"jsonrpc":"2.0","id":{number},"result":{{}}}}'.encode()
    told: dict[str, Any] = {"response": WireResponse(200, "OK", (), answer), "timing": Timing(1.5, 2.5, 3.5)} | reply
    outgoing = Outgoing("request", RequestId(str(number)), "tools/call", f"t{number}")
    sent = WireRequest(URL, (("Accept", "*/*"),), body.encode())
    return Exchange(0, URL, outgoing, sent, "2026-12-02T08:00:00.000Z", Era.BARE, reply=Reply(**told))


STREAM = b": hello\r\n\r\nevent: message\r\ndata: {}\r\n\r\n\xef\xbb\xbf"


@pytest.mark.parametrize(
    "one",
    [
        exchange(),
        exchange(response=WireResponse(500, "Nö", (("X-A", "\udc80\x9b"),), b"\xff\x00\n", "1.0")),
        exchange(response=WireResponse(200, "", (), b"plain", coding="gzip", wire=b"\x1f\x8b", surplus=b"more\n")),
        exchange(response=None, error=TransportError("reset", "It was reset.")),
        exchange(response=None, cancelled=True, timing=Timing()),
    ],
    ids=["plain", "bytes and escapes", "coded", "failed", "cancelled"],
)
def test_a_line_gives_back_the_exchange(one: Exchange) -> None:
    data = lines.line(one)
    assert data.count(b"\n") == 1
    back = lines.exchange(data)
    assert (back.request, back.reply, back.era, back.started) == (one.request, one.reply, one.era, one.started)
    assert lines.key_in(data) == key_of(one.request)


def test_frames_come_back_with_their_times() -> None:
    decoder = SseDecoder()
    frames = (*decoder.feed(STREAM[:11], 5.0), *decoder.feed(STREAM[11:], 30.0), *decoder.end(40.0))
    one = exchange(response=WireResponse(200, "OK", (("Content-Type", "text/event-stream"),), STREAM, frames=frames))
    back = lines.exchange(lines.line(one))
    assert back.reply is not None
    assert back.reply.response is not None
    assert back.reply.response.frames == frames


def test_a_file_that_is_there_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text("mine\n")
    with pytest.raises(UsageError, match="is there already and is kept"):
        Recorder(path, HEAD, REDACTOR)
    with pytest.raises(UsageError, match="is no cassette and is kept as it is"):
        Recorder(path, HEAD, REDACTOR, append=True)
    assert path.read_text() == "mine\n"


def test_a_recording_goes_on_in_a_cassette_whose_last_line_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    recorder = Recorder(path, HEAD, REDACTOR)
    recorder.write(exchange(1))
    recorder.close()
    with path.open("ab") as file:
        file.write(lines.line(exchange(2))[:200])
    again = Recorder(path, HEAD, REDACTOR, append=True)
    again.write(exchange(3))
    again.close()
    told = Told()
    assert [one.outgoing.tool for one in Tape(path, told).exchanges()] == ["t1", "t3"]
    assert told == ["line 3 of c.jsonl is passed over: it is not whole"]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of Unix")
def test_a_cassette_is_readable_by_the_user_alone(tmp_path: Path) -> None:
    Recorder(tmp_path / "c", HEAD, REDACTOR).close()
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o600


def test_each_exchange_is_in_the_file_as_it_ends(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "c", HEAD, REDACTOR)
    journal = Taping(History(None, REDACTOR), recorder, Told())
    journal.finish(exchange(1))
    assert len(Tape(tmp_path / "c", Told())) == 1
    journal.finish(exchange(2))
    assert len(Tape(tmp_path / "c", Told())) == 2
    recorder.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_the_recording_with_one_sentence_and_no_call(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "c", HEAD, REDACTOR)
    recorder._file = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115  the recorder closes it
    told = Told()
    journal = Taping(History(None, REDACTOR), recorder, told)
    journal.finish(exchange(1))
    journal.finish(exchange(2))
    assert len(told) == 1
    assert "No space left on device" in told[0]
    recorder.close()


def test_damaged_lines_are_told_by_number_and_passed_over(tmp_path: Path) -> None:
    good = {"request": request(1), "response": response("{}")}
    broken = lines.line(exchange(7)).replace(b'"status":200', b'"status":"two"')
    path = write(tmp_path / "c.jsonl", good, b"{nonsense\n", b"\n", b"[1]\n", broken, {"response": None}, good)
    told = Told()
    tape = Tape(path, told)
    assert len(list(tape.exchanges())) == 2
    assert [sentence.split()[1] for sentence in told] == ["3", "5", "7", "6"]
    assert "line 6 of c.jsonl is passed over: it is no exchange" in told[3]


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b'{"cassette":true}\n', b'{"cassette":99}\n', b"\xff\xfe"])
def test_what_is_no_cassette_is_refused_in_a_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(content)
    with pytest.raises(UsageError, match="is no cassette that can be played"):
        Tape(tmp_path / "c", Told())


def test_a_line_changed_by_hand_is_found_by_what_it_says_now(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_bytes(lines.head_line(HEAD) + lines.line(exchange(1)).replace(b'\\"t1\\"', b'\\"t9\\"'))
    tape = Tape(path, Told())
    assert tape.next(key_of(exchange(1).request)) is None
    found = tape.next(key_of(exchange(1).request.__class__(URL, (), exchange(1).request.body.replace(b"t1", b"t9"))))
    assert found is not None


def test_ten_thousand_exchanges_are_opened_without_reading_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c"
    one = lines.line(exchange(1, response=WireResponse(200, "OK", (), b"x" * 2000)))
    last = lines.line(exchange(2))
    path.write_bytes(lines.head_line(HEAD) + one * 9_999 + last)
    read: list[int] = []
    whole = lines.exchange

    def counted(data: bytes, serial: int = 0) -> Exchange:
        read.append(serial)
        return whole(data, serial)

    monkeypatch.setattr(lines, "exchange", counted)
    tape = Tape(path, Told())
    assert (len(tape), read) == (10_000, [])
    found = tape.next(key_of(exchange(2).request))
    assert found is not None
    assert (found.serial, read) == (10_001, [10_001])


def test_a_tool_nested_to_any_depth_has_a_key() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"m","params":' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    assert key_of(WireRequest(URL, (), body)) != key_of(WireRequest(URL, (), body.replace(b"[]", b"[[]]")))


WRONG = {
    "a recording over a file": (["--record", "{there}"], "is there already"),
    "append without a file": (["--append"], "--append goes with --record"),
    "a folder that is not there": (["--record", "{there}/x/y"], "cannot be written"),
}


@pytest.mark.parametrize(("words", "told"), WRONG.values(), ids=WRONG.keys())
def test_a_recording_that_cannot_begin_is_wrong_usage(
    words: list[str], told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    there = tmp_path / "there"
    there.write_text("mine")
    words = [word.replace("{there}", str(there)) for word in words]
    assert main(["call", "olv_list_worlds", "--demo", *words]) == 2
    assert told in capfd.readouterr().err
    assert there.read_text() == "mine"
