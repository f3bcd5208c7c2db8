"""Lists of cases and of pupils: what stands in each cell."""

from __future__ import annotations

import drawn_lists as made


def test_cases_are_passages_with_their_holders_and_pairs_with_three_tones():
    passages, pairs = made.drawn_by(made.draw_cases)["groups"]
    asked, (first, tagged, *_) = passages["rows"][1], pairs["rows"]

    assert [row["id"] for row in (*passages["rows"], *pairs["rows"])] == list("12345")
    assert asked["mark"] == {"state": "by_itself", "said": "template", "figure": "3"}
    assert asked["holders"][0] == {"as": "strip", "held": "1011", "text": "3 of 4"}
    told = [run["text"] for run in tagged["pair"] if run["text"]]
    assert told == ["Pupil1 Surname", "and", "last year", "Other1 Name"]
    assert (first["two"][0], first["longest"][0], first["tones"]["whole"]) == (300, 9, 400)
    assert (first["filters"], tagged["filters"]) == ("undecided", "note")


def test_a_long_list_sends_its_first_rows_until_all_are_asked_for():
    for whole, n in ((False, 200), (True, 2000)):
        (*_, pairs) = made.drawn_by(made.draw_many_cases, whole=whole)["groups"]
        assert (len(pairs["rows"]), pairs["sent"], pairs["total"]) == (n, n, 2000)


def test_pupils_without_a_case_are_names_alone():
    involved, alone = made.drawn_by(made.draw_pupils)["groups"]

    assert [row["id"] for row in involved["rows"]] == ["ada", "bo"]
    assert involved["rows"][0]["case"][1]["text"] == "3 ›"
    assert involved["rows"][1]["tones"]["whole"] == 0
    assert [column["name"] for column in alone["columns"]] == ["name"]
    assert alone["rows"][0]["name"] == ["Cy Dow", {"text": "1", "style": "dim"}]
