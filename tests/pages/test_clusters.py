"""The Clusters page on a real check, in both languages."""

from __future__ import annotations

import itertools
import json
import re

import numpy as np
import pytest
from page_texts import said, sent_to

from pages._ui.groups import members as groups
from pages._ui.groups.clusters import APART, chosen_change
from pages._ui.shared.widgets import threshold_top
from simhash_core import view_at_threshold
from simhash_core.notation import han
from simhash_core.seen import cluster_states, distance_matrix


def test_clusters_shows_the_largest_with_its_members_and_follows_the_threshold(
    open_app, language, result
):
    app = open_app("results", view="groups", language=language, result=result)
    drawn = sent_to(app, "cluster_board")
    clusters = view_at_threshold(result, result.threshold).clusters
    assert [entry["texts"] for entry in drawn["entries"]] == [len(c.members) for c in clusters]
    members = {result.documents[row].name for row in clusters[0].members}
    assert {member["whole"] for member in drawn["members"]} == members
    assert drawn["members"][0]["centre"]
    assert len(drawn["graph"]["places"]) == len(members)
    assert {"zh": "每一格是一次变化", "en": "each tick is one change"}[language] in said(app)
    # the picture says who joins and which state holds
    shown = said(app)
    states = cluster_states(result, threshold_top(result))
    assert shown.count('<div class="state') == len(
        chosen_change([one.threshold for one in states], result.threshold, threshold_top(result))
    )
    assert shown.count('<div class="state now') == 1
    assert re.sub("<b>.*?</span>", "", shown).count("<i") >= len(states)
    assert str(len(states)) in shown
    # clusters threshold moves the groups
    app.slider(key="k").set_value(0).run()
    n = len(view_at_threshold(result, 0).clusters)
    assert {"zh": f"{n} 个文本簇", "en": f"{n} cluster"}[language] in said(app)


def test_hidden_names_are_not_sent_to_the_board(open_app, result):
    app = open_app("results", view="groups", result=result)
    app.session_state["hide_names"] = True
    app.run()
    sent = said(app) + json.dumps(sent_to(app, "cluster_board"), ensure_ascii=False)
    for document in result.documents:
        assert document.name not in sent
        assert document.name.rpartition(".")[0] not in sent


def test_the_picture_of_a_cluster_has_its_lines_and_numbers(result):
    view = view_at_threshold(result, result.threshold)
    cluster = next(c for c in view.clusters if len(c.members) > 2)
    parts = groups.communities_of(result, cluster)
    order = groups.number_members(result, cluster, parts)
    drawn = groups.graph(result, view, cluster, parts)
    assert drawn is not None
    picture, lines = drawn
    assert [{order[link.a], order[link.b]} for link in picture.links] == [
        {line.left, line.right} for line in lines
    ]
    [weakest] = [link for link in picture.links if link.weakest]
    assert {order[weakest.a], order[weakest.b]} == set(cluster.weakest[:2])
    assert str(cluster.weakest[2]) in weakest.weakest
    # two members need no picture
    view = view_at_threshold(result, result.threshold)
    cluster = next(c for c in view.clusters if len(c.members) == 2)
    parts = groups.communities_of(result, cluster)
    assert groups.graph(result, view, cluster, parts) is None
    assert groups.matrix(result, cluster, cluster.members) is None
    # lines are the listed pairs inside and dashed where only passages join
    view = view_at_threshold(result, result.threshold)
    for cluster in view.clusters:
        drawn = groups.lines(result.table, view.within, view.listed, cluster.members)
        solid = sum(not line.by_passages for line in drawn)
        assert solid <= cluster.links <= len(drawn)
        assert all({line.left, line.right} <= set(cluster.members) for line in drawn)
    # members are numbered once each from the centre on
    for cluster in view_at_threshold(result, 110).clusters:
        order = groups.number_members(result, cluster, groups.communities_of(result, cluster))
        assert order[0] == cluster.centre
        assert sorted(order) == list(cluster.members)
        near = groups.sort_by_distance(result, cluster)
        distance = distance_matrix(result, near)[0].astype(int)
        assert (np.diff(distance) >= 0).all()
    # matrix has distances above and overlaps below
    rows = [0, 11, 3]
    table = result.table
    shares = groups.shares(result, rows)
    for share, (a, b) in zip(shares, itertools.combinations(rows, 2), strict=True):
        low, high = sorted((a, b))
        at = np.flatnonzero((table.pairs.left == low) & (table.pairs.right == high))
        wanted = max(table.coverage_a[at[0]], table.coverage_b[at[0]]) if len(at) else 0
        assert share == round(100 * float(wanted))


def test_parts_put_close_members_together_and_leave_nobody_out():
    near, far = 5, 90
    distances = np.full((7, 7), far, np.uint16)
    distances[1:4, 1:4] = distances[4:, 4:] = near
    distances[0] = distances[:, 0] = [0, 41, 40, 42, 31, 30, 32]
    np.fill_diagonal(distances, 0)
    assert groups.parts(distances, 0) == [[5, 4, 6], [2, 1, 3]]
    # parts of texts without fingerprints leave nobody out
    distances = np.full((5, 5), groups.NO_DISTANCE, np.uint16)
    parts = groups.parts(distances, 2)
    assert sorted(itertools.chain(*parts)) == [0, 1, 3, 4]


@pytest.mark.parametrize("sizes", [[2], [7], [12], [13], [30], [7, 7, 5], [1, 1, 20], [15, 15]])
def test_places_keep_every_node_apart_and_inside(sizes):
    numbers = iter(range(1, 100))
    spots, width, height = groups.places([[next(numbers) for _ in range(n)] for n in sizes])
    assert len(spots) == 1 + sum(sizes)
    for (x, y), (u, v) in itertools.combinations(spots, 2):
        assert np.hypot(x - u, y - v) > 23
    assert all(11 < x < width - 11 and 11 < y < height - 11 for x, y in spots)


@pytest.mark.parametrize("size", range(3, 20))
def test_places_let_no_line_between_members_run_through_the_centre(size):
    [(cx, cy), *around], _, _ = groups.places([range(size)])
    for (x, y), (u, v) in itertools.combinations(around, 2):
        a, b, c, d = x - cx, y - cy, u - cx, v - cy
        assert abs(a * d - b * c) > 100 or a * c + b * d > 0


def test_states_are_drawn_near_the_threshold_and_numerals_are_chinese():
    assert chosen_change([10, 40, 42, 90], 41, 100) == [10, 40, 90]
    many = chosen_change(range(0, 101, 5), 50, 100)
    assert len(many) == 6
    assert (np.diff(many) >= APART).all()
    # chinese numerals of clusters
    assert [han(n) for n in (1, 10, 12, 20, 31, 100)] == [
        *("一", "十", "十二", "二十", "三十一", "100")
    ]
