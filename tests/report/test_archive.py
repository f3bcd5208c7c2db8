"""One archive with a report for each reader."""

from __future__ import annotations

import io
import zipfile

import pytest

from simhash_core import Document, check
from simhash_core.model import Decisions
from simhash_core.report import Wanted, for_readers, write_archive
from simhash_core.result import CheckResult

from .conftest import MADE
from .test_person import A, B, C


def test_each_person_of_a_confirmed_case_gets_a_file(
    essays: CheckResult, decisions: Decisions
) -> None:
    wanted = Wanted(kind="confirmed", made=MADE, checked=MADE, decisions=decisions)
    each = for_readers(essays, wanted, ("person", "class", "confirmed"))
    confirmed = {
        key for pair, one in decisions.items() if one.verdict == "confirmed" for key in pair
    }
    rows = [row for row, one in enumerate(essays.documents) if one.id in confirmed]

    assert [(one.kind, one.rows) for one in each] == [
        *(("person", (row,)) for row in rows),
        ("class", ()),
        ("confirmed", ()),
    ]
    assert for_readers(essays, wanted, ("class",)) == [each[-2]]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_archive_holds_every_report_under_a_name_of_its_own(language: str) -> None:
    texts = [
        Document.from_text(text, name=f"{n}.txt", person="林晓雨" if n < 2 else "王梓涵")
        for n, text in enumerate((A, B, C))
    ]
    result = check(texts)
    wanted = [
        *(Wanted(kind="person", rows=(row,), made=MADE, checked=MADE) for row in range(3)),
        Wanted(kind="class", made=MADE, checked=MADE),
    ]
    told: list[tuple[int, int]] = []
    data, name = write_archive(
        result, wanted, "html", language, progress=lambda _, done, n: told.append((done, n))
    )
    archive = zipfile.ZipFile(io.BytesIO(data))
    names = archive.namelist()

    assert name.endswith(".zip")
    assert len(names) == len(set(names)) == 4
    assert sum("林晓雨" in one for one in names) == 2
    assert all(archive.read(one).startswith(b"<!doctype html") for one in names)
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
