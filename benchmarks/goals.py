"""How long does a person wait for the common jobs, before a change and after it?

    python -m benchmarks goals --before FOLDER       a checkout of the earlier state
    python -m benchmarks goals --only pages laws     some jobs

Every job runs in processes of its own, in turn on the earlier state and on this one, each with its
own folder of caches, with the same files and the same options: without vectors of sentences, which
earlier states do not have. The packages are those of this environment.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks._shared import needs
from benchmarks._shared.report import Report, Table
from benchmarks.end_to_end import write_documents

ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 2**20
TICK = 0.05
QUICK = {"only": ["version", "essays"], "runs": 1}

TO_PAIRS = """
import sys
from simhash_core import Settings, check, gather, read
settings = Settings.of("classic", weighting="background", passages=sys.argv[2] == "passages")
if sys.argv[2] == "passages" and hasattr(settings, "meaning"):
    from dataclasses import replace
    settings = replace(settings, meaning="off")
sources, _ = gather([sys.argv[1]])
documents, skipped = read(sources, settings=settings)
check(documents, settings=settings, skipped=skipped)
"""

PAIR = """
import json, sys, time
from pathlib import Path
import numpy as np
from simhash_core.passages.align import align_many
from simhash_core.checking.tokenizing import read_text
from simhash_core.settings import Settings
raw = [path.read_text("utf-8") for path in sorted(Path(sys.argv[1]).iterdir())[::6]]
texts = [read_text(text, Settings()) for text in raw]
pairs = np.stack(np.triu_indices(len(texts), 1), axis=1)[::10]
seconds = []
for _ in range(3):
    start = time.process_time()
    align_many(texts, pairs)
    seconds.append(time.process_time() - start)
print(json.dumps({"pair": 1000 * min(seconds) / len(pairs)}))
"""

PAGES = """
import json, logging, sys, time
from datetime import UTC, datetime
from pathlib import Path
from streamlit.testing.v1 import AppTest
from simhash_core.storage import Project
from pages._ui.shared.session import CurrentCheck
logging.getLogger("streamlit").setLevel(logging.ERROR)
project = Project.open(Path(sys.argv[1]))
result = project.result() if hasattr(project, "result") else project.load_result()
app = AppTest.from_file("app.py", default_timeout=600)
app.context["locale"] = "en-GB"
app.session_state["lt.check"] = CurrentCheck(result, "x", datetime(2026, 11, 21, tzinfo=UTC), 1.0)
app.run()
seconds = {}
for page in ("overview", "clusters", "variants", "compare", "review"):
    app.switch_page(f"pages/{page}.py")
    for turn in ("first", "again"):
        start = time.process_time()
        app.run()
        seconds[f"{page}, {turn}"] = time.process_time() - start
        if app.exception:
            raise SystemExit(f"{page}: {app.exception[0].message}")
print(json.dumps(seconds))
"""

CONFIRM = """
import sys
from pathlib import Path
from simhash_core.model import pair_key
from simhash_core.result import list_rows
from simhash_core.storage import Project
from simhash_core.storage.decisions import Subject
project = Project.open(Path(sys.argv[1]))
result = project.result()
pairs = result.table.pairs
for row in list_rows(result)[:10].tolist():
    ends = (result.documents[int(side[row])].id for side in (pairs.left, pairs.right))
    project.decide([Subject("pair", *pair_key(*ends))], verdict="confirmed")
