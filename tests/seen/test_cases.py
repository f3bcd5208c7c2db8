"""The number of a case, and what was decided about one that a result does not list."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest

from simhash_core.cases import group_key
from simhash_core.checking.pipeline import run_check
from simhash_core.checking.scope import TextScope
from simhash_core.model import Document
from simhash_core.people.names import Authorship
from simhash_core.request import forget, forget_texts
from simhash_core.seen import (
    Exclusions,
    answer_by_pairs,
    cases_of,
    keep_result,
    list_answered_cases,
    lost_cases,
    seen_by,
    view_at_threshold,
)
from simhash_core.storage import Project, Subject
from tests.prose import chinese


def text(name: str, *seeds: int) -> Document:
    return Document.from_text("\n".join(chinese(seed, 200) for seed in seeds), name=f"{name}.txt")


A, B, C, OLD = text("a", 1, 2), text("b", 1, 3), text("c", 4, 3), text("old", 4, 5)


def check(project: Project, documents: Sequence[Document], *references: Document) -> None:
    project.save_documents(documents)
    project.save_beside(replace(project.beside(), references=references))
    project.save_result(run_check(documents, TextScope(references=references)))


def listed(project: Project) -> dict[str, int]:
    result = project.result()
    assert result is not None
    cases = cases_of(project, result, view_at_threshold(result, result.threshold))
    names = [one.name.removesuffix(".txt") for one in result.documents]
    return {"-".join(sorted((names[one.a], names[one.b]))): one.number for one in cases}


def lost(project: Project) -> list[tuple[int, tuple[str, str], str, str]]:
    result = project.result()
    assert result is not None
    cases = cases_of(project, result, view_at_threshold(result, result.threshold))
    found = lost_cases(project, result, cases)
    return [(one.number, one.names, one.decision.verdict, one.decision.note) for one in found]


def test_a_case_keeps_its_number_and_that_of_a_lost_one_is_never_given_again() -> None:
    project = Project.in_memory()
    check(project, [A, B, C], OLD)
    first = listed(project)
    assert sorted(first.values()) == [1, 2, 3]
    assert first.keys() == {"a-b", "b-c", "c-old"}
    check(project, [A, B])
    assert listed(project) == {"a-b": first["a-b"]}
    late = text("late", 2, 5)
    check(project, [late, B, A, C], OLD)
    assert listed(project) == {**first, "a-late": 4, "late-old": 5}


def test_a_renamed_file_keeps_its_case_and_other_files_of_its_words_have_their_own() -> None:
    project = Project.in_memory()
    again = Document.from_text(B.text, name="again.txt")
    check(project, [A, B])
    assert listed(project) == {"a-b": 1}
    check(project, [A, again])
    assert listed(project) == {"a-again": 1}
    check(project, [A, again, B])
    three = listed(project)
    # what all three hold is case 2
    assert three["a-again"] == 1 and sorted(three.values()) == [1, 3, 4]
    check(project, [A, B])
    assert listed(project) == {"a-b": three["a-b"]}


def test_a_decided_case_that_is_not_listed_is_named() -> None:
    project = Project.in_memory()
    check(project, [A, B, C], OLD)
    number = listed(project)["c-old"]
    pair = Subject.pair(C.id, OLD.id)
    project.decide([pair], verdict="confirmed", note="talk to both", reviewer="Wu")
    assert lost(project) == []
    check(project, [A, B, C])  # without last year
    ((held, names, *said),) = lost(project)
    assert (held, {*names}, said) == (number, {"c", "old"}, ["confirmed", "talk to both"])
    project.undo(project.decide([pair], verdict=""))
    check(project, [A, B, C], OLD)
    assert lost(project) == []


def test_the_same_words_of_another_file_do_not_hide_a_lost_case() -> None:
    project = Project.in_memory()
    again = Document.from_text(B.text, name="again.txt")
    check(project, [A, B, again])
    numbers = listed(project)
    project.decide([Subject.pair(A.id, B.id)], verdict="confirmed")
    check(project, [A, again])
    assert [(number, verdict) for number, _, verdict, _ in lost(project)] == [
        (numbers["a-b"], "confirmed")
    ]


def test_a_forgotten_text_leaves_no_case_and_no_number_to_be_given() -> None:
    project = Project.in_memory()
    check(project, [A, B, C])
    before = listed(project)
    project.decide([Subject.pair(B.id, C.id)], verdict="confirmed")
    forget_texts(project, [C.id])
    assert [one.ids for one in project.known_cases()] == [tuple(sorted((A.id, B.id)))]
    assert lost(project) == []
    check(project, [A, B, C])
    assert listed(project) == {"a-b": before["a-b"], "b-c": 3}


@pytest.mark.parametrize("handed_in_again", [True, False])
def test_a_forgotten_person_leaves_no_name_of_an_earlier_text(handed_in_again: bool) -> None:
    def by_kim(document: Document) -> Document:
        return replace(document, name="kim/essay.txt", meta={"person": "Kim Ito"})

    project = Project.in_memory()
    check(project, [by_kim(A), B, C])
    listed(project)
    project.decide([Subject.pair(A.id, B.id)], verdict="confirmed", note="a talk")
    project.decide([Subject.pair(B.id, C.id)], verdict="later")
    check(project, [*([by_kim(text("kim", 7))] if handed_in_again else []), B, C])
    assert "Kim Ito" in lost(project)[0][1]

    assert forget(project, Authorship(person="Kim Ito")) == 1
    assert lost(project) == []
    assert [one.ids for one in project.known_cases()] == [tuple(sorted((B.id, C.id)))]
    names = {name for one in project.history() for name in one.names} - {""}
    assert names == {"b.txt", "c.txt"}
    assert forget(project, Authorship(person="Kim Ito")) == 0


def test_what_was_said_of_a_passage_of_many_holds_with_a_late_text() -> None:
    """Given to all: of the late text too, and again when still another one comes."""
    sentence = chinese(50, 90)
    texts = [
        Document.from_text(
            f"{chinese(60 + n, 150)}\n{sentence}\n{chinese(80 + n, 150)}", name=str(n)
        )
        for n in range(6)
    ]
    project = Project.in_memory()
    first = run_check(texts[:4])
    keep_result(project, first, None)
    assert len(first.common) == 1
    project.decide([Subject.group(group_key(first, 0))], verdict="no_problem", reason="task_sheet")
    before = first
    for n in (5, 6):
        result = run_check(texts[:n])
        keep_result(project, result, before)
        assert group_key(result, 0) != group_key(before, 0)
        (answered,) = list_answered_cases(result, project)
        assert answered.answer == "task"
        assert len(seen_by(result, Exclusions(variants=True), project).result.passages) == 0
        before = result
    other = run_check([A, B, C])
    keep_result(project, other, before)
    assert list_answered_cases(other, project) == []


def test_the_answer_of_a_passage_is_kept_with_a_late_text() -> None:
    sentence = chinese(1, 60)
    texts = [
        Document.from_text(
            f"{chinese(60 + n, 150)}\n{sentence}\n{chinese(80 + n, 150)}", name=str(n)
        )
        for n in range(6)
    ]
    project = Project.in_memory()
    before = run_check(texts[:4])
    keep_result(project, before, None)
    (passage,) = list_answered_cases(before, project)
    project.decide([Subject.group(passage.key)], verdict="no_problem", reason="quotation")
    for n in (5, 6):
        result = run_check(texts[:n])
        keep_result(project, result, before)
        (held,) = list_answered_cases(result, project)
        assert (held.answer, len(held.members), held.number) == ("source", n, passage.number)
        assert held.key != passage.key
        view = seen_by(result, Exclusions(), project)
        assert view is not None and len(view.result.passages) == 0
        before = result


def test_pairs_that_were_all_decided_to_be_a_common_phrase_answer_their_passage() -> None:
    """Decisions of before a passage was one case; where one pair says otherwise nobody answered."""
    sentence = chinese(1, 60)
    texts = [
        Document.from_text(f"{chinese(60 + n, 150)}\n{sentence}", name=str(n)) for n in range(4)
    ]
    project = Project.in_memory()
    result = run_check(texts)
    keep_result(project, result, None)
    pairs = [Subject.pair(a.id, b.id) for a, b in itertools.combinations(result.documents, 2)]

    project.decide(pairs[1:], verdict="no_problem", reason="common")
    project.decide(pairs[:1], verdict="no_problem", reason="joint_work")
    answer_by_pairs(project, result)
    assert [one.answer for one in list_answered_cases(result, project)] == [""]
    project.decide(pairs[:1], verdict="no_problem", reason="common")
    assert [one.answer for one in list_answered_cases(result, project)] == [
        ""
    ]  # not under a reader
    answer_by_pairs(project, result)
    (passage,) = list_answered_cases(result, project)
    assert (passage.answer, passage.counts) == ("template", False)
    project.decide([Subject.group(passage.key)], verdict="confirmed")
    assert [one.answer for one in list_answered_cases(result, project)] == ["copied"]
