"""First paint of `olv-tui --demo` against a bare Textual app, in one run and interleaved.

Run it by hand: `python tests/bench/first_paint.py [runs]`. The measuring tool and the bare app are in a
folder `shared` (OLV_SHARED, or beside the repository); it measures from outside, in a pseudo-terminal.
Compare best with best: medians drift on a busy machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 1.9
"""How much later than a bare app the frame with its panes may stand, best against best."""


def main() -> int:
    """Measure and print; exit code 1 where the limit is broken, 2 where the tool is absent."""
    shared = Path(os.environ.get("OLV_SHARED") or ROOT.parent / "shared")
    tool = shared / "tools" / "tuibench.py"
    if not tool.is_file():
        print(f"The measuring tool is not there: {tool} (set OLV_SHARED to the folder that has tools/tuibench.py).")
        return 2
    runs = sys.argv[1] if len(sys.argv) > 1 else "9"
    command = [
        sys.executable, str(tool), "start", "-n", runs, "--until", "Tools", "--vs", "{python} {ref:bare}",
        "--vs-until", "READY", "--quit", "ctrl+q", "--assert", f"best.first_paint<={LIMIT}",
        "--", sys.executable, "-m", "olv_tui", "--demo", "--no-history",
    ]  # fmt: skip
    return subprocess.run(command, check=False, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
