"""The prepared class: each exclusion takes away exactly what is marked, and nothing else moves."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import numpy as np
import pytest

from simhash_core import CheckResult, Document, Settings, check, gather, read
from simhash_core.people.authorship import list_hand_ins, name_documents
from simhash_core.people.roster import Member, read_class_list
from simhash_core.seen import ZONE_KINDS, Effect, Excluder, Exclusions, turn_switch

Expected = dict[str, dict[str, int]]
ZIP = "Creative-Writing-A-place-at-night-40123.zip"


@pytest.fixture(scope="module")
def listed(samples: Path) -> list[Member]:
    file = samples / "exclusions" / "class-list.csv"
    return read_class_list(file.read_bytes(), name=file.name)


@pytest.fixture(scope="module")
def handed_in(samples: Path, listed: list[Member]) -> list[Document]:
    """The class as it comes: files, a Moodle zip, an earlier year, and the list."""
    root = samples / "exclusions"
    files = [path for path in sorted(root.iterdir()) if path.suffix in (".txt", ".zip")]
    sources, _ = gather([path for path in files if not path.name.startswith("task")])
    earlier, _ = gather([root / "earlier"])
    documents, skipped = read([*sources, *earlier])
    assert skipped == []
    return name_documents(documents, listed=listed)


@pytest.fixture(scope="module")
def checked(handed_in: list[Document]) -> CheckResult:
    return check(handed_in)


@pytest.fixture(scope="module")
def excluder(checked: CheckResult) -> Excluder:
    return Excluder(checked)


@pytest.fixture(scope="module")
def tasks(samples: Path) -> tuple[str, ...]:
    return tuple(
        (samples / "exclusions" / f"task-{n}.txt").read_text("utf-8") for n in ("zh", "en")
    )


@pytest.fixture(scope="module")
def expected(samples: Path) -> Expected:
    by_kind: Expected = defaultdict(dict)
    with (samples / "exclusions" / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["file"].removeprefix("earlier/")
            by_kind[row["kind"]][name] = int(row["characters"])
    return by_kind


def test_the_class_is_what_its_sources_say(samples: Path, building: ModuleType) -> None:
    root, sources = samples / "exclusions", samples / "sources" / "exclusions"
    with ZipFile(root / ZIP) as archive:
        inside = {name: archive.read(name).decode() for name in archive.namelist()}

    for source, file in building.EXCLUSIONS.items():
        plain, _ = building.without_marks((sources / f"{source}.txt").read_text("utf-8"))
        assert (root / file).read_text("utf-8") == plain
    for source, file in building.MOODLE.items():
        assert inside[file] == building.without_marks((sources / f"{source}.txt").read_text())[0]


def test_downloads_of_platforms_hold_the_texts_of_other_samples(
    samples: Path, building: ModuleType
) -> None:
    for name, members in building.PLATFORMS.items():
        with ZipFile(samples / "platforms" / name) as archive:
            inside = {member: archive.read(member) for member in archive.namelist()}
        assert inside == {file: (samples / path).read_bytes() for file, path in members.items()}


@pytest.mark.parametrize("kind", [*ZONE_KINDS, "template"])
def test_each_exclusion_takes_away_what_is_marked(
    kind: str, excluder: Excluder, expected: Expected, tasks: tuple[str, ...]
) -> None:
    chosen = Exclusions(templates=tasks) if kind == "template" else Exclusions(zones=(kind,))
    view = excluder.apply(chosen)
    names = [document.name for document in view.before.documents]

    assert dict(zip(names, view.excluded.tolist(), strict=True)) == {
        name: expected[kind].get(name, 0) for name in names
    }
    assert view.characters.tolist() == [
        len(re.findall(r"[^\W_]|(?<=[a-z])'(?=[a-z])", document.text))
        for document in view.before.documents
    ]


@pytest.mark.parametrize("kind", [*ZONE_KINDS, "template"])
def test_passages_without_anything_left_out_do_not_move(
    kind: str, excluder: Excluder, tasks: tuple[str, ...]
) -> None:
    chosen = Exclusions(templates=tasks) if kind == "template" else Exclusions(zones=(kind,))
    view = excluder.apply(chosen)
    before, after = view.before, view.result
    ends = {
        "a": (before.table.pairs.left, before.passages.a_start, before.passages.a_end),
        "b": (before.table.pairs.right, before.passages.b_start, before.passages.b_end),
    }
    untouched = [
        passage
        for passage, pair in enumerate(before.passages.pair.tolist())
        if not any(
            zone.start < end[passage] and start[passage] < zone.end
            for rows, start, end in ends.values()
            for zone in view.spans[int(rows[pair])]
        )
    ]
    kept = {tuple(row) for row in zip(*after.passages.columns(), strict=True)}

    for passage in untouched:
        assert tuple(column[passage] for column in before.passages.columns()) in kept
    assert np.array_equal(after.table.pairs.left, before.table.pairs.left)
    quiet = sorted(set(range(len(before.table))) - _touched(before, untouched))
    # the same units in common, of those that count
    assert np.array_equal(after.table.parts[quiet], before.table.parts[quiet])
    ends = np.stack([before.table.pairs.left, before.table.pairs.right], axis=1)[quiet]
    counted = after.division[:, :4].sum(axis=1)[ends]
    shares = np.stack([after.table.coverage_a, after.table.coverage_b], axis=1)[quiet]
    assert shares * counted == pytest.approx(after.table.parts[quiet].sum(axis=2), abs=1e-3)


def _touched(before: CheckResult, untouched: list[int]) -> set[int]:
    """Rows of pairs of which some passage holds what was left out."""
    moved = set(range(len(before.passages))) - set(untouched)
    return {int(before.passages.pair[passage]) for passage in moved}


def test_effects_are_those_counted_by_hand(excluder: Excluder, tasks: tuple[str, ...]) -> None:
    nothing = Exclusions()
    plain = ("quotations", "references", "acknowledgements", "same_person", "same_group")
    wanted = {name: turn_switch(nothing, name) for name in plain}
    wanted["template"] = turn_switch(nothing, "template", tasks)
    wanted["short"] = turn_switch(nothing, "short", 80)

    assert excluder.effects(nothing, wanted) == {
        "quotations": Effect(63 + 63 + 45 + 45, 2, 0),
        "references": Effect(2 * 62 + 2 * 14, 2, 1),
        "acknowledgements": Effect(28, 0, 0),
        "same_person": Effect(0, 1, 1),
        "same_group": Effect(0, 7, 5),
        "template": Effect(3 * 84 + 2 * 59, 4, 1),
        # in words: task sheet and quotation of Moore and Carter, references of Moore and Diaz; in
        # characters: quotation and references of 李青 and 吴桐
        "short": Effect(0, 5, 2),
    }


def test_authors_groups_and_missing_hand_ins_and_earlier_work(
    handed_in: list[Document], listed: list[Member]
) -> None:
    rows = list_hand_ins(handed_in, [], listed)
    assert [one.member.person for one in rows if one.state == "missing"] == ["孙荷", "Dan Evans"]
    assert [document.meta["person"] for document in handed_in] == [
        *("Alice Moore", "Ben Carter", "Chloe Diaz", "李青", "周宁", "吴桐", "郑一", "李青")
    ]
    assert {document.meta["group"] for document in handed_in} == {"一组", "二组", "三组"}

    result = check(handed_in[:-1], against=handed_in[-1:], settings=Settings(skip_same_person=True))
    rows = {3, 7}
    pairs = zip(result.table.pairs.left.tolist(), result.table.pairs.right.tolist(), strict=True)
    assert all({left, right} != rows for left, right in pairs)
    assert result.guarantees[-1].code == "same_author"
