"""What does a person wait for: a command, a small check, the pages of a large one?

    python -m benchmarks waits [--beside FOLDER] [--runs 5] [--documents 300 2000]

Seconds of CPU, those of worker processes included: medians of fresh processes, caches warm. With
`--beside` the same is asked of another checkout of the project, in turns with this one. Pages are
run without a browser, on a stored check of made-up texts that this checkout makes; the first run of
a page is what a person waits for who opens it, the second is any other one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks._shared.stored_check import collection
from simhash_core.storage import Project

ROOT = Path(__file__).resolve().parents[1]
WITHOUT = ("--set", "dictionary=off", "--set", "meaning=off")
COMMANDS = {
    "leitong --version": ("--version",),
    "check of the essays, without extras": ("check", "sample_docs/essays", *WITHOUT),
    "check of the essays, with those installed": ("check", "sample_docs/essays"),
}
PAGES = ("overview", "clusters", "variants", "compare", "review", "document")

#: a command as its console script runs it; what its workers took is known when they have ended
COMMAND = """
import resource, sys
from simhash_core.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
if "simhash_core.machine.workers" in sys.modules:
    sys.modules["simhash_core.machine.workers"].shared_pool().close()
taken = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(one.ru_utime + one.ru_stime for one in taken))
"""

PAGE = """
import json, logging, sys, time
from datetime import UTC, datetime
from pathlib import Path
from streamlit.testing.v1 import AppTest
from pages._ui.shared.session import CurrentCheck
from simhash_core.storage import Project
logging.getLogger("streamlit").setLevel(logging.ERROR)
result = Project.open(Path(sys.argv[1])).result()
app = AppTest.from_file("app.py", default_timeout=600)
app.context["locale"] = "en-GB"
app.session_state["lt.check"] = CurrentCheck(result, "", datetime.now(UTC), 1.0)
app.run()
taken = {}
for page in sys.argv[2:]:
    app.switch_page(f"pages/{page}.py")
    for run in ("first", "again"):
        start = time.process_time()
        app.run()
        taken[f"{page}, {run}"] = time.process_time() - start
        if app.exception:
            raise SystemExit(app.exception[0].message)
print(json.dumps(taken))
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", type=Path, help="another checkout of the project")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--documents", type=int, nargs="*", default=[300, 2_000])
    options = parser.parse_args(arguments)
    roots = [*filter(None, [options.beside]), ROOT]
    print("| |", *(f" {root.name} |" for root in roots), sep="")
    print("|---|", *("---:|" for _ in roots), sep="")
    with tempfile.TemporaryDirectory() as folder:
        for what, words in COMMANDS.items():
            show(what, [[{what: command(root, folder, words)} for root in roots]
                        for _ in range(options.runs + 1)][1:])  # fmt: skip
        for count in options.documents:
            project = stored(count, Path(folder))
            show(f"{count:,} texts", [[pages(root, folder, project) for root in roots]
                                      for _ in range(options.runs)])  # fmt: skip


def show(prefix: str, runs: list[list[dict[str, float]]]) -> None:
    """Print the medians of some runs, each a table by what was measured for each checkout."""
    for what in runs[0][0]:
        medians = [statistics.median(run[at][what] for run in runs) for at in range(len(runs[0]))]
        name = what if what == prefix else f"{prefix}: {what}"
        print(f"| {name} |", *(f" {seconds:.2f} |" for seconds in medians), sep="", flush=True)


def stored(count: int, folder: Path) -> Path:
    """Check made-up texts and store the check."""
    result = collection(count)
    path = folder / f"{count}.leitong"
    project = Project.create(path)
    project.save_documents(result.documents)
    project.save_result(result)
    project.close()
    return path


def command(root: Path, folder: str, words: Sequence[str]) -> float:
    """Return the seconds of CPU of one command in a fresh process."""
    return float(run(root, folder, COMMAND, words).splitlines()[-1])


def pages(root: Path, folder: str, project: Path) -> dict[str, float]:
    """Return the seconds of CPU of each page in a fresh process, run twice."""
    taken: dict[str, float] = json.loads(
        run(root, folder, PAGE, [str(project), *PAGES]).splitlines()[-1]
    )
    return taken


def run(root: Path, folder: str, code: str, words: Sequence[str]) -> str:
    """Run code in a fresh process of a checkout; return what it prints."""
    places = {"PYTHONPATH": str(root), "LEITONG_CACHE": f"{folder}/cache-{root.name}",
           "LEITONG_DATA": f"{folder}/data", "LEITONG_STATE": f"{folder}/state"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=root, env={**os.environ, **places}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


if __name__ == "__main__":
    main()
