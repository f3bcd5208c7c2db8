"""The methods of the sources as a user of the command line meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import ESSAYS, leitong

from simhash_core import Document, Settings, check, gather, read
from simhash_core.checking import weightings
from simhash_core.errors import InvalidSettings
from simhash_core.i18n import translator

A, B = ESSAYS / "02-林晓雨.txt", ESSAYS / "06-赵一诺.txt"


# --------------------------------------------------------------------------- weightings


def test_weightings_are_listed_and_unknown_ones_refused():
    done = leitong("compare", A, A, "--set", "weighting=nonsense")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    for name in weightings():
        assert name in done.stderr
    # unknown weighting is refused by the package
    with pytest.raises(InvalidSettings, match="background"):
        check([Document("1", "a", "一二三")], settings=Settings(weighting="nonsense"))
    # settings list every weighting
    shown = leitong("settings").stdout
    assert all(name in shown for name in weightings())


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_weighting_has_a_label(language):
    t = translator(language)
    labels = [t(f"settings.weighting.{name}") for name in weightings()]

    assert not any(label.startswith("settings.") for label in labels)
    assert len(set(labels)) == len(labels)


@pytest.fixture(scope="module")
def documents():
    return read(gather(sorted(ESSAYS.glob("*.txt")))[0])[0]


@pytest.mark.parametrize("name", weightings())
def test_every_weighting_makes_fingerprints(name, documents):
    result = check(documents, settings=Settings(weighting=name, passages=False))

    assert result.fingerprints.valid.all()


# --------------------------------------------------------------------------- content and metadata


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Two copies of one text and another text, described by a table and by their names."""
    folder = tmp_path_factory.mktemp("archive")
    text = A.read_bytes()
    (folder / "li-2019.txt").write_bytes(text)
    (folder / "wang-2019.txt").write_bytes(text + "另加一句。".encode())
    (folder / "zhao-2020.txt").write_bytes(B.read_bytes())
    table = folder.parent / "known.csv"
    rows = '文件名,author,keywords\nli-2019.txt,Li,"信, 写作"\nwang-2019.txt,Wang,写作\n'
    table.write_bytes(rows.encode("gb18030"))
    return folder


def compared(archive: Path, *options: object) -> dict:
    pair = archive / "li-2019.txt", archive / "wang-2019.txt"
    done = leitong("compare", *pair, "--set", "bits=64", "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_combined_score_is_formula_one_where_it_is_asked_for(archive):
    assert "combined" not in compared(archive)
    # combined score is formula one
    data = compared(archive, "--metadata", f"table={archive.parent / 'known.csv'}")
    found = data["combined"]
    content = 1 / (1 + data["distance"])
    assert found["metadata"] == 0.25  # of li, wang and two keywords, one keyword is shared
    assert found["content"] == round(content, 4)
    assert found["score"] == pytest.approx(0.9 * content + 0.1 / 4, abs=1e-4)
    assert found["above"] is (found["score"] > 0.25)
    assert (found["mu"], found["term"], found["threshold"]) == (0.9, "s2", 0.25)
    # name pattern mu and term are used
    pattern = r"(?P<author>\w+)-(?P<year>\d+)"
    how = (f"names={pattern}", "mu=0.5", "term=bits")
    data = compared(archive, *(word for one in how for word in ("--metadata", one)))
    content = 1 - data["distance"] / 64
    assert data["combined"]["score"] == round(0.5 * content + 0.5 / 3, 4)
    # two texts without metadata are scored by content alone
    found = compared(archive, "--metadata", "similarity=minhash")["combined"]
    assert found["metadata"] is None
    assert found["score"] == found["content"]
    # literal minhash is the biased one
    table = ("--metadata", f"table={archive.parent / 'known.csv'}")
    exact, literal = (
        compared(archive, *table, "--metadata", f"similarity={kind}")["combined"]
        for kind in ("jaccard", "literal")
    )
    assert literal["similarity"] == "literal"
    assert literal["metadata"] != exact["metadata"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "counts the two as alike"), ("zh", "算作相似")]
)
def test_verdict_is_said_in_words(archive, language, words):
    pair = archive / "li-2019.txt", archive / "li-2019.txt"
    options = ("--set", "bits=64", "--metadata", "similarity=jaccard")

    shown = leitong("compare", *pair, *options, language=language).stdout

    assert words in shown and "0.25" in shown


@pytest.mark.parametrize("given", ["mu=1.5", "names=(x", "names=x"])
def test_wrong_options_are_named_in_one_line(archive, given):
    pair = archive / "li-2019.txt", archive / "wang-2019.txt"

    done = leitong("compare", *pair, "--metadata", given)

    assert done.returncode in (2, 4)
    assert "Traceback" not in done.stderr and given.partition("=")[2] in done.stderr


# --------------------------------------------------------------------------- dominance


@pytest.mark.long
def test_explained_fingerprints_say_how_much_one_word_decides(tmp_path):
    (tmp_path / "a.txt").write_text(" ".join(f"word{n}" for n in range(60)) + " apple" * 40)
    options = ("fingerprint", tmp_path, "--set", "weighting=tf", "--explain", "--json")

    found = json.loads(leitong(*options).stdout)["documents"][0]["dominance"]

    share = round(40**2 / (40**2 + 60), 4)
    assert found == {"word": "apple", "share": share, "limit": 0.25, "above": True}


@pytest.mark.long
@pytest.mark.parametrize(("name", "limit"), [("topic", 0.1), ("annotated", 0.1), ("tfidf", 0.25)])
def test_weights_of_the_papers_are_held_to_their_own_limit(name, limit):
    done = leitong("fingerprint", A, B, "--set", f"weighting={name}", "--explain", "--json")

    found = [row["dominance"] for row in json.loads(done.stdout)["documents"]]
    assert all(row["limit"] == limit for row in found)
    assert all(row["above"] is (row["share"] > limit) for row in found)
