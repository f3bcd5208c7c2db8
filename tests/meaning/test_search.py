"""The same statements in other words in a check: what is found, and what it must not touch."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from ngrams import NgramEncoder, reworded, sentences, written

from simhash_core import CheckResult, Document, Settings, check, policy
from simhash_core.checking.pipeline import run_check
from simhash_core.errors import BadInput, Cancelled
from simhash_core.i18n import translator
from simhash_core.library import LibraryScope
from simhash_core.library import scope as library_scope
from simhash_core.library import sentences as library_sentences
from simhash_core.machine.workers import WorkerPool
from simhash_core.meaning import likely, search
from simhash_core.meaning.search import Shared, covered, meaning_facts, meanings_of
from simhash_core.meaning.units import units_of
from simhash_core.meaning.vectors import rounded, unit
from simhash_core.model import I16, I64, PASSAGE_KINDS, Bools, KeptVectors, Pairs, Passages
from simhash_core.request import Request, forget_texts, run
from simhash_core.result import Meanings
from simhash_core.seen.exclusion_view import exclude
from simhash_core.seen.exclusions import Exclusions
from simhash_core.storage import Project, Texts
from simhash_core.storage.codec import pack, unpack
from simhash_core.storage.library import Library, prepare

ON = Settings(meaning="on")


def batch(n: int = 20) -> list[Document]:
    """Texts of 14 sentences; text 1 says five of text 0 in other words."""
    texts = [sentences(seed, 14) for seed in range(n)]
    texts[1][4:9] = reworded(texts[0][6:11], 99)
    return [Document.from_text(written(rows), name=str(at)) for at, rows in enumerate(texts)]


def none_apart(left: I64, right: I64) -> Bools:
    return np.zeros(len(left), np.bool_)


def nothing_shared() -> Shared:
    result = check([], settings=Settings(meaning="off"))
    return Shared(result.table.pairs, result.passages)


def found(
    documents: list[Document],
    shared: Shared | None = None,
    *,
    first_reference: int | None = None,
    apart: Callable[[I64, I64], Bools] = none_apart,
    pool: WorkerPool | None = None,
    step: Callable[[str, int, int], None] = lambda *_: None,
    kept: KeptVectors | None = None,
    encoder: NgramEncoder = NgramEncoder(),  # noqa: B008  frozen
) -> Meanings:
    return meanings_of(
        documents,
        shared or nothing_shared(),
        first_reference=len(documents) if first_reference is None else first_reference,
        apart=apart,
        pool=pool or WorkerPool(1),
        step=step,
        kept=kept,
        encoder=encoder,
    )


def columns(meanings: Meanings) -> dict[str, object]:
    held = {spec.name: getattr(meanings, spec.name) for spec in fields(meanings)}
    arrays = {k: v for k, v in held.items() if isinstance(v, np.ndarray)}
    known = {k: np.nan_to_num(v, nan=-1).tolist() for k, v in arrays.items()}
    return {**held, **known}


def test_another_encoder_finds_what_shares_its_words() -> None:
    documents = batch()
    meanings = found(documents)

    assert meanings.pairs() == [(0, 1)]
    assert (meanings.compared, meanings.possible) == (190, 190)
    rows = meanings.answers.tolist()
    assert len(rows) == 5
    for a_start, a_end, b_start, b_end in rows:
        one, other = (set(documents[row].text[low:high].lower().strip(".").split())
                      for row, low, high in ((0, a_start, a_end), (1, b_start, b_end)))  # fmt: skip
        assert len(one & other) >= 8
    assert (meanings.closeness > meanings.next_best).all()


def test_workers_and_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = batch()
    whole = columns(found(documents))
    for name in ("TASK_UNITS", "TASK_CELLS", "TASK_PRODUCTS"):
        monkeypatch.setattr(search, name, 100)

    assert columns(found(documents)) == whole


def test_what_words_have_found_is_looked_at_no_more() -> None:
    documents = batch(3)
    a, b = (Document.from_text(written(rows), name="") for rows in (
        sentences(0, 14)[6:11], sentences(1, 14)))  # fmt: skip
    meanings = found(documents)
    places = [int(getattr(meanings, name)[0]) for name in ("a_start", "a_end", "b_start", "b_end")]

    assert a.text in documents[0].text
    assert b.text != documents[1].text
    assert len(found(documents, shared_passage(places, weak=False))) == 0
    assert len(found(documents, shared_passage(places, weak=True))) == 1


def shared_passage(places: list[int], *, weak: bool) -> Shared:
    """Return texts 0 and 1 with one passage."""
    one = {spec.name: np.zeros(1, getattr(nothing_shared().passages, spec.name).dtype)
           for spec in fields(Passages)}  # fmt: skip
    for name, place in zip(("a_start", "a_end", "b_start", "b_end"), places, strict=True):
        one[name][0] = place
    one["weak"][0] = weak
    none = nothing_shared().pairs
    ends = {"left": np.array([0]), "right": np.array([1])}
    distance = np.zeros(1, none.distance.dtype)
    return Shared(Pairs(**ends, distance=distance), Passages(**one))


@pytest.mark.parametrize("true", [True, False])
def test_a_summary_by_words_is_measured_by_its_sentences(*, true: bool) -> None:
    documents = batch(3)
    whole, last = len(documents[0].text), len(documents[1].text)
    answers = found(documents)
    start, end = (int(answers.b_start[0]), int(answers.b_end[0])) if true else (last - 400, last)
    shared = shared_passage([0, whole, start, end], weak=False)
    shared.passages.kind[0] = PASSAGE_KINDS.index("summary")
    meanings = found(documents, shared)

    assert meanings.summarised.tolist() == [[0, 1]]
    assert (meanings.summary_lead[0] > policy.SUMMARY_LEAD) == true
    assert columns(meanings.renumbered(np.array([0, 1])))["summarised"] == [[0, 1]]
    assert columns(unpack(pack(meanings)[0], Meanings, texts=str)) == columns(meanings)


def test_a_pair_that_shares_more_than_a_summary_is_not_measured() -> None:
    documents = batch(3)

    assert not len(found(documents, shared_passage([0, 90, 0, 90], weak=False)).summarised)


def test_pairs_apart_and_references_are_not_compared() -> None:
    documents = batch(4)

    assert found(documents, first_reference=0).possible == 0
    assert found(documents, first_reference=1).pairs() == [(0, 1)]
    assert found(documents[2:] + documents[:2], first_reference=2).pairs() == []
    apart = found(documents, apart=lambda left, right: np.asarray(left + right == 1))
    assert (len(apart), apart.possible) == (0, 5)


def test_short_texts_need_no_encoder() -> None:
    class Never(NgramEncoder):
        def embed(self, units: object) -> None:
            pytest.fail("asked")

    documents = [Document.from_text("One sentence of eight words is all here.", name=str(n))
                 for n in range(3)]  # fmt: skip
    meanings = meanings_of(documents, nothing_shared(), first_reference=3, apart=none_apart,
                           pool=WorkerPool(1), step=lambda *_: None, encoder=Never())  # fmt: skip

    assert (len(meanings), meanings.possible) == (0, 0)
    assert [fact.code for fact in meaning_facts(meanings, None)] == ["meaning_no_pairs"]


def test_many_pairs_are_aligned_by_their_strongest_sentences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = batch(40)
    monkeypatch.setattr(search, "MEANING_PAIRS", 100)
    monkeypatch.setattr(search, "MEANING_LIKELY", 3)
    monkeypatch.setattr(search, "SAMPLED_PAIRS", 10)
    monkeypatch.setattr(likely, "TASK_UNITS", 200)
    monkeypatch.setattr(likely, "_QUERIES", 50)
    monkeypatch.setattr(search._Batch, "mapped", in_this_process)

    meanings = found(documents)

    assert meanings.pairs() == [(0, 1)]
    assert 60 <= meanings.compared <= 130
    assert meanings.possible == 780
    assert "meaning_likely" in [fact.code for fact in meaning_facts(meanings, None)]


def test_a_shortlist_knows_the_source_among_formulae() -> None:
    """What many texts say takes nothing from what one text says: it must not end in ties."""
    draw = np.random.default_rng(4)
    formulae = unit(draw.normal(size=(3, 32)))
    texts = [np.concatenate([formulae, unit(draw.normal(size=(4, 32)))]) for _ in range(60)]
    texts[1][4] = unit(texts[0][4:5] + 0.8 * unit(draw.normal(size=(1, 32))))[0]
    rows = [rounded(one) for one in texts]
    short = [likely.coarse(one) for one in rows]
    scores = likely.strength(
        likely.nearest_texts(short[0], np.concatenate(short), np.arange(0, 421, 7))
    )

    assert np.argsort(-scores)[:2].tolist() == [0, 1]


def in_this_process(self, function, tasks, percent, *, inline):  # type: ignore[no-untyped-def]
    return [function(task) for task in tasks]


def test_a_search_is_stopped() -> None:
    def step(stage: str, done: int, total: int) -> None:
        if stage == search.STAGE:
            raise Cancelled

    with pytest.raises(Cancelled):
        found(batch(4), step=step)


def test_unrelated_pairs_say_what_chance_gives() -> None:
    meanings = found(batch(24))

    assert (meanings.compared, meanings.possible) == (276, 276)
    assert len(meanings.unrelated) >= policy.MEANING_UNRELATED
    assert (np.diff(meanings.unrelated) >= 0).all()
    assert len(found(batch(8)).unrelated) == 0


def test_places_in_ranges_by_half() -> None:
    def ranges(*rows: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        table = np.array(rows, np.int32).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    places = ranges((0, 10), (10, 20), (20, 30), (30, 40))

    assert covered(places, ranges((0, 5), (12, 16), (3, 4), (22, 40))).tolist() == [
        True, False, True, True,
    ]  # fmt: skip
    assert covered(places, ranges((25, 28), (0, 4), (24, 29))).tolist() == [
        False, False, True, False,
    ]  # fmt: skip
    assert not covered(places, ranges()).any()


# --------------------------------------------------------------------------- vectors that are kept


class Counting(NgramEncoder):
    """Notes which sentences it was asked for."""

    asked: ClassVar[list[str]] = []

    def embed(self, units: Sequence[str]) -> I16:
        self.asked.extend(units)
        return super().embed(units)


def asked_for(documents: list[Document], kept: KeptVectors, **given: str) -> list[str]:
    """Return the texts of which a search makes vectors; it finds what one finds without `kept`."""
    Counting.asked.clear()
    meanings = found(documents, kept=kept, encoder=Counting(**given))
    assert columns(meanings) == columns(found(documents))
    asked = {*Counting.asked}
    return [one.name for one in documents if asked & {*units_of(one.text).sentences}]


def test_of_a_late_text_alone_vectors_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    documents, kept = batch(6), KeptVectors()

    assert len(asked_for(documents[:5], kept)) == 5
    assert asked_for(documents, kept) == ["5"]
    assert asked_for(documents[1:], kept) == []
    assert asked_for(documents, kept) == ["0"]  # it was gone
    assert len(asked_for(documents, kept, recipe="another")) == 6
    kept.rows = {key: rows[:, :-1] for key, rows in kept.rows.items()}  # a made-up file
    assert len(asked_for(documents, kept, recipe="another")) == 6
    monkeypatch.setattr(search, "MEANING_KEPT", 3 * 14)
    asked_for(documents, kept)
    assert asked_for(documents, kept) == ["3", "4", "5"]


def test_a_stored_check_keeps_vectors_of_its_texts_and_of_no_other(
    by_words: None, tmp_path: Path
) -> None:
    documents = batch(4)
    request = Request(texts=Texts(tuple(documents)), settings=replace(ON, passages=False))
    project, nothing_kept = Project.create(tmp_path / "a.leitong"), Project.in_memory()
    for one in (project, nothing_kept):
        run(request, project=one)

    assert len(project.vectors().rows) == 4
    assert nothing_kept.vectors().rows == {}
    forget_texts(project, [documents[0].id])
    assert len(project.vectors().rows) == 3
    for left in (2, 1, 0):  # where nothing can be compared any more, too
        forget_texts(project, [documents[3 - left].id])
        assert len(project.vectors().rows) == left
    run(request, project=project)
    assert len(project.vectors().rows) == 4
    run(replace(request, settings=replace(request.settings, meaning="off")), project=project)
    assert project.vectors().rows == {}


# --------------------------------------------------------------------------- in a check


@pytest.fixture
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder of the tests in place of the model."""
    from simhash_core.checking import pipeline

    def with_encoder(*given: object, **options: object) -> Meanings:
        return meanings_of(*given, **options, encoder=NgramEncoder())  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "meanings_of", with_encoder)
    monkeypatch.setattr(library_sentences, "UNIVERSAL", NgramEncoder())
    for room in (pipeline, library_scope):
        monkeypatch.setattr(room, "wants_meaning", lambda settings: settings.meaning != "off")
    monkeypatch.setattr(pipeline, "demand_meaning", lambda settings: None)


