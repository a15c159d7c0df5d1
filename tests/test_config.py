"""Settings: what is written is checked, what is wrong is told in a sentence that names the place."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from olv_tui import config
from olv_tui.config import (
    UsageError,
    expand_env,
    installation_key,
    load_keymap,
    load_targets,
    parse_header,
    parse_url,
)
from olv_tui.model import Era, Target

# --------------------------------------------------------------------------- headers


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("X-A: b", ("X-A", "b")),
        ("X-A:b:c", ("X-A", "b:c")),
        ("X-A:", ("X-A", "")),
        ("X-A:  b \t", ("X-A", "b")),
        ("X-A: a\tb", ("X-A", "a\tb")),
        ("X-Zoë".replace("ë", "e") + ": Zoë", ("X-Zoe", "Zoë")),
        ("!#$%&'*+-.^_`|~: x", ("!#$%&'*+-.^_`|~", "x")),
    ],
)
def test_a_header_is_a_name_and_a_value(text: str, wanted: tuple[str, str]) -> None:
    assert parse_header(text) == wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nocolon", "without a colon"),
        ("", "without a colon"),
        (": x", "no name"),
        ("X A: b", "' ' may not stand in its name"),
        ("X-Zoë: b", "'ë' may not stand in its name"),
        ("X-A\x1b: b", r"'\\x1b' may not stand in its name"),
        ("X-A: a\r\nX-B: b", "value of X-A holds the control character"),
        ("X-A: a\x00b", "value of X-A holds the control character"),
        ("X-A: a\x7f", "value of X-A holds the control character"),
    ],
)
def test_a_wrong_header_is_told(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_header(text)


@pytest.mark.parametrize("text", ["Authorization Bearer tok-SECRET", "Authorization: tok-SECRET\x01"])
def test_the_sentence_about_a_header_never_holds_its_value(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_header(text)
    assert "SECRET" not in str(caught.value)


# --------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "url",
    [
        "https://onelifevibe.com/mcp",
        "HTTP://localhost:3000/mcp",
        "http://127.0.0.1:1",
        "http://[::1]:8080/mcp?x=1#y",
        "http://user:p%40ss@host/mcp",
        "http://host:/mcp",
        "https://bücher.test/mcp",
        "https://host/a?b=c:d@e",
    ],
)
def test_an_address_is_taken_as_it_is_written(url: str) -> None:
    assert parse_url(url) == url


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("ftp://host/mcp", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http://", "names no host"),
        ("http:///mcp", "names no host"),
        ("http://:80/mcp", "names no host"),
        ("http://user@/mcp", "names no host"),
        ("http://[]:80/", "names no host"),
        ("http://host:0/mcp", "port '0' is no number from 1 to 65535"),
        ("http://host:99999/mcp", "port '99999'"),
        ("http://host:3o00/mcp", "port '3o00'"),
        ("http://host:٣/mcp", "is no number"),
        ("http://host:-1", "is no number"),
        ("http://::1/mcp", "is no number|no host"),
        ("http://[::1/mcp", "not written as a host"),
        ("http://ho st/mcp", "blank"),
        ("http://host/a b", "%20"),
        ("http://host/\n", "blank or a control"),
        ("http://host/\x1b[31m", "control"),
    ],
)
def test_a_wrong_address_is_told(url: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_url(url)


@pytest.mark.parametrize(
    ("url", "suggested"),
    [
        ("localhost:3000/mcp", "http://localhost:3000/mcp"),
        ("127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("[::1]:80/mcp", "http://[::1]:80/mcp"),
        ("onelifevibe.com/mcp", "https://onelifevibe.com/mcp"),
        ("//host/mcp", "https://host/mcp"),
    ],
)
def test_an_address_without_scheme_comes_back_with_one(url: str, suggested: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_url(url)
    assert f"did you mean {suggested}?" in str(caught.value)


def test_the_sentence_about_an_address_never_holds_its_password() -> None:
    with pytest.raises(UsageError) as caught:
        parse_url("http://ada:hunter2@host:99999/mcp?token=tok-SECRET")
    assert "hunter2" not in str(caught.value)
    assert "SECRET" not in str(caught.value)


# --------------------------------------------------------------------------- variables


def test_variables_are_filled_in_and_their_values_told() -> None:
    environ = {"A": "one", "B": "two", "EMPTY": ""}
    assert expand_env("x ${A}-${B}${EMPTY} $A $ ${", environ) == ("x one-two $A $ ${", ("one", "two"))


def test_a_value_is_not_searched_for_variables() -> None:
    assert expand_env("${A}", {"A": "${B}"}) == ("${B}", ("${B}",))


@pytest.mark.parametrize(
    ("text", "told"),
    [("${NOPE}", "no variable NOPE"), ("${}", "names no variable"), ("${BAD}", "BAD holds a control character")],
)
def test_a_variable_that_cannot_be_used_is_told(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        expand_env(text, {"BAD": "tok\n"})


# --------------------------------------------------------------------------- places


def test_folders_follow_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("XDG folders are those of Linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert config.data_dir() == tmp_path / "data" / "olv-tui"
    assert config.config_dir() == tmp_path / "config" / "olv-tui"


def test_a_demo_has_a_history_of_its_own() -> None:
    assert config.history_path(demo=True) != config.history_path(demo=False)
    assert config.history_path(demo=False).name == "history.sqlite3"


def test_importing_config_loads_nothing_heavy() -> None:
    code = "import sys, olv_tui.config; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not set(done.stdout.split()) & {"platformdirs", "tomllib", "secrets", "sqlite3", "asyncio", "httpx"}


# --------------------------------------------------------------------------- key


def test_the_key_is_made_once_and_readable_by_the_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    key = installation_key(folder)
    assert len(key) == 32
    assert installation_key(folder) == key
    assert os.listdir(folder) == ["key"]
    if os.name == "posix":
        assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_two_installations_have_two_keys(tmp_path: Path) -> None:
    assert installation_key(tmp_path / "a") != installation_key(tmp_path / "b")


def test_a_folder_that_cannot_be_made_gives_a_key_for_this_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    key = installation_key(tmp_path / "file")
    assert len(key) == 32
    assert installation_key(tmp_path / "file") != key


def test_a_damaged_key_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short")
    assert len(installation_key(tmp_path)) == 32
    assert (tmp_path / "key").read_bytes() == b"short"
    assert os.listdir(tmp_path) == ["key"]


def test_processes_that_start_together_get_the_same_key(tmp_path: Path) -> None:
    code = "import sys, pathlib, olv_tui.config as c; print(c.installation_key(pathlib.Path(sys.argv[1])).hex())"
    command = [sys.executable, "-c", code, str(tmp_path / "shared")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    keys = {process.communicate(timeout=60)[0] for process in running}
    assert len(keys) == 1


# --------------------------------------------------------------------------- targets


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(textwrap.dedent(text), "utf-8")
    return file


def test_targets_are_read_with_everything_they_may_have(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
        [targets.local]
        url = "http://localhost:3000/mcp"

        [targets.live]
        url = "https://onelifevibe.com/mcp"
        headers = { Authorization = "Bearer ${OLV_TOKEN}", "X-A" = "b" }
        era = "legacy"
        timeout = 5
        production = true
        insecure = true

        [other]
        things = "are not ours"
        """,
    )
    assert load_targets(file) == {
        "local": Target("local", "http://localhost:3000/mcp"),
        "live": Target(
            "live",
            "https://onelifevibe.com/mcp",
            (("Authorization", "Bearer ${OLV_TOKEN}"), ("X-A", "b")),
            Era.LEGACY,
            5.0,
            insecure=True,
            production=True,
        ),
    }


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    file = written(tmp_path, '\ufeff[targets.a]\nurl = "http://h/"\n')
    assert list(load_targets(file)) == ["a"]


