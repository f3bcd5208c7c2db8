"""The Compare page on a real check, in both languages."""

from __future__ import annotations

import json

import numpy as np
import pytest
from page_texts import numbers_of, row, said

import simhash_core as core
from pages._ui.components import pictures
from pages._ui.components.texts import prepare
from pages._ui.reader import pair
from pages._ui.shared.charts import find_strongest
from simhash_core import compare


@pytest.mark.parametrize("pair", ["1,1", "0,999", "0", "0,1,2", "", "zzzzzz,0"])
def test_a_link_that_names_no_two_texts_says_so(pair, open_app, language, result):
    app = open_app("results", language=language, result=result, pair=pair)

    assert {"zh": "不是这次检测里的两篇", "en": "names no two texts"}[language] in said(app)
    assert app.button(key="back") and not numbers_of(app)


@pytest.mark.parametrize("view", ["read", "prints"])
def test_compare_shows_a_pair_by_row_and_by_id(view, open_app, language, result):
    a, b = row(result, "08-"), row(result, "21-")
    app = open_app(
        "results",
        language=language,
        result=result,
        pair=f"{a},{result.documents[b].id[:10]}",
        show=view,
        unfolded=True,
    )
    shown = said(app)
    assert result.documents[a].name in shown and result.documents[b].name in shown
    distance = int(result.table.pairs.distance[_table_row(result, a, b)])
    assert str(distance) in set(numbers_of(app))
    assert said(app).count('<ul class="lt-votes"') == (2 if view == "prints" else 0)


def _table_row(result, a: int, b: int) -> int:  # type: ignore[no-untyped-def]
    pairs = result.table.pairs
    return int(((pairs.left == min(a, b)) & (pairs.right == max(a, b))).argmax())


def test_compare_is_swapped_stepped_through_and_read_without_names(open_app, result):
    a, b = row(result, "05-"), row(result, "18-")
    app = open_app("results", result=result, pair=f"{a},{b}", unfolded=True)
    before = numbers_of(app)
    app.button(key="swap").click().run()
    after = numbers_of(app)
    ids = [result.documents[one].id for one in (b, a)]
    turned = app.query_params["pair"].split(",")
    assert all(id.startswith(name) for id, name in zip(ids, turned, strict=True))
    assert (after[0], after[1], after[4]) == (before[1], before[0], before[4])
    # compare next and previous follow the table the reader came from
    app = open_app("results", language="en", result=result, pair="0,1")
    assert app.button(key="reader_next").disabled
    app.session_state["lt.pair_order"] = ((0, 1), (2, 3), (4, 5))
    app.run()
    assert app.button(key="reader_previous").disabled
    app.button(key="reader_next").click().run()
    assert app.query_params["pair"] == ",".join(result.documents[at].id[:12] for at in (2, 3))
    assert "pair 2 of 3" in said(app)
    # compare hides names everywhere
    a, b = row(result, "08-"), row(result, "21-")
    app = open_app("results", language="en", result=result, pair=f"{a},{b}")
    app.session_state["hide_names"] = True
    app.run()
    assert result.documents[a].name not in said(app)


def test_a_pair_is_found_quoted_and_explained_exactly(result):
    documents = result.documents
    assert pair.find_row(documents, "3") == 3
    assert pair.find_row(documents, documents[5].id[:8]) == 5
    assert pair.find_row(documents, documents[5].name) is None
    for wrong in ("", "-1", "²", str(len(documents)), documents[5].id[:3], "zz" * 32):
        assert pair.find_row(documents, wrong) is None
    # reader sheet quotes exactly what the offsets say
    a, b = (result.documents[row(result, name)] for name in ("05-", "18-"))
    compared = compare(a, b, settings=result.settings, result=result)
    sheet = prepare(compared, ("first", "second"))
    assert sheet["matches"]
    for side, document in zip(sheet["sides"], (a, b), strict=True):
        shown = "".join(run[0] for paragraph in side["paragraphs"] for run in paragraph)
        assert "".join(shown.split()) == "".join(document.text.split())
    owned = {run[1] for side in sheet["sides"] for p in side["paragraphs"] for run in p if run[1:]}
    assert owned - {-1} == set(range(len(sheet["matches"])))
    # votes shown and the rest add up to the sum of the bit
    compared = compare(*result.documents[:2], settings=result.settings, result=result)
    explained = compared.explain_a
    assert explained is not None
    for bit in range(0, compared.settings.bits, 17):
        shown, rest, others = find_strongest(explained, bit)
        assert len(shown) + others == len(explained.tokens)
        total = sum(vote for _, vote in shown) + rest
        assert total == pytest.approx(int(explained.sums[bit]) / 65536)


