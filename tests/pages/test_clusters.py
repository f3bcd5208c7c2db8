"""The Clusters page on a real check, in both languages."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pages._ui.clusters import changes, constellation, groups
from pages._ui.shared.palette import LIGHT
from simhash_core import ThresholdView, at_threshold
from simhash_core.checking import distance_matrix


def words(app):
    """All that the page says outside its components."""
    return "\n".join(element.proto.body for element in app.get("html"))


def test_clusters_without_a_check_offers_the_way_to_one(open_app, language):
    app = open_app("clusters", language=language)
    assert len(app.button) == 1


def test_clusters_shows_the_largest_with_its_members(open_app, language, result):
    app = open_app("clusters", language=language, result=result)
    said = words(app)
    largest = at_threshold(result, result.threshold).clusters[0]
    for member in largest.members:
        assert result.documents[member].name in said
    assert {"zh": "阈值会怎样", "en": "If the threshold moves"}[language] in said


def test_clusters_threshold_moves_the_groups(open_app, language, result):
    app = open_app("clusters", language=language, result=result)
    app.slider(key="k").set_value(0).run()
    n = len(at_threshold(result, 0).clusters)
    assert {"zh": f"{n} 个文本簇", "en": f"{n} cluster"}[language] in words(app)


def _views(result):  # type: ignore[no-untyped-def]
    def at(k: int) -> ThresholdView:
        return at_threshold(result, k)

    return at


def _parts(members: tuple[int, ...], view: ThresholdView) -> int:
    of = view.cluster_of[list(members)]
    return len(set(of[of >= 0].tolist())) + int((of < 0).sum())


def test_splits_are_the_first_thresholds_below_at_which_more_parts_appear(result):
    at = _views(result)
    k = min(result.complete_up_to, 120)
    members = at(k).clusters[0].members
    counts = [_parts(members, at(j)) for j in range(k + 1)]
    expected, parts = [], 1
    for j in range(k, -1, -1):
        if counts[j] > parts and len(expected) < 2:
            expected.append(j)
            parts = counts[j]
    found = changes.splits(members, k, at)
    assert [split.threshold for split in found] == expected
    for split in found:
        rows = [row for part in split.parts for row in part]
        assert sorted([*rows, *split.alone]) == sorted(members)


def test_growth_is_the_first_threshold_above_at_which_others_join(result):
    at = _views(result)
    k, top = result.threshold, min(result.complete_up_to, 128)
    cluster = at(k).clusters[0]

    def joined(j: int) -> set[int]:
        view = at(j)
        return set(view.clusters[int(view.cluster_of[cluster.members[0]])].members)

    expected = next((j for j in range(k + 1, top + 1) if joined(j) != set(cluster.members)), None)
    grown = changes.growth(cluster.members, k, top, result, at)
    assert (grown.threshold if grown else None) == expected
    if grown:
        assert set(grown.joined) == joined(grown.threshold) - set(cluster.members)
        assert grown.via in grown.joined


def test_places_put_the_centre_in_the_middle_and_every_member_somewhere_else(result):
    members = list(range(14))
    placed = constellation.places(distance_matrix(result, members), members, 4)
    assert placed[4] == (0.0, 0.0)
    assert set(placed) == set(members)
    assert len(set(placed.values())) == len(members)


@pytest.mark.parametrize("size", range(3, 20))
def test_places_let_no_line_between_members_run_through_the_centre(size):
    distances = np.full((size, size), 9, np.uint16)
    placed = constellation.places(distances, list(range(size)), 0)
    ring = [placed[row] for row in range(1, size)]
    for (x, y), (u, v) in itertools.combinations(ring, 2):
        assert abs(x * v - y * u) > 100 or x * u + y * v > 0


def test_lines_are_the_listed_pairs_inside_and_dashed_where_only_passages_join(result):
    view = at_threshold(result, result.threshold)
    for cluster in view.clusters:
        drawn = constellation.lines(result.table, view.within, view.listed, cluster.members)
        solid = sum(not line.by_passages for line in drawn)
        assert solid <= cluster.links <= len(drawn)
        assert all({line.left, line.right} <= set(cluster.members) for line in drawn)


def test_spec_marks_the_weakest_line_in_words_and_colour():
    drawn = [constellation.Line(0, 1, 3, False), constellation.Line(0, 2, 9, True)]
    placed = {0: (0.0, 0.0), 1: (0.0, -100.0), 2: (0.0, 100.0)}
    names = {0: "a", 1: "b{c}", 2: "<b>"}
    spec = constellation.spec(
        drawn, placed, names, centres=(0,), weakest=(0, 2), weakest_label="9 weakest",
        colours=LIGHT,
    )  # fmt: skip
    [series] = spec["series"]
    near, far = series["links"]
    assert (near["label"]["formatter"], near["lineStyle"]["type"]) == ("3", "solid")
    assert (far["label"]["formatter"], far["lineStyle"]["type"]) == ("9 weakest", "dashed")
    assert far["lineStyle"]["color"] == LIGHT.reworded
    assert near["lineStyle"]["width"] > far["lineStyle"]["width"]
    assert [node["name"] for node in series["data"]] == ["a", "b{c}", "<b>"]


def test_by_distance_begins_with_the_centre():
    distances = np.array([[0, 5, 2], [5, 0, 7], [2, 7, 0]], np.uint16)
    assert constellation.by_distance(distances, [10, 11, 12], 10) == [10, 12, 11]


def test_chinese_numerals_of_clusters():
    assert [groups.chinese(n) for n in (1, 10, 12, 20, 31, 100)] == [
        *("一", "十", "十二", "二十", "三十一", "100")
    ]
