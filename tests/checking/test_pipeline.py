"""The hall on the sample class: every number of a result agrees with every other."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from prose import english

import simhash_core as core
from simhash_core import checking, seen
from simhash_core.cli.commands import _has_found
from simhash_core.errors import BadInput, Cancelled, InvalidSettings, RecipeMismatch
from simhash_core.limits import FalseAlarms, Limits
from simhash_core.model import NO_DISTANCE, PASSAGE_KINDS, Document
from simhash_core.passages import candidates
from simhash_core.policy import CONTAINMENT
from simhash_core.result import CheckResult, pair_cases
from simhash_core.seen.thresholds import entry_of
from simhash_core.simhash.fingerprint import hamming, to_hex
from simhash_core.weighting import FROZEN

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    sources, refused = core.gather(core.samples()["essays"])
    read, skipped = core.read(sources)
    assert not refused and not skipped
    return read


@pytest.fixture(scope="module")
def result(documents: list[Document]) -> CheckResult:
    return core.check(documents)


def test_table_is_canonical_and_complete_and_distances_count_all_pairs(result: CheckResult) -> None:
    pairs, n = result.table.pairs, len(result.documents)
    keys = pairs.left * n + pairs.right
    assert (pairs.left < pairs.right).all()
    assert (np.diff(keys) > 0).all()
    words, valid = result.fingerprints.words, result.fingerprints.valid
    matrix = hamming(words[:, None], words[None])
    close = np.triu(matrix <= result.complete_up_to, 1) & valid[:, None] & valid[None]
    assert set(np.flatnonzero(close.ravel())) <= set(keys.tolist())
    known = pairs.distance != NO_DISTANCE
    assert (matrix[pairs.left, pairs.right][known] == pairs.distance[known]).all()
    n = int(result.fingerprints.valid.sum())
    assert result.distances.total == n * (n - 1) // 2


def test_passages_show_the_text_they_point_at(result: CheckResult) -> None:
    table, found = result.table, result.passages
    assert len(found)
    for row in range(len(found)):
        left = result.documents[table.pairs.left[found.pair[row]]].text
        right = result.documents[table.pairs.right[found.pair[row]]].text
        for text, start, end in (
            (left, found.a_start[row], found.a_end[row]),
            (right, found.b_start[row], found.b_end[row]),
        ):
            assert 0 <= start < end <= len(text)
            assert text[start:end] == text[start:end].strip()


def test_independent_essays_overlap_less_than_a_twentieth(result: CheckResult) -> None:
    table = result.table
    related = set(table.pairs.left[table.passages > 0]) | set(table.pairs.right[table.passages > 0])

    independent = [row for row in range(len(result.documents)) if row not in related]
    assert len(independent) >= 8
    assert (result.total_overlap[independent] < 0.05).all()


def test_moving_the_threshold_only_adds_and_its_own_gives_the_result(result: CheckResult) -> None:
    views = [core.view_at_threshold(result, k) for k in range(0, result.complete_up_to + 1, 5)]
    for narrow, wide in pairwise(views):
        assert (narrow.within <= wide.within).all()
        assert narrow.expected_false_pairs <= wide.expected_false_pairs + 1e-9
    view = core.view_at_threshold(result, result.threshold)
    assert view.clusters == result.clusters
    assert view.expected_false_pairs == pytest.approx(result.expected_false_pairs)


@pytest.mark.parametrize("k", [-1, 999])
def test_a_threshold_beyond_the_reach_is_an_error(result: CheckResult, k: int) -> None:
    with pytest.raises(BadInput) as caught:
        core.view_at_threshold(result, k)

    assert caught.value.code == "beyond_reach"
    assert caught.value.params == {"k": k, "reach": result.complete_up_to}


def test_views_read_the_limits_that_the_result_carries(result: CheckResult) -> None:
    """Estimated once: a curve put into the result is the curve that every view answers from."""
    certain = FalseAlarms(np.ones(257), 1000, "spread")
    carried = replace(result, limits=Limits(certain, None, result.threshold))

    for k in (0, result.threshold, result.complete_up_to):
        assert core.view_at_threshold(carried, k).expected_false_pairs == 1000
        assert core.view_at_threshold(carried, k).batch_threshold == -1
        assert seen.expected_false(carried, k) == 1000
    background = result.table.pairs.distance.astype(np.int64)
    assert (entry_of(carried) == np.minimum(background, result.complete_up_to + 1)).all()


def test_compare_refuses_a_result_of_another_recipe(result: CheckResult) -> None:
    older = replace(result, fingerprints=replace(result.fingerprints, recipe="older"))

    with pytest.raises(RecipeMismatch):
        core.compare(*older.documents[:2], result=older)


def test_compare_agrees_with_the_table(result: CheckResult) -> None:
    table = result.table
    for row in np.flatnonzero(table.passages > 0):
        a = result.documents[table.pairs.left[row]]
        b = result.documents[table.pairs.right[row]]
        found = core.compare(a, b, result=result)
        back = core.compare(b, a, result=result)

        assert found.distance == back.distance == table.pairs.distance[row]
        assert found.coverage_a == pytest.approx(table.coverage_a[row], abs=1e-6)
        assert back.coverage_a == pytest.approx(table.coverage_b[row], abs=1e-6)
        assert sum(block.differing for block in found.blocks) == found.distance
        assert found.explain_a is not None
        assert (found.explain_a.votes.sum(axis=0) == found.explain_a.sums).all()


def test_explained_bits_are_the_stored_fingerprint(result: CheckResult) -> None:
    found = core.compare(result.documents[0], result.documents[1], result=result)

    assert found.explain_a is not None
    assert np.packbits(found.explain_a.bits).tobytes().hex() == to_hex(result.fingerprints, 0)


def test_order_of_documents_changes_nothing(documents: list[Document], result: CheckResult) -> None:
    turned = core.check(documents[::-1])

    def listed(found: CheckResult) -> set[tuple[frozenset[str], int]]:
        view = core.view_at_threshold(found, found.threshold)
        return {
            (
                frozenset(
                    found.documents[row].name
                    for row in (found.table.pairs.left[m], found.table.pairs.right[m])
                ),
                int(found.table.pairs.distance[m]),
            )
            for m in np.flatnonzero(view.listed)
        }

    assert listed(turned) == listed(result)


def test_total_overlap_of_a_copy_is_everything_and_bounds_its_sources(result: CheckResult) -> None:
    rows = {Path(d.name).stem: row for row, d in enumerate(result.documents)}
    assert result.total_overlap[rows["12-黄嘉怡"]] == pytest.approx(1, abs=0.01)
    assert (result.total_overlap <= 1 + 1e-6).all()
    for row in range(len(result.documents)):
        shares = seen.source_shares(result, row)

        assert [s.share for s in shares] == sorted((s.share for s in shares), reverse=True)
        assert all(s.share <= result.total_overlap[row] + 1e-6 for s in shares)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_documents(documents: list[Document], count: int) -> None:
    found = core.check(documents[:count])

    assert len(found.documents) == count
    assert len(seen.expected_curve(found)) == found.settings.bits + 1
    assert len(seen.distance_matrix(found, range(count))) == count


def test_nothing_is_promised_of_no_pairs(documents: list[Document]) -> None:
    alone, held = core.check(documents[:1]), core.check(documents[:1], against=documents[1:3])

    for result in (alone, held):
        promised = {fact.code: fact.params for fact in result.guarantees}
        assert not any(code.startswith("complete_") for code in promised)
    assert "passages_all" not in {fact.code for fact in alone.guarantees}
    assert [f.params["n"] for f in held.guarantees if f.code == "passages_all"] == [2]


def test_short_texts_have_no_fingerprint_but_share_passages() -> None:
    text = (
        "如有雷同纯属巧合，这句话大家都听过，可是很少有人认真想过它的意思。"
        "写作的人先把门关上，读者却偏偏从窗户里望见了邻居的灯火。"
    )
    short = [Document(str(n), f"{n}.txt", text + str(n)) for n in range(3)]

    found = core.check(short)

    assert not found.fingerprints.valid.any()
    assert (found.table.passages > 0).sum() == 3
    assert {note.code for note in found.documents[0].notes} == {"no_fingerprint"}


def test_same_text_in_many_copies() -> None:
    text = (ROOT / "sample_docs" / "essays" / "02-林晓雨.txt").read_text("utf-8")
    copies = [Document("same", f"{n}.txt", text) for n in range(40)]

    found = core.check(copies)

    (cluster,) = found.clusters
    assert len(cluster.members) == 40
    assert cluster.density == 1
    assert (found.total_overlap == 1).all()


def test_progress_may_stop_the_run(documents: list[Document]) -> None:
    seen = []

    def step(stage: str, done: int, total: int) -> None:
        seen.append(stage)
        if stage == "pairs":
            raise Cancelled

    with pytest.raises(Cancelled):
        core.check(documents, progress=step)
    assert seen[-1] == "pairs"


def test_stages_are_reported_from_nothing_to_all(documents: list[Document]) -> None:
    steps: dict[str, list[tuple[int, int]]] = {}
    core.check(documents, progress=lambda s, d, n: steps.setdefault(s, []).append((d, n)))

    searched = ["tokens", "fingerprints", "pairs", "candidates", "align"]
    assert list(steps) == [*searched, "chance", "clusters"]
    for reported in steps.values():
        assert [done for done, _ in reported] == sorted(done for done, _ in reported)
        assert reported[-1][0] == reported[-1][1]


def test_narrow_signatures_are_prefixes(documents: list[Document], result: CheckResult) -> None:
    narrow = core.check(documents, settings=core.Settings(bits=64, passages=False))

    assert (narrow.fingerprints.words[:, 0] == result.fingerprints.words[:, 0]).all()


def test_settings_out_of_range_name_every_problem() -> None:
    with pytest.raises(InvalidSettings) as caught:
        core.Settings(bits=7, min_tokens=0)

    assert [name for name, _, _ in caught.value.problems] == ["bits", "min_tokens"]


def test_recipe_changes_with_what_shapes_a_fingerprint() -> None:
    plain = core.Settings()

    assert replace(plain, threshold=9).recipe() == plain.recipe()
    assert replace(plain, stop_words=True).recipe() != plain.recipe()


def test_weights_of_the_collection_bring_it_into_the_recipe(documents: list[Document]) -> None:
    few, more = (
        core.check(documents[:n], settings=core.Settings(weighting="tfidf", passages=False))
        for n in (4, 5)
    )

    assert few.fingerprints.recipe != more.fingerprints.recipe
    assert few.fingerprints.recipe.split("-")[0] == few.settings.recipe()


@pytest.mark.parametrize("name", sorted(FROZEN))
def test_frozen_weights_do_not_read_the_collection(name: str, documents: list[Document]) -> None:
    settings = core.Settings(weighting=name, passages=False, batch_signature=False)
    alone, among = (core.check(documents[:n], settings=settings) for n in (2, 6))

    assert alone.fingerprints.recipe == among.fingerprints.recipe
    assert (alone.fingerprints.words == among.fingerprints.words[:2]).all()


def test_compare_weighs_a_phrase_of_the_batch_as_the_check_does() -> None:
    """What two texts alone would show, a batch that knows it as everybody's phrase does not."""
    phrase = english(999, 60).split()
    texts = []
    for n in range(24):
        words = phrase.copy()
        random.Random(n).shuffle(words)
        texts.append(english(n, 150) + " " + " ".join(words) + " " + english(100 + n, 150))
    batch = [Document(str(n), f"{n}.txt", text) for n, text in enumerate(texts)]
    found = core.check(batch)
    assert found.frequencies is not None
    assert found.frequencies.n == 24

    alone = core.compare(batch[3], batch[7])
    inside = core.compare(batch[3], batch[7], result=found)

    assert not alone.passages.weak.all()
    assert not (found.table.passages > 0).any()
    assert inside.passages.weak.all()
    assert (inside.passages.kind != PASSAGE_KINDS.index("reworded")).all()


