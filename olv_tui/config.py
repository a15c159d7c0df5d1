"""Where things are kept, and the settings a user writes: addresses, headers, targets, keys.

Rules of this file:

* What is wrong is told in one `UsageError` that names the place: the option, or the file and the key in it.
* Values are checked and not mended: what is sent is what was written.
* Secrets do not stand in the settings file: `${VAR}` in a header is taken from the environment when it is sent.
* tomllib, platformdirs, secrets and redact are imported where they are used: `--help` needs none of them.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .model import Era, Header, Target

if TYPE_CHECKING:
    from .history.values import Keep

ONELIFEVIBE_URL = "https://onelifevibe.com/mcp"
"""The documented endpoint, and the target where none is named."""

MAX_TIMEOUT = 86_400.0
"""Seconds; a longer timeout is a slip."""

_KEY_BYTES = 32
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110, 5.6.2
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # all but the tab: RFC 9110, 5.5
_BLANK = re.compile(r"[\s\x00-\x20\x7f]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://")
_AUTHORITY = re.compile(r"(?:[^@]*@)?(\[[0-9A-Fa-f:.%A-Za-z]*\]|[^:\[\]]*)(?::(.*))?", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]+)?)\s*([kmg]?)(i?)b?", re.IGNORECASE)
_VARIABLE = re.compile(r"\$\{([^}]*)\}")


class UsageError(Exception):
    """Something the user wrote cannot be used; the message is one sentence that says what and where."""


# --------------------------------------------------------------------------- places


def data_dir() -> Path:
    """The folder of history and key, as the system has it (XDG_DATA_HOME, Application Support, AppData)."""
    import platformdirs

    return Path(platformdirs.user_data_dir("olv-tui", appauthor=False))


def config_dir() -> Path:
    """The folder of the settings file `config.toml`, as the system has it."""
    import platformdirs

    return Path(platformdirs.user_config_dir("olv-tui", appauthor=False))


def history_path(demo: bool) -> Path:
    """The history file; a demo has one of its own, so that invented answers never stand beside real ones."""
    return data_dir() / ("history-demo.sqlite3" if demo else "history.sqlite3")


def installation_key(path: Path) -> bytes:
    """The 32 random bytes that masks of secrets are made with, kept as `key` in the folder `path`.

    Made at first use, readable by the user alone. Where the folder cannot be written or the file is
    damaged, a key for this process only: masks then compare within one run.
    """
    import secrets

    file = path / "key"
    key = _read_key(file)
    if key is not None:
        return key
    fresh = secrets.token_bytes(_KEY_BYTES)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_key(file, fresh)
    except OSError:
        return fresh
    # Another process may have been first: what stands in the file is the key.
    return _read_key(file) or fresh


def _read_key(file: Path) -> bytes | None:
    try:
        key = file.read_bytes()
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None


def _write_key(file: Path, key: bytes) -> None:
    """Put the key in place in one step: a reader sees no file or all of it, and a key that is there stays."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.{key[:4].hex()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(key)
        try:
            os.link(draft, file)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            draft.replace(file)
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()


# --------------------------------------------------------------------------- words


def parse_header(text: str) -> Header:
    """`Name: value` as a header; blanks around the value do not count. Raises UsageError."""
    name, colon, value = text.partition(":")
    if not colon:
        # What was written is not repeated: without a colon, any of it may be a secret.
        raise UsageError("a header was given without a colon: write 'Name: value'")
    return _header(name.strip(" \t"), value.strip(" \t"), "a header on the command line")


def _header(name: str, value: str, where: str) -> Header:
    if not name:
        raise UsageError(f"{where} has no name before its colon: write 'Name: value'")
    if not _TOKEN.fullmatch(name):
        wrong = next(char for char in name if not _TOKEN.fullmatch(char))
        raise UsageError(f"{where}: {wrong!r} may not stand in its name")
    control = _CONTROL.search(value)
    if control:
        # The value may be a secret and is not repeated here.
        raise UsageError(f"{where}: the value of {name} holds the control character {control[0]!r}")
    return name, value


