"""The verbs of the history: filters, marks, saved calls, less of it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from olv_tui.__main__ import main
from olv_tui.demo.server import DemoServer
from olv_tui.history import History, SavedCall
from olv_tui.history_flags import VERBS
from olv_tui.model import Era, Verdict

from .test_find import put
from .test_store import REDACTOR


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as history:
        put(history, b'{"site":"Lantern"}', identity="41", tool="olv_add")
        put(history, identity="42", verdict=Verdict.HTTP_ERROR, status=503)
    return path


def ran(file: Path, *words: str) -> int:
    return main(["history", *words, "--history", str(file)])


def test_list_and_search_take_the_filter_of_the_pane(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words, ids in ((["list"], [42, 41]), (["list", "5xx"], [42]), (["search", "tool:add lantern"], [41])):
        assert ran(file, *words, "--json") == 0
        assert [json.loads(line)["id"] for line in capfd.readouterr().out.splitlines()] == ids
    assert ran(file, "list", "tool:nobody") == 0
    assert "No exchange" in capfd.readouterr().out
    assert ran(file, "list", "verdict:odd") == 2
    assert "verdict:odd is not known; it may be result" in capfd.readouterr().err


def test_a_star_and_a_note_are_set_shown_and_in_the_record(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert ran(file, "star", "41") == 0
    assert ran(file, "note", "41", "look here") == 0
    capfd.readouterr()
    ran(file, "list", "is:starred")
    listed = capfd.readouterr().out
    assert "★@1" in listed
    assert "look here" in listed
    ran(file, "show", "41")
    assert capfd.readouterr().out.endswith("★ look here\n")
    ran(file, "show", "41", "--json")
    record = json.loads(capfd.readouterr().out)
    assert (record["starred"], record["note"], list(record)[-2:]) == (True, "look here", ["starred", "note"])
    ran(file, "show", "42", "--json")
    assert not {"starred", "note"} & set(json.loads(capfd.readouterr().out))
    ran(file, "unstar", "41")
    ran(file, "note", "@1", "")
    capfd.readouterr()
    ran(file, "show", "41", "--json")
    assert not {"starred", "note"} & set(json.loads(capfd.readouterr().out))


def test_compact_tells_what_goes_and_deletes_it_only_when_asked(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ran(file, "star", "41")
    assert ran(file, "compact", "--keep-count", "0", "--dry-run") == 0
    told = capfd.readouterr().out
    assert told.startswith("1 exchange (0.0 MB) would go, 1 stays; 1 older one with a star or a note stays.")
    assert ran(file, "compact", "--keep-count", "0") == 0
    assert capfd.readouterr().out.startswith("1 exchange (0.0 MB) went, 1 stays")
    ran(file, "list", "--json")
    assert [json.loads(line)["id"] for line in capfd.readouterr().out.splitlines()] == [41]
    assert ran(file, "compact") == 2
    assert "needs to know what to keep" in capfd.readouterr().err


def test_the_settings_say_how_much_is_kept(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings = file.with_name("config.toml")
    for text, code, said in (
        ("[history]\nkeep = { count = 1 }", 0, "1 exchange (0.0 MB) would go"),
        ("[history]\nkeep = { size = 1 }", 2, "history.keep.size is not known; it has count, megabytes, days"),
        ("[history]\nkeep = { count = -1 }", 2, "history.keep.count must be a number, 0 or more"),
        ("[history]\nkeep = 7", 2, "history.keep is no table"),
    ):
        settings.write_text(text)
        assert ran(file, "compact", "--dry-run", "--config", str(settings)) == code
        assert said in "".join(capfd.readouterr())


def test_a_saved_call_is_called_with_the_variables_of_the_target(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, settings = tmp_path / "h.sqlite3", tmp_path / "config.toml"
    with closing(History(file, REDACTOR)) as history:
        history.save_call(SavedCall("status", "olv_site_status", arguments='{"site": "${site}"}', era=Era.BARE))
        body = '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"olv_today","arguments":{}}}'
        history.save_call(SavedCall("status", None, "tools/call", envelope=body))
    server = DemoServer("")
    server.start()
    try:
        settings.write_text(f'[targets.here]\nurl = "{server.url}"\nvariables = {{ site = "lantern.example" }}\n')
        where = ["--history", str(file), "--config", str(settings), "--target", "here", "--json"]
        assert main(["call", "--saved", "status", *where]) == 2
        assert "is saved for several tools (tools/call, olv_site_status)" in capfd.readouterr().err
        main(["call", "olv_site_status", "--saved", "status", *where])
        record = json.loads(capfd.readouterr().out)
        assert '"arguments":{"site": "lantern.example"}' in record["request"]["body"]
        settings.write_text(f'[targets.here]\nurl = "{server.url}"\n')
        main(["call", "olv_site_status", "--saved", "status", *where])
        told = capfd.readouterr()
        assert "${site} is not known for this target and stays as written" in told.err
        assert "${site}" in json.loads(told.out)["request"]["body"]
        with closing(History(file, REDACTOR)) as history:
            history.forget_call("status", "olv_site_status")
        assert main(["call", "--saved", "status", "--era", "bare", *where]) == 0
        assert json.loads(capfd.readouterr().out)["id"] != 3, "an id that the program had chosen is chosen anew"
        assert main(["call", "--saved", "nobody", *where]) == 2
        assert "no call is saved as 'nobody'" in capfd.readouterr().err
        assert main(["history", "saved", "--json", "--history", str(file)]) == 0
        assert json.loads(capfd.readouterr().out)["envelope"] == body
    finally:
        server.stop()


def test_variables_of_a_target_are_texts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "config.toml"
    for text, said in (("{ a = true }", "variables.a must be a text"), ('{ "a b" = "x" }', "'a b' can be no ${name}")):
        settings.write_text(f'[targets.here]\nurl = "http://h"\nvariables = {text}\n')
        assert main(["tools", "--config", str(settings), "--target", "here"]) == 2
        assert said in capfd.readouterr().err


@pytest.mark.parametrize("verb", list(VERBS))
def test_each_verb_has_a_short_page_of_its_own(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", verb, "--help"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(f"usage: olv-tui history {verb}")
    assert len(page.splitlines()) < 25
    assert ("--as" in page, "--keep-days" in page, "--limit" in page, "--bearer-env VAR" in page) == (
        verb == "export",
        verb == "compact",
        verb in ("list", "search"),
        False,
    )


def test_what_was_looked_for_is_told_where_nothing_fits(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with closing(History(file, REDACTOR)) as history:
        put(history, identity="43", automatic=True)
    for words, told in (
        (["search", "verdict:pending"], "No exchange in the history fits 'verdict:pending'.\n"),
        (["list", "--limit", "3", "nobody"], "No exchange in the history holds 'nobody'.\n"),
        (["list", "id:43"], "fits 'id:43'. What the program made for itself does: --all shows it.\n"),
    ):
        assert ran(file, *words) == 0
        assert capfd.readouterr().out.endswith(told)


def test_a_report_tells_what_the_schema_has_against_the_arguments_and_reads_back(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, report = tmp_path / "h.sqlite3", tmp_path / "report.md"
    with DemoServer() as server:
        main(["tools", "--url", server.url, "--history", str(file)])
        main(["call", "olv_site_status", '{"site": 5}', "--url", server.url, "--history", str(file)])
        main(["call", "olv_site_status", '{"site": "a.b"}', "--url", server.url, "--history", str(file)])
    capfd.readouterr()
    assert ran(file, "list", "--json") == 0
    newest, older = (json.loads(line) for line in capfd.readouterr().out.splitlines())
    ran(file, "export", f"@{newest['serial']}", "--as", "report")
    assert "The inputSchema that the server lists takes these arguments." in capfd.readouterr().out
    ran(file, "export", f"@{older['serial']}", "--as", "report")
    report.write_text(capfd.readouterr().out)
    assert "## Arguments against the schema\n\n- `/site: 5 is an integer, and a text is due`\n" in report.read_text()
    main(["replay", str(report), "--dry-run", "--json"])
    assert json.loads(capfd.readouterr().out)["request"]["body"] == older["request"]["body"]


@pytest.mark.parametrize("table", ["exchange", "named", "counter", "mark", "unindexed", "saved", "remembered"])
def test_a_file_without_one_of_its_tables_is_salvaged(
    file: Path, table: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"DROP TABLE {table}")
    assert ran(file, "list", "--json") == 0
    out, err = capfd.readouterr()
    assert [json.loads(line)["id"] for line in out.splitlines()] == [42, 41]
    assert "2 exchanges were taken over" in err


def test_a_damaged_exchange_hides_no_other_and_can_be_deleted(
    file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE content SET request = x'00ff' WHERE serial = 2")
    assert ran(file, "list", "--json") == 1
    out, err = capfd.readouterr()
    assert [json.loads(line)["id"] for line in out.splitlines()] == [41]
    assert "exchange @2 in the history" in err
    assert main(["cassette", "--from-history", "-o", str(tmp_path / "c.jsonl"), "--history", str(file)]) == 0
    out, err = capfd.readouterr()
    assert ("1 exchange written" in out, "passed over: exchange @2" in err) == (True, True)
    assert ran(file, "show", "@2") == 1
    assert "--no-history" not in capfd.readouterr().err
    assert ran(file, "delete", "@2") == 0
    assert ran(file, "list", "--json") == 0


def test_an_id_of_several_exchanges_is_not_deleted_unasked(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with closing(History(file, REDACTOR)) as history:
        put(history, identity="42")
    assert ran(file, "delete", "42") == 2
    assert "2 exchanges have the id 42: say which by its serial, @3, @2" in capfd.readouterr().err
    assert ran(file, "delete", "@9") == 2
    assert ran(file, "delete", "@3") == 0
    assert ran(file, "delete", "42") == 0
