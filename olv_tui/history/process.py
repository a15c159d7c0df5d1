"""Which process writes an exchange, and whether it still lives.

Rules of this file: a process that lives is never taken for dead, as its pending exchange would be called
lost; where nothing certain is known, it lives.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PROC = Path("/proc")


def this_process() -> str:
    """This process as `PID START`; START is empty where the system does not tell it."""
    return f"{os.getpid()} {_start(os.getpid()) or ''}".rstrip()


def lives(owner: str) -> bool:
    """Whether the process that `this_process` described is still running."""
    number, _, start = owner.partition(" ")
    if not number.isdigit():
        return False
    pid = int(number)
    if pid == os.getpid() and not start:
        return True
    if start and _start(os.getpid()) is not None:
        # The start time tells apart a process and a later one that got the same number.
        return _start(pid) == start
    return _exists(pid)


def _start(pid: int) -> str | None:
    """When a process started: clock ticks since a boot, and which boot that was. None where it is not told."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text("ascii", "replace")
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii", "replace").strip()
    except OSError:
        return None
    # The second field is the name of the program in brackets and may hold anything, so fields are counted
    # behind its last bracket: the start time is field 22.
    fields = stat.rpartition(")")[2].split()
    return f"{fields[19]}@{boot}" if len(fields) > 19 else None


def _exists(pid: int) -> bool:
    if sys.platform == "win32":  # os.kill would end the process there
        import ctypes

        still_active = 259
        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, pid)  # the right to ask for its exit code
        if not handle:
            return False
        code = ctypes.c_ulong()
        ctypes.windll.kernel32.GetExitCodeProcess(handle, ctypes.byref(code))
        ctypes.windll.kernel32.CloseHandle(handle)
        return code.value == still_active
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