@pytest.mark.parametrize(("words", "noted"), [(199, True), (200, False)])
def test_a_text_is_called_short_below_so_many_words(words: int, noted: bool) -> None:
    content = " ".join(f"word{n}" for n in range(words))
    result = core.check([Document.from_text(content, name=name) for name in "ab"])

    assert result.lengths[0] == words
    assert ("short" in {note.code for note in result.documents[0].notes}) == noted


def test_a_long_text_of_another_script_is_not_called_short() -> None:
    russian = "Весной в этом саду снова цветут старые яблони, и дети бегут к реке. " * 20
    texts, _ = core.read(checking.uploads([(f"{n}.txt", russian.encode()) for n in "ab"])[0])
    result = core.check(texts)

    codes = [{note.code for note in document.notes} for document in result.documents]
    assert codes == [{"other_language"}, {"other_language"}]


def test_fail_on_sees_near_pairs_without_shared_passages(documents: list[Document]) -> None:
    found = core.check(documents, settings=core.Settings(passages=False))

    assert not found.total_overlap.any()
    assert _has_found(found, 0.5)


def test_a_page_that_many_hold_is_one_passage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "AFFORDABLE_TOKENS", -1.0)
    monkeypatch.setattr(candidates, "MANY_HOLDERS", 8)
    texts = [english(n, 120) for n in range(36)]
    texts[:12] = [f"{text}\n\n{english(99, 150)}" for text in texts[:12]]
    texts[5], texts[9] = (f"{texts[at]}\n\n{english(98, 40)}" for at in (5, 9))
    result = core.check_texts(texts, settings=core.Settings(meaning="off"))

    table, pairs, shared = result.table, result.table.pairs, np.flatnonzero(result.table.passages)
    partners = np.bincount(np.append(pairs.left[shared], pairs.right[shared]))
    assert partners[:12].min() >= 3 and len(shared) < 12 * 11 / 2
    assert set(shared) >= set(np.flatnonzero(table.containment >= CONTAINMENT))
    assert np.diff(result.common.first).max() == 12
    cases = np.flatnonzero(pair_cases(result))
    assert [*pairs.left[cases], *pairs.right[cases]] == [5, 9]
    assert [one.params["most"] for one in result.guarantees if one.code == "held_by_many"] == [8]
