"""The groups of a check and its clusters by fingerprint, in both languages."""

from __future__ import annotations

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_texts import said, sent_to

from pages._ui.groups import clusters, map, page
from pages._ui.groups.map import MOST_DRAWN, MOST_IN_ROWS, WIDTH, place_group
from simhash_core import view_at_threshold
from simhash_core.cases import listed_cases
from simhash_core.checking import check_texts
from simhash_core.notation import han
from simhash_core.seen import HeldPassage, Wording, distance_matrix, join_groups
from tests.prose import chinese


def opened(open_app, result, **given):
    """Return the view of the groups with the fold of the clusters open."""
    app = open_app(result=result, view="groups", **given)
    app.switch_page("pages/results.py").run()
    app.session_state["alike_as_whole"] = True
    return app.run()


def test_groups_are_counted_and_the_largest_is_shown(open_app, language, result):
    app = opened(open_app, result, language=language)
    sent, groups = sent_to(app, "groups"), join_groups(result, listed_cases(result))
    assert len(sent["groups"]) == len(groups) > 3
    assert [len(one["members"]) for one in sent["groups"]] == [len(g.members) for g in groups]
    assert [head for head, _ in sent["sheet"]["heads"]] == [
        one["name"] for one in sent["groups"][0]["members"]
    ]
    cells = [{*row["cells"]} for row in sent["sheet"]["rows"]]
    assert cells and all(one <= {"own", "few", "changed", ""} for one in cells)
    inside = sum(len(one.members) for one in groups)
    assert sent["outside"] == len(result.documents) - inside
    control = next(one for one in app.button_group if one.key == "results_view")
    assert any(label.endswith(f" {len(groups)}") for label in control.options)


def test_hidden_names_are_not_sent(open_app, result):
    app = opened(open_app, result)
    app.session_state["hide_names"] = True
    app.run()
    drawn = [sent_to(app, name) for name in ("groups", "clusters")]
    sent = said(app) + json.dumps(drawn, ensure_ascii=False)
    for document in result.documents:
        assert document.name not in sent
        assert document.name.rpartition(".")[0] not in sent


def test_nobody_joined_is_one_sentence(open_app):
    alone = check_texts({f"{n}.txt": chinese(300 + n, 200) for n in range(3)})
    app = opened(open_app, alone, language="zh")
    assert "没有谁和谁连在一起。" in said(app)
    assert "没有整篇相近到这条线以内的文本。" in said(app)


@pytest.mark.parametrize(
    ("wordings", "sentence"),
    [
        ([("一年多", "两年", (2,))], "；二把“一年多”写作“两年”"),
        ([("一年多", "", (1, 2))], "；一、二没有“一年多”"),
        ([("", "又", (1,)), ("他", "她", (2,))], "；一多了“又”；二把“他”写作“她”"),
        ([("字" * 13, "两年", (2,))], "；1 处换了词"),
        ([("甲", "乙", (1,))] * 3, "；3 处换了词"),
        ([], "；说法不同"),
    ],
)
def test_few_words_that_differ_are_told_and_many_are_counted(monkeypatch, wordings, sentence):
    monkeypatch.setattr(page.session, "language", lambda: "zh")
    monkeypatch.setattr(page.session, "hide_names", lambda: False)
    monkeypatch.setattr(map, "find_naming", lambda: SimpleNamespace(short="零一二".__getitem__))
    held = HeldPassage(3, 34, {0: (0, 9)}, frozenset({2}), tuple(Wording(*one) for one in wordings))
    assert page._say_wordings(held, "zh-CN") == sentence


