"""A report says which cases were decided together, and of the others nothing."""

from __future__ import annotations

from datetime import datetime

import pytest

from simhash_core.i18n import translator
from simhash_core.model import Decision, pair_key
from simhash_core.report import Wanted, report_of, write_report
from tests import task_class


@pytest.mark.parametrize(("language", "words"), [("zh", "一并判断"), ("en", "decided together")])
@pytest.mark.parametrize("together", [True, False])
def test_a_report_says_what_was_decided_together(language, words, together):
    result = task_class.checked()
    key = pair_key(result.documents[0].id, result.documents[1].id)
    wanted = Wanted(
        kind="confirmed",
        made=datetime(2026, 11, 23, 9, 0),
        decisions={key: Decision("confirmed", together=together)},
    )
    report = report_of(result, wanted, translator(language))
    page = write_report(report, "html", language).decode("utf-8")

    assert (words in page) == together
