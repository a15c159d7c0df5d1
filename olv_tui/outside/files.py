"""Files that the reader asks for: named safely, never over another one, whole or not at all.

Rules of this file:

* A name that a server had a hand in (a tool, a resource, a title) is one plain name: no folders, no leading dot, no
  name that a system keeps for itself, nothing invisible, of bounded length.
* A path that the reader typed is taken as typed; `~` and variables in it are the reader's.
* A file is written beside its place and then linked to it, so nobody sees half of one, and a file that is there
  stays: the link fails then.
* What may hold somebody's data is for the owner alone (`private`); a file that the reader named has the mode of any
  file of theirs, by the umask.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO

_LONG = 80  # characters of a proposed name: file systems take 255 bytes, and a character can be four
_ODD = re.compile(r"[^\w.\- ]+", re.ASCII)
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_NO_SUFFIX = re.compile(r"[^a-zA-Z0-9.]+")
_LONG_SUFFIX = 12
_TRIES = 1_000
_STEP = 1 << 20


class FileError(Exception):
    """A file could not be written; the text says why."""


def safe_name(wanted: str, suffix: str) -> str:
    """One plain file name out of any text, with a suffix such as `.json`: `a/b\\c ` becomes `a-b-c.json`.

    The suffix may come from a server as well: of it letters, digits and dots stay.
    """
    suffix = _NO_SUFFIX.sub("", suffix)[:_LONG_SUFFIX].rstrip(".")
    stem = _ODD.sub("-", wanted[: 4 * _LONG]).strip(" .-_") or "answer"
    stem = re.sub(r"-{2,}", "-", stem)[:_LONG].rstrip(" .-")
    if _RESERVED.fullmatch(stem):
        stem = f"{stem}-"
    return stem + suffix


def typed_path(text: str, folder: Path) -> Path:
    """The path that a reader typed: `~` and `$VARIABLES` opened, a relative one within `folder`."""
    path = Path(os.path.expandvars(text.strip()))
    with suppress(RuntimeError):  # a user that is not known: then it is a name that begins with ~
        path = path.expanduser()
    return folder / path


def present_folder() -> Path:
    """The folder that names count from: the present one, or the reader's home where that was deleted."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()


def write_new(folder: Path, name: str, data: bytes, *, private: bool = False) -> Path:
    """Write a file with this name, or with a number behind it where the name is taken. Raises FileError."""
    for number in range(1, _TRIES):
        path = folder / _numbered(name, number)
        try:
            _write(path, data, private=private, over=False)
        except FileExistsError:
            continue
        return path
    raise FileError(f"{_TRIES} files are named like {name} there")


def write_at(path: Path, data: bytes, *, over: bool = False, private: bool = False) -> None:
    """Write a file at a path that the reader chose. `over`: another file there may go.

    Raises FileExistsError where one is there and may not, FileError for all else.
    """
    _write(path, data, private=private, over=over)


def copy_to(path: Path, source: Path, *, over: bool = False) -> int:
    """Copy a file of any size to a path that the reader chose, and give its bytes; raises as `write_at` does."""
    try:
        with source.open("rb") as stream:
            _write(path, stream, private=False, over=over)
            return stream.tell()
    except FileNotFoundError as error:
        raise FileError(f"{source} is no longer there") from error
    except PermissionError as error:
        raise FileError(f"{source} cannot be read") from error


def _write(path: Path, data: bytes | IO[bytes], *, private: bool, over: bool) -> None:
    """Write beside the place and put it there in one step."""
    made = ""
    try:
        mode = path.stat().st_mode if os.path.exists(path) else stat.S_IFREG  # noqa: PTH110  Path.exists raises
        if stat.S_ISDIR(mode):
            raise FileError(f"{path} is a folder: name a file in it")
        if not stat.S_ISREG(mode):
            raise FileError(f"{path} is a device or a pipe: name a file")
        if not over and os.path.lexists(path):
            raise FileExistsError(path)
        handle, made = tempfile.mkstemp(prefix=".olv-tui-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            if isinstance(data, bytes):
                file.write(data)
            else:
                shutil.copyfileobj(data, file, _STEP)
        if not private:
            os.chmod(made, 0o666 & ~_umask())  # noqa: PTH101  mkstemp gives a text
        if over:
            os.replace(made, path)  # noqa: PTH105
        else:
            _place(made, path)
    except FileExistsError:
        raise
    except OSError as error:
        raise FileError(f"{path} could not be written: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in it, or half a character
        raise FileError(f"{path} cannot be the name of a file") from error
    finally:
        if made:
            with suppress(OSError):
                os.unlink(made)  # noqa: PTH108


def _place(made: str, path: Path) -> None:
    """Give the finished file its name, unless the name is taken. Raises OSError, FileExistsError among them."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as FAT
        with path.open("xb"):
            pass
        os.replace(made, path)  # noqa: PTH105


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def free_name(folder: Path, name: str) -> str:
    """The first name like this that is not taken in a folder now."""
    names = (_numbered(name, number) for number in count(1))
    return next(one for one in names if not os.path.lexists(folder / one))


def _numbered(name: str, number: int) -> str:
    path = Path(name)
    return name if number == 1 else f"{path.stem}-{number}{path.suffix}"
