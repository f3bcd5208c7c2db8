"""Collections that are alike as a whole or in a part: groups and buckets that could explode."""

from __future__ import annotations

import threading
import time

import numpy as np
import psutil
import pytest
from prose import english

from simhash_core import Document, check
from simhash_core.model import U64, Fingerprints
from simhash_core.simhash.neighbours import neighbours
from simhash_core.simhash.search import all_pairs, block_plan

pytestmark = pytest.mark.timeout(3600)
EQUAL, TEMPLATE = 10_000, 40_000
MOST_SECONDS, MOST_MEMORY, MOST_RATIO = 1.0, 200e6, 3.0


@pytest.mark.promise(21)
def test_equal_texts_are_one_group(record_property) -> None:
    text = english(1, 300)
    documents = [Document.from_text(text, name=str(number)) for number in range(EQUAL)]
    began = time.process_time()
    result = check(documents)

    record_property("outcome", f"{EQUAL} texts: {time.process_time() - began:.1f} s of one core")
    assert [len(cluster.members) for cluster in result.clusters] == [EQUAL]


@pytest.mark.promise(21)
def test_pairs_of_equal_fingerprints_are_cheap(record_property) -> None:
    words = np.full((EQUAL, 4), 2**63 + 5, np.uint64)
    made = Fingerprints(words, np.ones(EQUAL, bool), 256, "")

    def pairs() -> int:
        found = neighbours(made, made, first_reference=EQUAL, at_least=30, step=lambda *_: None)
        return len(found.pairs)

    pairs()  # compiled, if it has to be
    most, over, own = [0], threading.Event(), psutil.Process()
    before = own.memory_info().rss

    def watch() -> None:
        while not over.wait(0.002):
            most[0] = max(most[0], own.memory_info().rss - before)

    watching = threading.Thread(target=watch)
    watching.start()
    began = time.process_time()
    count = pairs()
    seconds = time.process_time() - began
    over.set()
    watching.join()

    record_property("outcome", f"{count:,} pairs, {seconds:.2f} s, {most[0] / 1e6:.0f} MB more")
    assert seconds < MOST_SECONDS
    assert most[0] < MOST_MEMORY


@pytest.mark.promise(22)
@pytest.mark.parametrize("planned", [True, False], ids=["blocks", "own choice"])
def test_one_template_in_all_texts_costs_little(planned: bool, record_property) -> None:
    """A quarter of the bits is the template's: one bucket of a table holds every text."""
    draw = np.random.default_rng(3)
    apart = draw.integers(0, 2**64, (TEMPLATE, 1), dtype=np.uint64)
    shared = (apart >> np.uint64(16)) | np.uint64(0xABCD << 48)
    plan = block_plan(64, 3) if planned else None
    all_pairs(apart[:5000], bits=64, k=3, plan=plan)  # compiled, if it has to be

    def seconds(words: U64) -> float:
        times = []
        for _ in range(3):
            began = time.process_time()
            all_pairs(words, bits=64, k=3, plan=plan)
            times.append(time.process_time() - began)
        return min(times)

    usual, skewed = seconds(apart), seconds(shared)
    record_property("outcome", f"{usual:.3f} s without, {skewed:.3f} s with the template")
    assert skewed < MOST_RATIO * usual