project.close()
"""

#: two states of ten chapters of the size of an essay: folder, translation, years, chapters
CHAPTERS = (
    ("zh_rust_book", "kaisery", ("2018", "2022"),
     ("appendix-02-operators", "appendix-03-derivable-traits", "appendix-07-nightly-rust",
      "ch00-00-introduction", "ch01-02-hello-world")),
    ("en_rust_book", "rust", ("2018", "2019"),
     ("src_appendix-03-derivable-traits", "src_ch00-00-introduction", "src_ch01-03-hello-cargo",
      "src_ch03-01-variables-and-mutability", "src_ch03-02-data-types")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """What a process took: CPU with its workers, the clock, memory of workers, its answer."""

    cpu: float
    clock: float
    resident: float
    peak: float
    said: str


@dataclass(frozen=True, slots=True)
class State:
    """A checkout with a folder of caches of its own."""

    tree: Path
    cache: Path
    options: tuple[str, ...] = ()

    def run(self, *arguments: str, cache: Path | None = None) -> Run:
        """Run Python on this state."""
        variables = {**os.environ, "PYTHONPATH": str(self.tree), "LEITONG_LANG": "en"}
        variables["LEITONG_CACHE"] = str(cache or self.cache)
        before, start = _children(), time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.tree,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        sizes: list[int] = []
        watching = threading.Thread(target=_watch, args=(process, sizes))
        watching.start()
        said, wrong = process.communicate()
        watching.join()
        if process.returncode:
            raise SystemExit(f"{self.tree}: {' '.join(arguments)[:200]}: {wrong[-2000:]}")
        clock = time.perf_counter() - start
        middle = statistics.median(sizes) / MEGABYTE if sizes else 0.0
        return Run(_children() - before, clock, middle, max(sizes, default=0) / MEGABYTE, said)

    def check(self, *paths: str | Path, cache: Path | None = None) -> Run:
        """Check files into JSON by the command line."""
        with tempfile.TemporaryDirectory() as folder:
            into = ("-o", f"{folder}/result.json")
            command = ("-m", "simhash_core", "check", *map(str, paths), *into, *self.options)
            return self.run(*command, cache=cache)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(process: subprocess.Popen[str], sizes: list[int]) -> None:
    """Note the largest worker of a process, until it ends."""
    while process.poll() is None:
        try:
            workers = psutil.Process(process.pid).children(recursive=True)
            held = [one.memory_info().rss for one in workers]
        except psutil.Error:
            held = []
        if held:
            sizes.append(max(held))
        time.sleep(TICK)


Figures = dict[str, float]
Job = Callable[[State], Figures]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--before", type=Path, help="a checkout of an earlier state")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=tuple(LONG_JOBS), default=list(LONG_JOBS))


def measure(options: argparse.Namespace) -> Report:
    """Run the jobs in turn on both states."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        states = [State(ROOT, folder / "now", ("--set", "meaning=off"))]
        if options.before:
            states.insert(0, State(options.before.resolve(), folder / "before"))
        for state in states:
            state.cache.mkdir()
        rows = []
        for job in options.only:
            rows += _rows(jobs(folder)[job], states, 0 if LONG_JOBS[job] else options.runs)
        notes = ["Without vectors of sentences, in both states."]
        if "pages" in options.only:
            notes.append(
                "Variants goes on in the background, computing what giving a passage to all would "
                "change: the rows after its first run count that too."
            )
    heads = ["job", *(["before"] if options.before else []), "now"]
    return Report([Table([*heads, *(["times now"] if options.before else [])], rows)], notes)


def _rows(job: Job, states: list[State], runs: int) -> list[list[str | float | None]]:
    """Return a row for each figure of a job, medians of runs in turn; 0 runs: one, cold."""
    answers: list[list[Figures]] = [[] for _ in states]
    for state in states if runs else ():  # fills the caches
        job(state)
    for _ in range(runs or 1):
        for answer, state in zip(answers, states, strict=True):
            answer.append(job(state))
    rows: list[list[str | float | None]] = []
    for figure in answers[-1][0]:
        values = [statistics.median(one[figure] for one in answer) for answer in answers]
        factor = [values[0] / max(values[1], 1e-3)] if len(values) > 1 else []
        rows.append([figure, *values, *factor])
    return rows


#: the jobs, and whether one run of each must do
LONG_JOBS = {
    "version": False,
    "essays": False,
    "first": True,
    "pair": True,
    "laws": True,
    "pairs": False,
    "passages": True,
    "pages": True,
    "reports": False,
}