def parse_url(text: str) -> str:
    """An address that can be sent to, as it was written. Raises UsageError."""
    scheme = _SCHEME.match(text)
    if scheme is None:
        bare = _BLANK.sub("", text).lstrip("/")
        if not bare:
            raise UsageError("the address is empty: write http://HOST/PATH or https://HOST/PATH")
        local = re.match(r"(?:localhost|127\.|\[::1\]|0\.0\.0\.0)", bare, re.IGNORECASE)
        raise UsageError(f"{_short(text)} has no scheme: did you mean {'http' if local else 'https'}://{bare}?")
    shown = _short(text)
    if scheme[1].lower() not in ("http", "https"):
        raise UsageError(f"{shown}: {scheme[1]} is not spoken here, only http and https")
    if _BLANK.search(text):
        raise UsageError(f"{shown} holds a blank or a control character; in an address a blank is written %20")
    authority = re.split(r"[/?#\\]", text[scheme.end() :], maxsplit=1)[0]
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        raise UsageError(f"{shown}: the host is not written as a host, [..] is for IPv6 addresses")
    host, port = parts[1], parts[2]
    if host in ("", "[]"):
        raise UsageError(f"{shown} names no host")
    if port and not (re.fullmatch(r"[0-9]{1,5}", port) and 0 < int(port) <= 65_535):
        raise UsageError(f"{shown}: the port {_short(port)} is no number from 1 to 65535")
    return text


def _short(text: str) -> str:
    """A word of the user for a sentence: quoted, escaped, without secrets of a URL, at most 80 characters."""
    from .redact import Redactor

    plain = Redactor(os.urandom(16)).url(text)
    return repr(plain if len(plain) <= 80 else plain[:79] + "…")