def test_the_usual_settings_file_may_be_missing_and_a_named_one_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "config_dir", lambda: tmp_path)
    assert load_targets(None) == {}
    written(tmp_path, '[targets.a]\nurl = "http://h/"\n')
    assert list(load_targets(None)) == ["a"]
    with pytest.raises(UsageError, match="is not there"):
        load_targets(tmp_path / "other.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[targets.a", "is no TOML"),
        ("targets = 3", "targets is no table"),
        ("targets.a = 'http://h/'", "targets.a is no table"),
        ("[targets.a]", "targets.a has no url"),
        ("[targets.a]\nurl = 3", "targets.a.url must be a text"),
        ("[targets.a]\nurl = 'h/mcp'", "targets.a.url: 'h/mcp' has no scheme"),
        ("[targets.a]\nurl = 'http://h/'\nera = 'stone'", "targets.a.era is 'stone'; it may be auto, modern"),
        ("[targets.a]\nurl = 'http://h/'\nera = 1", "targets.a.era must be a text"),
        ("[targets.a]\nurl = 'http://h/'\ntimeout = 0", "targets.a.timeout must be"),
        ("[targets.a]\nurl = 'http://h/'\ntimeout = nan", "targets.a.timeout must be"),
        ("[targets.a]\nurl = 'http://h/'\ntimeout = true", "targets.a.timeout must be"),
        ("[targets.a]\nurl = 'http://h/'\ntimeout = '5'", "targets.a.timeout must be"),
        ("[targets.a]\nurl = 'http://h/'\nproduction = 'yes'", "targets.a.production must be true or false"),
        ("[targets.a]\nurl = 'http://h/'\nheaders = ['X: y']", "targets.a.headers must be a table"),
        ("[targets.a]\nurl = 'http://h/'\nheaders = { X = 1 }", "targets.a.headers.X must be a text"),
        ("[targets.a]\nurl = 'http://h/'\nheaders = { 'X Y' = 'z' }", "targets.a.headers.X Y: ' ' may not"),
        ("[targets.a]\nurl = 'http://h/'\nheaders = { X = \"a\\nb\" }", "targets.a.headers.X: the value of X holds"),
        ("[targets.a]\nurl = 'http://h/'\nproducton = true", "targets.a.producton is not known"),
    ],
)
def test_a_wrong_setting_is_told_with_file_and_key(tmp_path: Path, text: str, told: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UsageError, match=told) as caught:
        load_targets(file)
    assert str(file) in str(caught.value)