@given(st.integers(2, 60), st.data())
def test_names_and_passages_of_a_map_lie_inside_and_apart(size, data):
    drawn = min(size, MOST_DRAWN)
    member = st.integers(0, drawn - 1)
    ends = st.tuples(member, member).filter(lambda one: one[0] != one[1])
    links = [(a, b, 40) for a, b in data.draw(st.sets(ends, max_size=9))]
    held = data.draw(st.lists(st.sets(member, min_size=min(3, drawn)), max_size=4))

    places = place_group(size, links, held if drawn > 2 else [])

    assert len(places.members) == drawn and len(places.ways) == len(links)
    for (x, y), (u, v) in itertools.combinations(places.members, 2):
        assert np.hypot(x - u, y - v) > 23
    for (x, y), (u, v) in itertools.combinations(places.passages, 2):
        assert abs(x - u) >= 90 or abs(y - v) >= 36
    for x, y in (*places.members, *places.passages):
        assert 11 < x < WIDTH - 11 and 11 < y < places.height - 11
    if size <= MOST_IN_ROWS:
        assert all(
            abs(y - v) >= 36 for _, y in places.passages for _, v in places.members
        )  # no name behind a passage


def test_a_pair_stands_side_by_side_and_a_chain_one_under_the_other():
    (left, right), _, ((_, label),) = (
        (one := place_group(2, [(0, 1, 90)], [])).members,
        one.passages,
        one.ways,
    )
    assert left[1] == right[1] == label[1] and left[0] < label[0] < right[0]
    chain = place_group(4, [(0, 1, 90), (2, 3, 80), (1, 2, 20)], []).members
    assert chain[1][0] == chain[2][0]  # whom the thin line joins stand in one column


# --------------------------------------------------------------------------- clusters


def test_clusters_show_the_largest_and_follow_the_threshold(open_app, language, result):
    app = opened(open_app, result, language=language)
    drawn = sent_to(app, "clusters")
    found = view_at_threshold(result, result.threshold).clusters
    assert [len(one["members"]) for one in drawn["groups"]] == [len(one.members) for one in found]
    members = {result.documents[row].name for row in found[0].members}
    assert {member["whole"] for member in drawn["groups"][0]["members"]} == members
    rows = drawn["sheet"]["rows"]
    assert [row["text"].partition(" ")[2] for row in rows] == [
        member["whole"].rpartition(".")[0] for member in drawn["groups"][0]["members"]
    ]
    assert all(row["cells"][at] == "" for at, row in enumerate(rows))
    assert str(result.fingerprints.bits) in said(app)
    assert any(part.key == "python_lines" for part in app.download_button)
    app.slider(key="k").set_value(0).run()
    drawn = sent_to(app, "clusters")
    assert len(drawn["groups"]) == len(view_at_threshold(result, 0).clusters)


def test_a_cluster_that_is_looked_at_has_a_report(open_app, result):
    app = open_app(result=result, view="groups")
    app.switch_page("pages/results.py").run()
    kinds = next(one for one in app.button_group if one.key == "report_kind")
    assert len(kinds.options) == 2
    app.session_state["alike_as_whole"] = True
    app.run()
    kinds = next(one for one in app.button_group if one.key == "report_kind")
    assert len(kinds.options) == 3


def test_the_lines_of_a_cluster_hold_it_together_by_its_closest_pairs(open_app, result):
    app = opened(open_app, result)
    drawn = sent_to(app, "clusters")
    view = view_at_threshold(result, result.threshold)
    for cluster, one in zip(view.clusters, drawn["groups"], strict=True):
        order = clusters.sort_by_distance(result, cluster)
        assert order[0] == cluster.centre and sorted(order) == list(cluster.members)
        distance = distance_matrix(result, order)
        assert (np.diff(distance[0].astype(int)) >= 0).all()
        assert [member["row"] for member in one["members"]] == order
        joined = {order[0]}
        for link in one["links"]:
            a, b = (order.index(row) for row in link["pair"])
            assert link["words"] in (str(distance[a, b]), "–")
        assert len(one["links"]) == len(order) - 1
        while more := {row for link in one["links"] if {*link["pair"]} & joined
                       for row in link["pair"]} - joined:  # fmt: skip
            joined |= more
        assert joined == {*order}


def test_numerals_of_groups_are_chinese():
    assert [han(n) for n in (1, 10, 12, 20, 31, 100)] == [
        *("一", "十", "十二", "二十", "三十一", "100")
    ]