def plain(documents: list[Document], **given: object) -> CheckResult:
    """Check by meaning alone, so that nothing is found by words before."""
    return check(documents, settings=Settings(meaning="on", passages=False), **given)


def test_nothing_else_of_a_result_changes(by_words: None) -> None:
    on, off = (check(batch(4), settings=Settings(meaning=meaning)) for meaning in ("on", "off"))

    assert off.meanings is None
    assert on.meanings is not None
    np.testing.assert_array_equal(on.total_overlap, off.total_overlap)
    assert [fact for fact in on.guarantees if not fact.code.startswith("meaning")] == list(
        off.guarantees
    )


def test_json_lists_it_with_its_answers(by_words: None) -> None:
    from simhash_core.report.json import check_data

    data = check_data(plain(batch(4)), translator("en"))
    (pair,) = [one for one in data["pairs"] if "meaning" in one["evidence"]]
    (passage,) = pair["passages"]

    assert (pair["a"], pair["b"], pair["coverage_a"]) == ("0", "1", 0)
    assert passage["kind"] == "meaning"
    assert len(passage["answers"]) == 5
    assert passage["answers"][0]["closeness"] > passage["answers"][0]["next_best"]
    json.dumps(data)


def test_a_result_is_stored_with_it(by_words: None) -> None:
    result = plain(batch(4))
    data, texts = pack(result)
    again = unpack(data, CheckResult, texts=texts.__getitem__)

    assert columns(again.meanings) == columns(result.meanings)