LEAD = {"zh": "一词独大", "en": "One word decides"}


@pytest.mark.long
@pytest.mark.parametrize("view", ["read", "prints"])
def test_compare_names_a_word_that_decides_alone_beside_the_bits(view, open_app, language):
    plain = " ".join(f"word{n}" for n in range(60))
    texts = [core.Document(f"{n:064}", f"{n}.txt", text) for n, text in enumerate(
        (plain, plain + " apple" * 40))]  # fmt: skip
    result = core.check(texts, settings=core.Settings(weighting="tf"))

    app = open_app("results", language=language, result=result, pair="0,1", show=view)

    assert said(app).count(LEAD[language]) == (view == "prints")


def test_every_line_of_compare_takes_the_threshold_in_force(open_app, language, result):
    a, b = row(result, "08-"), row(result, "21-")
    app = open_app("results", language=language, result=result, pair=f"{a},{b}", show="prints")
    k = result.threshold // 2
    app.session_state["k"] = k
    app.run()

    drawn = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    (grid,) = (data for data in drawn if isinstance(data, dict) and "blocks" in data)
    assert len(grid["blocks"]) == k + 1
    assert str(k + 1) in grid["words"]["blocks_note"]


LIKELY = {"zh": "不像偶然", "en": "not what chance gives"}


@pytest.mark.parametrize(("least", "spoken"), [(20, True), (50, False)])
def test_chance_is_said_in_words_and_not_of_a_small_class(
    least, spoken, open_app, language, result, monkeypatch
):
    monkeypatch.setattr("simhash_core.numbers.CHANCE_TEXTS", least)
    a, b = row(result, "08-"), row(result, "21-")
    monkeypatch.setattr("simhash_core.numbers.LONG_RUN", {"characters": 20, "words": 20})
    monkeypatch.setattr("simhash_core.numbers.COMMON_TEXTS", 99)
    app = open_app("results", language=language, result=result, pair=f"{a},{b}", unfolded=True)

    assert (LIKELY[language] in said(app)) == spoken
    assert "—" not in numbers_of(app)


def test_a_passage_is_left_out_of_the_whole_check(open_app, language, result):
    a, b = row(result, "08-"), row(result, "21-")
    app = open_app("results", language=language, result=result, pair=f"{a},{b}", unfolded=True)
    before = numbers_of(app)

    app.button(key="leave_out").click().run()

    assert not app.exception
    assert numbers_of(app) != before
    assert 1 <= len(exclusions_of(app).passages) <= 2


@pytest.mark.parametrize(("words", "offered"), [(6, False), (10, True)])
def test_only_a_passage_that_a_rule_can_find_is_offered(words, offered, open_app):
    text = " ".join(f"word{n}" for n in range(words))
    result = core.check([core.Document.from_text(text, name=name) for name in "ab"])
    app = open_app("results", result=result, pair="0,1")

    assert len(result.passages) == 1
    assert ("leave_out" in {button.key for button in app.button}) == offered
    if offered:
        app.button(key="leave_out").click().run()
        assert not len(app.session_state["lt.check"].result.passages)


def exclusions_of(app):
    """The rules in force in a session."""
    return app.session_state["lt.check"].left_out.exclusions


def test_bits_are_drawn_by_their_margin_and_the_firmest_opens():
    a, b = np.array([1, 0, 1, 1], bool), np.array([1, 1, 0, 1], bool)
    firm, weak = np.array([0.9, 0.5, 0.3, 0.8]), np.array([0.9, 0.1, 0.2, 0.7])
    assert pictures.first_bit(a, b, firm, weak) == 2
    assert pictures.first_bit(a, a, firm, weak) == 0
    # square sizes grow with the square root of the margin
    assert pictures.square_sizes(np.array([0.0, 0.1, 0.4]), 0.4) == [18, 49, 80]
    assert pictures.square_sizes(np.zeros(2), 0.0) == [18, 18]