def jobs(folder: Path) -> dict[str, Job]:
    """Return the jobs by name; texts are written into a folder when they are needed."""
    laws = str((needs.corpora() / "zh_laws_dev" / "docs").resolve())

    def version(state: State) -> Figures:
        return {"`leitong --version`, CPU s": state.run("-m", "simhash_core", "--version").cpu}

    def essays(state: State) -> Figures:
        taken = state.check(ROOT / "sample_docs" / "essays").cpu
        return {"22 essays in a fresh process, CPU s": taken}

    def first(state: State) -> Figures:
        with tempfile.TemporaryDirectory() as cache:
            taken = state.check(_texts(folder, 275), cache=Path(cache))
        return {
            "275 texts of 1 to 5 KB, empty cache, s by the clock": taken.clock,
            "the same, CPU s": taken.cpu,
        }

    def pair(state: State) -> Figures:
        return {
            "a pair of statutes aligned, ms": json.loads(state.run("-c", PAIR, laws).said)["pair"]
        }

    def statutes(state: State) -> Figures:
        taken = state.check(laws)
        return {
            "741 statutes with passages, CPU s": taken.cpu,
            "the same, s by the clock": taken.clock,
            "its largest worker, usually, MB": taken.resident,
            "its largest worker, at most, MB": taken.peak,
        }

    def pairs(state: State) -> Figures:
        taken = state.run("-c", TO_PAIRS, str(_texts(folder, 10_000)), "pairs")
        return {"10,000 texts from files to pairs, a fresh process, CPU s": taken.cpu}

    def passages(state: State) -> Figures:
        taken = state.run("-c", TO_PAIRS, str(_texts(folder, 10_000)), "passages")
        return {"10,000 texts with passages, a fresh process, CPU s": taken.cpu}

    def pages(state: State) -> Figures:
        stored = state.cache / "2000.leitong"
        if not stored.exists():
            texts = str(_texts(folder, 2_000))
            state.run("-m", "simhash_core", "check", texts, "--project", str(stored),
                      "-o", f"{state.cache}/result.json", *state.options)  # fmt: skip
        seconds = json.loads(state.run("-c", PAGES, str(stored)).said.splitlines()[-1])
        return {f"page {name} run, 2,000 texts, CPU s": taken for name, taken in seconds.items()}

    def reports(state: State) -> Figures:
        stored = state.cache / "cases.leitong"
        if not stored.exists():
            state.run("-m", "simhash_core", "check", str(_chapters(folder)), "--project",
                      str(stored), "-o", f"{state.cache}/cases.json", *state.options)  # fmt: skip
            state.run("-c", CONFIRM, str(stored))
        command = ("-m", "simhash_core", "report", str(stored), "--kind", "confirmed", "-o")
        return {
            f"ten cases in full as {name}, texts of 1,500 to 2,600 words or characters, CPU s":
                state.run(*command, f"{state.cache}/cases.{name.lower()}").cpu
            for name in ("PDF", "HTML")
        }  # fmt: skip

    return {"version": version, "essays": essays, "first": first, "pair": pair, "laws": statutes,
            "pairs": pairs, "passages": passages, "pages": pages,
            "reports": reports}  # fmt: skip


def _texts(folder: Path, count: int) -> Path:
    """Return a folder of so many texts, written once."""
    texts = folder / f"texts-{count}"
    if not texts.exists():
        texts.mkdir()
        write_documents(texts, count)
    return texts


def _chapters(folder: Path) -> Path:
    """Return a folder of ten chapters, each in two states, written once."""
    chapters = folder / "chapters"
    if not chapters.exists():
        chapters.mkdir()
        for book, name, years, some in CHAPTERS:
            patterns = (f"{book}/docs/{name}__{one}__{year}*" for one in some for year in years)
            for path in needs.corpus_files(*patterns):
                shutil.copy(path, chapters)
    return chapters