def test_the_terminal_lists_pairs(by_words: None) -> None:
    from simhash_core.cli.terminal import print_result

    shown = print_result(plain(batch(4)), translator("en"), "en", to_file=True)

    assert "1 pair says the same in other words" in shown
    assert "0  ·  1  (5 places)" in shown


def test_templates_are_no_finding(by_words: None) -> None:
    documents = batch(4)
    given = [Document.from_text(written(sentences(0, 14)[6:11]), name="task")]

    assert plain(documents, templates=given).meanings.pairs() == []


def test_exclusions_take_findings_away_and_a_person_is_not_compared_with_itself(
    by_words: None,
) -> None:
    by_one = [replace(one, meta={"person": "Li"}) for one in batch(4)]
    result = plain(by_one)
    passage = written(sentences(0, 14)[6:11])
    assert len(result.meanings) == 1
    assert len(exclude(result, Exclusions(same_person=True)).result.meanings) == 0
    assert len(exclude(result, Exclusions(templates=(passage,))).result.meanings) == 0
    assert len(exclude(result, Exclusions(min_match=20)).result.meanings) == 1
    settings = Settings(meaning="on", passages=False, skip_same_person=True)
    assert check(by_one, settings=settings).meanings.possible == 0


def test_texts_of_a_library_are_compared_where_they_were_read(by_words: None) -> None:
    documents = batch(4)
    quoted = written(sentences(2, 14))
    with Library.in_memory() as library:
        source = Document.from_text(f"{documents[0].text}\n\n{quoted}", name="kept")
        library.add("all", [prepare(source)])
        new = Document.from_text(f"{documents[1].text}\n\n{quoted}", name="new")
        settings = Settings(meaning="on", passages=False)
        result = run_check([new], LibraryScope(library=library), settings=settings)

    assert result.meanings.pairs() == [(0, 1)]
    assert [one.name for one in result.documents] == ["new", "kept"]
    assert "meaning_library" in {fact.code for fact in result.guarantees}


def test_an_earlier_result_stands_whatever_it_looked_for(by_words: None) -> None:
    documents = batch(4)
    earlier = check(documents[:3], settings=Settings(meaning="off"))

    result = check(documents, settings=ON, earlier=earlier)

    assert "earlier" in {fact.code for fact in result.guarantees}
    assert result.meanings is not None


def test_off_and_not_installed() -> None:
    assert check(batch(3)).meanings is None
    assert check(batch(3), settings=Settings(meaning="off")).meanings is None
    with pytest.raises(BadInput, match="meaning"):
        check(batch(3), settings=ON)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_fact_has_a_sentence(language: str, by_words: None) -> None:
    t = translator(language)

    for result in (plain(batch(4)), plain(batch(4)[:1])):
        for fact in result.guarantees:
            assert "guarantee." not in t(f"guarantee.{fact.code}", **fact.params)


def test_columns_are_sorted_by_pair_and_place() -> None:
    documents = batch(6)
    meanings = found([*documents, *documents])
    keys = list(zip(*(getattr(meanings, name).tolist() for name in ("left", "right", "a_start")),
                    strict=True))  # fmt: skip

    assert keys == sorted(keys)
    assert all(a <= b for a, b in pairwise(meanings.first.tolist()))
