"""Start-up of `olv-tui --demo` against a bare Textual app: the first frame, and the tools on the screen.

Run it by hand: `python tests/bench/first_paint.py [RUNS]`. The measuring tool and the bare app are in a
folder `shared` (OLV_SHARED, or beside the repository); it measures from outside, in a pseudo-terminal of
140x42, both programs in turn. Compare best with best: medians drift on a busy machine.

* The frame is there when header, all four panes with their titles and the keys are on the screen.
* Both programs run from compiled bytecode, as installed packages do, whatever PYTHONDONTWRITEBYTECODE says. It
  is kept in a temporary folder, as is the data of the explorer: the tree and the home stay as they are.
* The explorer starts as its console script does; `python -m` would add the cost of runpy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FRAME = r"olv-tui +demo.*DEMO(?s:.*)╭─ Tools .*╭─ Editor (?s:.*)╭─ Answer (?s:.*)╭─ History (?s:.*)╰─.*╯\n.*\^q Quit"
LISTED = "olv_list_worlds"
LIMITS = (("the first frame", FRAME, 1.35), ("the tools listed", LISTED, 2.5))
"""What is waited for, and how much later than a bare app's word it may stand, best against best.

Importing httpx, httpcore, h11 and anyio takes 54 ms of the second one, a third of a bare app's start. Threads
do not hide it: imports hold the interpreter lock.
"""

SCRIPT = "import sys\nfrom olv_tui.__main__ import main\nsys.exit(main())\n"


def main() -> int:
    """Measure and print; exit code 1 where a limit is broken, 2 where the tool is absent."""
    shared = Path(os.environ.get("OLV_SHARED") or ROOT.parent / "shared")
    tool = shared / "tools" / "tuibench.py"
    if not tool.is_file():
        print(f"The measuring tool is not there: {tool} (set OLV_SHARED to the folder that has tools/tuibench.py).")
        return 2
    runs = sys.argv[1] if len(sys.argv) > 1 else "15"
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "olv-tui")
        script.write_text(SCRIPT, encoding="utf-8")
        environment = prepared(folder)
        for what, until, limit in LIMITS:
            print(f"{what} (limit {limit})")
            command = [
                sys.executable, str(tool), "start", "-n", runs, "--warmup", "2", "--until", until,
                "--vs", "{python} {ref:bare}", "--vs-until", "READY", "--quit", "ctrl+q",
                "--assert", f"best.until<={limit}", "--", sys.executable, str(script), "--demo", "--no-history",
            ]  # fmt: skip
            worst = max(worst, subprocess.run(command, check=False, cwd=folder, env=environment).returncode)
    return worst


def prepared(folder: str) -> dict[str, str]:
    """The environment for both programs, with the package compiled; the rest is by the runs that warm up."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": folder}
    environment |= {"PYTHONPYCACHEPREFIX": str(Path(folder, "compiled")), "PYTHONDONTWRITEBYTECODE": ""}
    compiling = [sys.executable, "-m", "compileall", "-q", str(ROOT / "olv_tui")]
    subprocess.run(compiling, check=True, env=environment)
    return environment


if __name__ == "__main__":
    sys.exit(main())