def expand_env(text: str, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """`text` with every `${VAR}` filled in, and the values used, which are secrets from then on.

    `$VAR` without braces and `$` alone stay as they are. Raises UsageError for a variable that is not set,
    or whose value holds a control character.
    """
    used: list[str] = []

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if not name:
            raise UsageError("${} names no variable: write ${NAME}")
        if name not in environ:
            raise UsageError(f"${{{name}}} stands in a header, and the environment has no variable {name}")
        value = environ[name]
        if _CONTROL.search(value):
            raise UsageError(f"the value of the variable {name} holds a control character (a line end?)")
        if value:
            used.append(value)
        return value

    return _VARIABLE.sub(fill, text), tuple(used)


# --------------------------------------------------------------------------- targets

_KNOWN_KEYS = ("url", "headers", "era", "timeout", "production", "insecure", "variables", "max_body")


def load_targets(path: Path | None = None) -> dict[str, Target]:
    """The targets of a settings file: tables `[targets.NAME]` of `_KNOWN_KEYS`.

    `path` None is `config.toml` in `config_dir()`, which may be missing. Headers keep their `${VAR}`.
    Raises UsageError naming file and key.
    """
    file, settings = _settings(path)
    targets = settings.get("targets", {})
    if not isinstance(targets, dict):
        raise UsageError(f"{file}: targets is no table; a target is written [targets.NAME]")
    return {name: _target(name, table, f"{file}: targets.{name}") for name, table in targets.items()}


def _settings(path: Path | None) -> tuple[Path, dict[str, Any]]:
    """The settings file and what is in it; nothing where the usual one is missing. Raises UsageError."""
    file = path if path is not None else config_dir() / "config.toml"
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        if path is None:
            return file, {}
        raise UsageError(f"the settings file {file} is not there") from error
    except OSError as error:
        raise UsageError(f"the settings file {file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the settings file {file} is no UTF-8 text (byte {error.start})") from error
    import tomllib  # 2.5 ms that most, who have no such file, need not pay

    try:
        return file, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the settings file {file} is no TOML: {error}") from error


def load_keymap(path: Path | None = None) -> dict[str, str]:
    """The table `[keys]` of a settings file: the id of a command and its keys, `send = "f6,ctrl+s"`.

    An id with a dot may be quoted or not (`editor.mode = "f7"` is a table in a table to TOML). Ids and keys are
    checked where they are known (screens/keymap.py). Raises UsageError naming file and key.
    """
    file, settings = _settings(path)
    keys = settings.get("keys", {})
    if not isinstance(keys, dict):
        raise UsageError(f"{file}: keys is no table; write [keys]")
    return dict(_flat(keys, "", f"{file}: keys"))


MODES = ("form", "json", "envelope")
"""The modes of the editor."""


def load_mode(path: Path | None = None) -> str | None:
    """The mode that the editor begins in: `[editor] mode = "json"`; None where nothing is set.

    Raises UsageError naming file and key.
    """
    file, settings = _settings(path)
    table = settings.get("editor", {})
    if not isinstance(table, dict) or table.get("mode") not in (None, *MODES):
        raise UsageError(f"{file}: editor.mode must be one of {', '.join(MODES)}")
    mode: str | None = table.get("mode")
    return mode


def load_keep(path: Path | None = None) -> Keep:
    """How much of the history is kept: `[history] keep = {count = 10000, megabytes = 500, days = 90}`, each optional.

    Raises UsageError naming file and key.
    """
    from .history.values import Keep

    file, settings = _settings(path)
    table = settings.get("history", {})
    keep = table.get("keep", {}) if isinstance(table, dict) else table
    if not isinstance(table, dict) or not isinstance(keep, dict):
        raise UsageError(f"{file}: history.keep is no table; write [history] keep = {{ count = 10000 }}")
    for name, value in keep.items():
        if name not in ("count", "megabytes", "days"):
            raise UsageError(f"{file}: history.keep.{name} is not known; it has count, megabytes, days")
        fits = isinstance(value, int) or (name != "count" and isinstance(value, float))
        if isinstance(value, bool) or not fits or not 0 <= value <= 1e9:
            raise UsageError(f"{file}: history.keep.{name} must be a number, 0 or more")
    return Keep(**keep)


def _flat(table: dict[str, Any], head: str, where: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{head}{name}.", where)
        elif isinstance(value, str):
            yield f"{head}{name}", value
        else:
            raise UsageError(f'{where}.{head}{name} must be a text such as "f6" or "f6,ctrl+s"')


def _target(name: str, table: Any, where: str) -> Target:
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table; a target is written [targets.NAME]")
    for key in table:
        if key not in _KNOWN_KEYS:
            raise UsageError(f"{where}.{key} is not known; a target has {', '.join(_KNOWN_KEYS)}")
    if "url" not in table:
        raise UsageError(f"{where} has no url")
    try:
        url = parse_url(_typed(table, "url", str, where))
    except UsageError as error:
        raise UsageError(f"{where}.url: {error}") from error
    return Target(
        name=name,
        url=url,
        headers=_headers(_typed(table, "headers", dict, where), f"{where}.headers"),
        era=_era(_typed(table, "era", str, where), f"{where}.era"),
        timeout=_timeout(table.get("timeout", 30.0), f"{where}.timeout"),
        insecure=_typed(table, "insecure", bool, where),
        production=_typed(table, "production", bool, where),
        max_body=_size(table, where),
        variables=_variables(_typed(table, "variables", dict, where), f"{where}.variables"),
    )


def load_max_body(path: Path | None = None) -> int | None:
    """The setting `max_body`, which counts for every target that has none of its own: `max_body = "64MB"`, in bytes.

    None where it is not there. Raises UsageError naming file and key.
    """
    file, settings = _settings(path)
    return _size(settings, str(file))


def _size(table: dict[str, Any], where: str) -> int | None:
    value = table.get("max_body")
    try:
        return None if value is None else read_size(str(value))
    except ValueError as error:
        raise UsageError(f"{where}.max_body: {error}") from error


def read_size(text: str) -> int:
    """`64MB`, `1.5 GB`, `64MiB`, `500000` or `0` in bytes. Raises ValueError."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no size: write 64MB, 1.5GB, or 0 for no limit")
    power = " kmg".index(match[2].lower() or " ")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** power)


def _variables(table: dict[str, Any], where: str) -> dict[str, str]:
    """Variables of a target; whole numbers may stand without quotes."""
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise UsageError(f"{where}.{name} must be a text")
        if not re.fullmatch(r"[^{}\s$]+", name):
            raise UsageError(f"{where}: {name!r} can be no ${{name}}, as it holds a blank, a bracket or a dollar")
    return {name: str(value) for name, value in table.items()}


_KINDS = {str: "a text", dict: 'a table { Name = "value" }', bool: "true or false"}


def _typed(table: dict[str, Any], key: str, kind: type[Any], where: str) -> Any:
    """The value of a key, or the empty value of its kind. Raises UsageError where it is of another kind."""
    value = table.get(key, kind())
    if not isinstance(value, kind):
        raise UsageError(f"{where}.{key} must be {_KINDS[kind]}")
    return value


def _headers(table: dict[str, Any], where: str) -> tuple[Header, ...]:
    headers: list[Header] = []
    for name, value in table.items():
        if not isinstance(value, str):
            raise UsageError(f"{where}.{name} must be a text")
        headers.append(_header(name, value, f"{where}.{name}"))
    return tuple(headers)


def _era(word: str, where: str) -> Era:
    try:
        return Era(word or Era.AUTO)
    except ValueError as error:
        raise UsageError(f"{where} is {word!r}; it may be {', '.join(Era)}") from error


def _timeout(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MAX_TIMEOUT:
        raise UsageError(f"{where} must be a number of seconds, more than 0 and at most {MAX_TIMEOUT:.0f}")
    return float(value)
