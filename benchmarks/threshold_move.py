"""How long does one move of the threshold take for 2,000 documents, and one answer in the lab?

    python benchmarks/threshold_move.py [--documents 2000] [--moves 12]

A collection of made-up prose (a seeded word model, one text in ten lightly edited) goes through
the real pipeline; then the page `threshold_lab` runs in Streamlit's test harness, from the moved
slider to the drawn page, without the network and the browser. The goal is 200 ms.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

try:
    from streamlit.testing.v1 import AppTest
except ImportError:
    raise SystemExit("the page needs streamlit: pip install -e .[app]") from None

import simhash_core as core
from simhash_core import checking, laboratory

ROOT = Path(__file__).resolve().parents[1]
SEED = 20_261_121
WORDS = 400  # of one text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--moves", type=int, default=12)
    parser.add_argument("--no-passages", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LEITONG_STATE"] = folder
        result = collection(options.documents, passages=not options.no_passages)
        core_moves(result, options.moves)
        page_moves(result, options.moves)


def collection(count: int, *, passages: bool) -> core.CheckResult:
    """Return the check of `count` made-up texts."""
    chance = random.Random(SEED)
    vocabulary = [f"{a}{b}{c}" for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
    chance.shuffle(vocabulary)
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    texts: list[list[str]] = []
    for _ in range(count):
        if texts and chance.random() < 0.1:
            words = list(chance.choice(texts))
            for _ in range(chance.randrange(1, 60)):
                words[chance.randrange(len(words))] = chance.choice(vocabulary)
        else:
            words = chance.choices(vocabulary, weights, k=WORDS)
        texts.append(words)
    files = [(f"{row:04d}.txt", prose(words).encode()) for row, words in enumerate(texts)]
    start = time.perf_counter()
    documents, _ = core.read(checking.uploads(files)[0])
    result = core.check(documents, settings=core.Settings(passages=passages))
    seconds = time.perf_counter() - start
    print(f"{len(documents)} documents checked in {seconds:.1f} s; {len(result.table)} pairs kept, "
          f"complete up to {result.complete_up_to}, threshold {result.threshold}")  # fmt: skip
    return result


_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to")


def prose(words: list[str]) -> str:
    """Return words as sentences of eleven."""
    return " ".join(" ".join(words[at : at + 11]) + "." for at in range(0, len(words), 11))


def core_moves(result: core.CheckResult, moves: int) -> None:
    """Time what a move costs in the core, and what is computed once."""
    once("sweep (once)", lambda: laboratory.sweep(result))
    once("index_costs (once)", lambda: laboratory.index_costs(result))
    steps = thresholds(result, moves)
    each("at_threshold", [lambda k=k: core.at_threshold(result, k) for k in steps])
    each("index_cost", [lambda k=k: laboratory.index_cost(result, k) for k in steps])
    swept = laboratory.sweep(result)
    each("borderline", [lambda k=k: laboratory.borderline(swept, k) for k in steps])


def page_moves(result: core.CheckResult, moves: int) -> None:
    """Time a whole run of the page after the slider was moved, and after an answer."""
    sys.path.append(str(ROOT))  # the pages lie beside the package, not in it
    from pages._ui.shared.session import CurrentCheck

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.session_state["lt.check"] = CurrentCheck(result, "x", datetime.now(tz=UTC), 1.0)
    app.run()
    app.switch_page("pages/threshold_lab.py")
    once("page, first run", app.run)
    steps = thresholds(result, moves)
    each("page, slider moved", [lambda k=k: app.slider(key="k").set_value(k).run() for k in steps])
    each("page, answer given", [lambda: app.button(key="lab_same").click().run()] * 8)
    assert not app.exception


def thresholds(result: core.CheckResult, moves: int) -> list[int]:
    """Return places all over the slider, in no order."""
    top = min(result.complete_up_to, result.fingerprints.bits * 5 // 8)
    return random.Random(SEED).sample(range(top + 1), min(moves, top + 1))


def once(name: str, work: object) -> None:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    print(f"  {name:<22}{1000 * (time.perf_counter() - start):8.1f} ms")


def each(name: str, works: list[object]) -> None:
    took = []
    for work in works:
        start = time.perf_counter()
        work()  # type: ignore[operator]
        took.append(1000 * (time.perf_counter() - start))
    print(f"  {name:<22}{statistics.median(took):8.1f} ms median {max(took):8.1f} ms slowest")


if __name__ == "__main__":
    main()