def test_a_settings_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(b"a = '\xff'")
    with pytest.raises(UsageError, match="no UTF-8 text"):
        load_targets(file)
    with pytest.raises(UsageError, match="cannot be read"):
        load_targets(tmp_path)


# --------------------------------------------------------------------------- keys


def test_keys_are_read_with_dotted_ids_quoted_or_not(tmp_path: Path) -> None:
    file = written(tmp_path, '[keys]\nsend = "f6,ctrl+s"\n"editor.mode" = "f7"\nlist.down = "n"\n')
    assert load_keymap(file) == {"send": "f6,ctrl+s", "editor.mode": "f7", "list.down": "n"}


def test_no_settings_file_and_no_table_of_keys_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "config_dir", lambda: tmp_path)
    assert load_keymap(None) == {}
    written(tmp_path, '[targets.a]\nurl = "http://h/"\n')
    assert load_keymap(None) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("keys = 'f6'", "keys is no table; write \\[keys\\]"),
        ("[keys]\nsend = 6", "keys.send must be a text"),
        ("[keys]\neditor.mode = ['f6']", "keys.editor.mode must be a text"),
    ],
)
def test_wrong_keys_are_told_with_file_and_key(tmp_path: Path, text: str, told: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UsageError, match=told) as caught:
        load_keymap(file)
    assert str(file) in str(caught.value)
