"""What does not count leaves both sides of every fraction, and nothing else moves."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from prose import chinese, english

from simhash_core import CheckResult, Document, Settings, check, check_texts
from simhash_core.checking.templates import found_as_templates
from simhash_core.errors import BadInput
from simhash_core.model import NO_DISTANCE
from simhash_core.seen.exclusion_view import Excluder, exclude
from simhash_core.seen.exclusions import SWITCHES, Exclusions, turn_switch
from simhash_core.text.lengths import count_units

QUOTED = chinese(1, 60).rstrip("。，；")
SHARED = chinese(2, 120)


def letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


@pytest.fixture(scope="module")
def quoting() -> CheckResult:
    """Two texts that share a quotation and a paragraph; the second does not mark the quotation."""
    return check_texts(
        {
            "a": f"{chinese(3, 200)}\n他说：“{QUOTED}”。\n{chinese(4, 400)}\n{SHARED}\n",
            "b": f"{chinese(5, 150)}\n{QUOTED}。\n{chinese(6, 350)}\n{SHARED}\n",
            "c": f"{chinese(7, 300)}\n",
        }
    )


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("size", range(3, 18))
def test_a_passage_is_told_to_be_found_exactly_where_its_rule_finds_it(
    language: str, size: int
) -> None:
    one = chinese(1, size) if language == "zh" else english(1, size)
    documents = [Document.from_text(one, name=name) for name in "ab"]
    result = check(documents)

    (recognised,) = found_as_templates(documents[0], [(0, len(one))], settings=result.settings)
    excluded = exclude(result, Exclusions(passages=(one,))).excluded

    assert recognised == bool(excluded.any())


def test_nothing_left_out_changes_nothing_and_the_total_is_that_of_the_view(
    quoting: CheckResult,
) -> None:
    view = exclude(quoting, Exclusions()).result
    for name in ("coverage_a", "coverage_b", "identical", "longest", "passages"):
        assert np.array_equal(getattr(view.table, name), getattr(quoting.table, name)), name
    assert np.array_equal(view.table.pairs.distance, quoting.table.pairs.distance)
    assert np.array_equal(view.total_overlap, quoting.total_overlap)
    assert view.clusters == quoting.clusters
    excluder = Excluder(quoting)
    for zones in ((), ("quotations",), ("quotations", "references")):
        view = excluder.apply(Exclusions(zones=zones))
        alone = excluder.total_overlap(Exclusions(zones=zones))
        assert np.array_equal(alone, view.result.total_overlap)
    everything, nothing = excluder.stretches(), excluder.apply(Exclusions()).stretches
    for name in ("pair", "side", "start", "end", "kind"):
        assert np.array_equal(getattr(everything, name), getattr(nothing, name)), name


def test_a_quotation_leaves_both_sides_of_the_fraction(quoting: CheckResult) -> None:
    view = exclude(quoting, Exclusions(zones=("quotations",)))
    a, b, _ = (document.text for document in quoting.documents)
    own = letters(a) - letters(QUOTED)

    assert [a[z.start : z.end] for z in view.spans[0]] == [f"“{QUOTED}”"]
    assert view.spans[1] == view.spans[2] == ()
    assert view.excluded.tolist() == [letters(QUOTED), 0, 0]
    assert quoting.total_overlap[0] == pytest.approx(letters(QUOTED + SHARED) / letters(a))
    assert view.result.total_overlap[0] == pytest.approx(letters(SHARED) / own)
    # what stands opposite the quotation is not shared any more, but is text of b
    assert view.result.total_overlap[1] == pytest.approx(letters(SHARED) / letters(b))
    assert view.before is quoting


def test_texts_identical_after_exclusion_are_covered_in_full() -> None:
    body = english(1, 150).split(". ")
    quotes = [english(seed, 150).replace(".", ",") for seed in (2, 3)]
    texts = {
        name: f'{". ".join(body[:4])}. "{quote}" {body[4]}. "{quote}" {". ".join(body[5:])}'
        for name, quote in zip("ab", quotes, strict=True)
    }
    before = check_texts(texts)
    view = exclude(before, Exclusions(zones=("quotations",))).result

    assert before.table.coverage_a[0] < 0.8
    assert view.table.coverage_a[0] == view.table.coverage_b[0] == 1.0
    assert view.total_overlap.tolist() == [1.0, 1.0]
    assert view.table.identical[0] == 1.0


def test_the_template_of_identical_hand_ins_is_not_in_the_divisor() -> None:
    """Hand-ins that are copies but for a template that one left out read 100 %."""
    template, answer = english(11, 120), english(12, 200)
    other = english(13, 200)
    result = check_texts(
        {"a": f"{template}\n{answer}", "b": f"{template}\n{answer}", "c": f"{template}\n{other}"}
    )
    view = exclude(result, Exclusions(templates=(template,))).result
    pairs = list(zip(view.table.pairs.left.tolist(), view.table.pairs.right.tolist(), strict=True))

    assert view.table.coverage_a[pairs.index((0, 1))] == 1.0
    assert view.table.passages[pairs.index((0, 2))] == 0
    assert view.total_overlap[2] == 0


def test_a_template_with_words_changed_is_left_out_and_answers_are_not() -> None:
    sentences = english(21, 160).split(". ")
    edited = [s.replace(s.split()[3], "another", 1) if n % 3 == 0 else s
              for n, s in enumerate(sentences)]  # fmt: skip
    answer = english(22, 60)
    hand_in = ". ".join(edited[:7]) + f".\n{answer}\n" + ". ".join(edited[7:])
    result = check_texts({"a": hand_in, "b": english(23, 200)})
    view = exclude(result, Exclusions(templates=(". ".join(sentences),)))

    left = view.characters[0] - view.excluded[0]
    assert letters(answer) <= left <= letters(answer) + 40


def test_a_pair_falls_away_with_its_last_passage() -> None:
    given = english(31, 120)
    result = check_texts({name: f"{given}\n{english(seed, 80)}" for name, seed in
                          (("a", 32), ("b", 33))})  # fmt: skip
    excluder = Excluder(result)
    chosen = Exclusions(templates=(given,))
    effect = excluder.effects(Exclusions(), {"template": chosen})["template"]
    view = excluder.apply(chosen).result

    assert (effect.passages, effect.pairs) == (1, 1)
    assert effect.units == 2 * count_units(given)
    assert view.table.pairs.distance.tolist() == [NO_DISTANCE]
    assert view.clusters == ()
    assert len(result.table) == len(view.table) == 1


def test_effects_are_what_applying_does(quoting: CheckResult) -> None:
    excluder = Excluder(quoting)
    now = Exclusions(min_match=20)
    wanted = {
        "quotations": turn_switch(now, "quotations"),
        "short": turn_switch(now, "short"),
        "sources": turn_switch(now, "sources", (quoting.documents[1].id,)),
    }
    effects = excluder.effects(now, wanted)

    for name, other in wanted.items():
        first, second = excluder.apply(now), excluder.apply(other)
        assert effects[name].units == abs(first.units[0] - second.units[0]), name
        assert effects[name].pairs == abs(
            int((first.result.table.passages > 0).sum())
            - int((second.result.table.passages > 0).sum())
        )
    assert effects["sources"].pairs == 1


def test_short_matches_are_measured_without_what_is_left_out(quoting: CheckResult) -> None:
    def passages(**chosen: object) -> int:
        return int(exclude(quoting, Exclusions(**chosen)).result.table.passages[0])

    assert [passages(min_match=n) for n in (60, 100, 120, 121)] == [2, 1, 1, 0]
    assert passages(min_match=60, zones=("quotations",)) == 1


def test_one_passage_and_ranges_of_variants_are_left_out(quoting: CheckResult) -> None:
    view = exclude(quoting, Exclusions(passages=(SHARED,)))
    assert [int(n) for n in view.excluded] == [letters(SHARED)] * 2 + [0]
    assert view.spans[0][0].kind == "passages"
    ranges = {0: [(0, 10)]}
    view = exclude(quoting, Exclusions(variants=True), variants=ranges)
    assert [(z.start, z.end, z.kind) for z in view.spans[0]] == [(0, 10, "variants")]
    assert exclude(quoting, Exclusions(), variants=ranges).spans[0] == ()


def test_exclusions_survive_a_file() -> None:
    chosen = Exclusions(zones=("quotations", "headings"), templates=("x",), min_match=13)

    assert Exclusions.from_data(json.loads(json.dumps(chosen.to_data()))) == chosen
    assert chosen.on == ("template", "quotations", "headings", "short")
    assert set(chosen.on) < set(SWITCHES)
    assert not turn_switch(turn_switch(Exclusions(), "citations"), "citations")
    with pytest.raises(BadInput, match="exclusion"):
        Exclusions(zones=("quotes",))


def test_overlapping_zones_count_once() -> None:
    entry = "参考文献\n[1] 鲁迅. 《故乡》[M]. 北京, 1921.\n[2] 李四. 《论雷同》[J]. 2019."
    result = check_texts({"a": f"{chinese(61, 100)}\n{entry}", "b": chinese(62, 100)})
    every = ("quotations", "references", "citations", "headings")
    spans = exclude(result, Exclusions(zones=every)).spans[0]

    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert sum(z.end - z.start for z in spans) == len(entry)


def test_pairs_of_one_person_or_group_are_not_compared_or_not_counted() -> None:
    text = english(71, 200)
    people = (("Li", "1"), ("li", "1"), ("Wu", "1"), ("", ""), ("", ""))
    documents = [
        Document.from_text(f"{text}\n{english(80 + row, 60)}", name=str(row), person=p, group=g)
        for row, (p, g) in enumerate(people)
    ]
    every = check(documents)
    apart = {(0, 1)}

    def pairs(result: CheckResult) -> set[tuple[int, int]]:
        table = result.table
        rows = np.flatnonzero(table.listed(result.threshold, result.batch_threshold))
        return set(zip(table.pairs.left[rows].tolist(), table.pairs.right[rows].tolist(),
                       strict=True))  # fmt: skip

    assert len(pairs(every)) == 10
    skipping = check(documents, settings=Settings(skip_same_person=True))
    assert pairs(skipping) == pairs(every) - apart
    assert skipping.guarantees[-1].params == {"n": 1}
    assert pairs(exclude(every, Exclusions(same_person=True)).result) == pairs(every) - apart
    group = pairs(every) - {(0, 1), (0, 2), (1, 2)}
    assert pairs(check(documents, settings=Settings(skip_same_group=True))) == group
    assert pairs(exclude(every, Exclusions(same_group=True)).result) == group


@pytest.mark.parametrize(("quoted", "stands"), [(190, True), (215, False)])
def test_an_emptied_pair_stands_by_its_fingerprints_until_half_of_a_text_is_left_out(
    quoted: int, stands: bool
) -> None:
    quotation = english(41, quoted).replace(".", ",")
    texts = [f'"{quotation}" {english(seed, 400 - quoted)}' for seed in (42, 43)]
    documents = [
        Document.from_text(text, name=name) for text, name in zip(texts, "ab", strict=True)
    ]
    result = check(documents, settings=Settings(threshold=120))
    view = exclude(result, Exclusions(zones=("quotations",))).result

    assert result.table.pairs.distance[0] <= result.threshold
    assert (result.table.passages[0] > 0, view.table.passages[0]) == (True, 0)
    assert bool(view.table.pairs.distance[0] != NO_DISTANCE) is stands


@pytest.mark.parametrize(("left", "counts"), [(8, False), (79, False), (80, True), (150, True)])
def test_what_is_left_of_a_passage_must_be_as_long_as_a_passage(left: int, counts: bool) -> None:
    quotation, rest = english(51, 40).replace(".", ","), english(52, 60).replace(".", "")
    shared = f'"{quotation}" {rest[: left - 1]}x'
    result = check_texts({name: f"{english(seed, 90)}\n\n{shared}\n\n{english(seed + 5, 90)}"
                          for name, seed in (("a", 53), ("b", 54))})  # fmt: skip
    view = exclude(result, Exclusions(zones=("quotations",))).result

    assert result.table.passages[0] == 1
    assert bool(view.table.passages[0]) is counts


@pytest.mark.parametrize(("changed", "joins"), [(6, True), (7, False)])
def test_at_most_six_words_between_two_stretches_go_with_the_template(
    changed: int, joins: bool
) -> None:
    words = english(61, 120).replace(".", "").split(" ")
    answer = [f"antwort{number}" for number in range(changed)]
    hand_in = " ".join([*words[:60], *answer, *words[60 + changed :]])
    result = check_texts({"a": hand_in, "b": english(62, 200)})
    view = exclude(result, Exclusions(templates=(" ".join(words),)))

    assert view.characters[0] - view.excluded[0] == (0 if joins else letters(" ".join(answer)))
