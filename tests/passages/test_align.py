"""What alignment must find, must not find, and where it puts the borders."""

import pickle
import random

import numpy as np
import pytest
from plain import view_of
from prose import chinese, english, replaced

from simhash_core.model import PASSAGE_KINDS
from simhash_core.passages.align import align, align_many
from simhash_core.passages.coverage import share
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.tokenized import document_frequencies


def found(a, b, **options):
    """Return the counted passages of two texts as (a text, b text, kind)."""
    passages = align(view_of(a), view_of(b), **options)
    return [
        (
            a[passages.a_start[p] : passages.a_end[p]],
            b[passages.b_start[p] : passages.b_end[p]],
            PASSAGE_KINDS[passages.kind[p]],
        )
        for p in range(len(passages))
        if not passages.weak[p]
    ]


@pytest.mark.parametrize("text", [english(1, 300), chinese(1, 500), chinese(2, 20)])
def test_a_text_and_itself_is_one_finding_of_full_length(text):
    passages = align(view_of(text), view_of(text))

    assert len(passages) == 1
    assert (passages.a_start[0], passages.a_end[0]) == (0, len(text))
    assert (passages.b_start[0], passages.b_end[0]) == (0, len(text))


@pytest.mark.parametrize("short", ["", "a few words", "。\n"])
def test_next_to_no_text_gives_nothing(short):
    assert len(align(view_of(english(1, 100)), view_of(short))) == 0
    assert len(align(view_of(short), view_of(short))) == 0


def test_unrelated_texts_share_nothing():
    assert found(english(1, 800), english(2, 800)) == []
    assert found(chinese(1, 2000), chinese(2, 2000)) == []


def test_a_copied_paragraph_is_found_to_the_character():
    copied = chinese(9, 120)
    a = chinese(1, 800) + "\n\n" + copied + "\n\n" + chinese(2, 500)
    b = chinese(3, 400) + "\n\n" + copied + "\n\n" + chinese(4, 900)

    assert found(a, b) == [(copied, copied, "identical")]


def test_a_paragraph_copied_between_crlf_and_lf_is_found():
    copied = english(9, 40)
    a = english(1, 300) + "\r\n\r\n" + copied + "\r\n\r\n" + english(2, 300)
    b = english(3, 300) + "\n\n" + copied.replace(" ", "\n", 3) + "\n\n" + english(4, 300)

    ((left, right, kind),) = found(a, b)

    assert (left, kind) == (copied, "identical")
    assert right.split() == copied.split()


def test_shuffled_words_of_a_passage_are_one_finding():
    words = english(9, 100).replace(".", "").split()
    shuffled = random.Random(3).sample(words, len(words))
    a = english(1, 600) + " " + " ".join(words) + ". " + english(2, 600)
    b = english(3, 300) + " " + " ".join(shuffled) + ". " + english(4, 300)

    ((left, right, kind),) = found(a, b)

    assert kind == "reworded"
    assert len(set(left.split()) & set(words)) >= 0.9 * len(set(words))
    assert len(set(right.split()) & set(words)) >= 0.9 * len(set(words))


def test_hidden_characters_are_matched_through_and_lie_inside_the_range():
    copied = chinese(9, 100)
    hidden = "\u200b".join(copied)
    a = chinese(1, 500) + hidden + chinese(2, 500)
    b = chinese(3, 500) + copied + chinese(4, 500)

    ((left, right, kind),) = found(a, b)

    assert kind == "identical"
    assert left.replace("\u200b", "") == right
    assert left.count("\u200b") >= len(right) - 2


def test_traditional_script_is_the_same_text():
    simplified = (
        "图书馆里的书籍很多，学生们经常在这里阅读，讨论问题，写作业，准备考试。"
        "历史系的教授说，过去几十年间，这座城市的面貌发生了巨大变化，旧铁路变成了公园。"
    )
    traditional = (
        "圖書館裡的書籍很多，學生們經常在這裡閱讀，討論問題，寫作業，準備考試。"
        "歷史系的教授說，過去幾十年間，這座城市的面貌發生了巨大變化，舊鐵路變成了公園。"
    )
    a = chinese(1, 400) + "\n" + simplified + "\n" + chinese(2, 400)
    b = chinese(3, 400) + "\n" + traditional + "\n" + chinese(4, 400)

    assert found(a, b) == [(simplified, traditional, "identical")]


@pytest.mark.parametrize(
    ("text", "han"), [(english(5, 2500), False), (chinese(5, 4000), True)], ids=["en", "zh"]
)
@pytest.mark.parametrize("part", [0.1, 0.2])
def test_a_text_with_replaced_words_is_one_finding(text, han, part):
    """Guards the look-ahead, and the exact chain that must not take a larger passage over."""
    a, b = view_of(text), view_of(replaced(text, part, 7, han=han))
    passages = align(a, b)
    counted = ~passages.weak

    assert counted.sum() == 1
    assert share(a, passages.a_start[counted], passages.a_end[counted]) >= 0.97


@pytest.mark.parametrize(
    ("text", "mark"), [(english(6, 3000), ". "), (chinese(6, 4000), "。")], ids=["en", "zh"]
)
def test_a_text_with_all_sentences_shuffled_is_one_finding(text, mark):
    sentences = text.split(mark)
    random.Random(1).shuffle(sentences)
    a, b = view_of(text), view_of(mark.join(sentences))
    passages = align(a, b)
    counted = ~passages.weak

    assert counted.sum() == 1
    assert share(a, passages.a_start[counted], passages.a_end[counted]) >= 0.97


def test_the_other_way_round_gives_nearly_the_same_ranges():
    copied = replaced(english(9, 150), 0.15, 1)
    a = english(1, 600) + " " + english(9, 150) + " " + english(2, 600)
    b = english(3, 500) + " " + copied + " " + english(4, 300)
    there, back = align(view_of(a), view_of(b)), align(view_of(b), view_of(a))

    assert (~there.weak).sum() == (~back.weak).sum() == 1
    assert abs(int(there.a_start[0]) - int(back.b_start[0])) <= 40
    assert abs(int(there.b_end[0]) - int(back.a_end[0])) <= 40


def test_a_summary_is_found_with_the_long_text_as_its_source():
    source = english(1, 1500)
    words = source.replace(".", "").split()
    summary = " ".join(random.Random(2).sample(words, 110)) + "."
    a = english(3, 500) + "\n\n" + summary + "\n\n" + english(4, 500)

    findings = found(a, source)

    assert [kind for *_, kind in findings] == ["summary"]
    assert len(findings[0][1]) > 3 * len(findings[0][0])


def test_copied_paragraphs_stay_where_what_holds_them_is_too_loose():
    """A patchwork: each second paragraph is copied, and together they are a loose finding."""
    copied = [english(9, 60), english(10, 60)]
    a = "\n\n".join([copied[0], english(20, 45), copied[1]])
    b = "\n\n".join([copied[0], english(21, 45), copied[1]])

    findings = found(a, b, options=AlignOptions(verbatim_dice=0.7))

    assert findings
    for text in copied:
        assert any(text in left and text in right for left, right, _ in findings)


def _scattered(words, seed):
    """Return a long text in which each of the words occurs once, far from the others."""
    text = english(seed, 40 * len(words)).split()
    for number, word in enumerate(words):
        text.insert(41 * number, word)
    return " ".join(text)


@pytest.mark.parametrize(
    "besides",
    ["ten more words", "a third of the passage", "a quarter of the passage and seven more words"],
)
def test_a_passage_is_no_summary_where_other_words_of_it_lie_scattered(besides):
    """A reworded passage explains the shared words: all but a few, or all that it could gain."""
    words = english(9, 110).replace(".", "").split()
    shuffled = random.Random(3).sample(words, len(words))
    more = [word for word in english(77, 60).replace(".", "").split() if len(word) > 4][:10]
    if besides == "ten more words":
        a, b, scattered = [*words, *more], shuffled, more
    elif besides == "a quarter of the passage and seven more words":
        a, scattered = [*words, *more[:7]], [*shuffled[::4], *more[:7]]
        b = [word for number, word in enumerate(shuffled) if number % 4]
    else:
        a, scattered = words, shuffled[::3]
        b = [word for number, word in enumerate(shuffled) if number % 3]
    long_a = english(1, 500) + "\n\n" + " ".join(a) + ".\n\n" + english(2, 500)
    long_b = " ".join(b) + ".\n\n" + _scattered(scattered, 4) + "."

    ((_, right, kind),) = found(long_a, long_b)

    assert kind == "reworded"
    assert len(right) < 1.2 * len(" ".join(b))


def test_a_short_exact_run_is_shown_as_weak():
    run = chinese(9, 20).replace("。", "")[:20]
    a, b = chinese(1, 600) + run + chinese(2, 600), chinese(3, 600) + run + chinese(4, 600)

    passages = align(view_of(a), view_of(b))

    assert passages.weak.tolist() == [True]
    assert run[:13] in a[passages.a_start[0] : passages.a_end[0]]


@pytest.mark.parametrize(
    ("copied", "text"), [(chinese(3, 45), chinese(4, 300)), (english(3, 20), english(4, 200))]
)
def test_most_of_a_short_text_counts_however_short(copied, text):
    """Below 50 words there is no fingerprint: the passage must carry the finding."""
    middle = len(copied) // 2
    changed = copied[:middle] + " qx " + copied[middle:]

    ((in_a, _, kind),) = found(text[:120] + "\n\n" + copied + "\n\n" + text[120:], copied)
    assert (in_a.strip(), kind) == (copied.strip(), "identical")
    assert found(changed, copied)


def test_strength_is_the_sensitivity():
    a = english(1, 400) + " " + english(9, 45) + " " + english(2, 400)
    b = english(3, 400) + " " + replaced(english(9, 45), 0.25, 1) + " " + english(4, 400)
    loose, strict = (
        AlignOptions.for_language("en", frequencies=False, strength=value) for value in (5.0, 8.5)
    )

    assert len(found(a, b, options=loose)) == 1
    assert found(a, b, options=strict) == []


def test_a_loose_passage_beside_a_long_copy_is_demoted_not_lost():
    copied, reworded = english(8, 90), english(9, 120)
    a = f"{copied}\n\n{english(1, 400)}\n\n{reworded}"
    b = f"{replaced(reworded, 0.45, 3)}\n\n{english(2, 400)}\n\n{copied}"

    passages = align(view_of(a), view_of(b))

    assert [PASSAGE_KINDS[k] for k in passages.kind[~passages.weak]] == ["identical"]
    assert "reworded" in [PASSAGE_KINDS[k] for k in passages.kind[passages.weak]]


def test_what_most_of_a_batch_shares_loses_weight():
    formula = chinese(99, 60)
    texts = [chinese(i, 700) + "\n" + formula + "\n" + chinese(50 + i, 700) for i in range(24)]
    tokenized = [view_of(text) for text in texts]
    pairs = np.array([[0, 1], [2, 3]])

    alone = align_many(tokenized, pairs)
    batch = align_many(tokenized, pairs, df=document_frequencies(tokenized))

    assert (~alone.weak).sum() == 2
    assert (~batch.weak).sum() == 0
    assert batch.weak.sum() == 2


def test_copies_of_one_text_do_not_make_it_a_formula():
    tokenized = [view_of(replaced(chinese(1, 900), 0.02, i, han=True)) for i in range(24)]

    passages = align_many(tokenized, np.array([[0, 1]]), df=document_frequencies(tokenized))

    assert (~passages.weak).sum() == 1


def test_results_depend_neither_on_earlier_pairs_nor_on_the_process() -> None:
    tokenized = [view_of(english(i % 3, 300) + " " + english(9, 60)) for i in range(4)]
    pairs = np.array([[i, j] for i in range(4) for j in range(i + 1, 4)])
    together = align_many(tokenized, pairs)
    for row, (i, j) in enumerate(pairs.tolist()):
        alone, own = align(tokenized[i], tokenized[j]), together.pair == row
        assert alone.a_start.tolist() == together.a_start[own].tolist()
        assert alone.b_end.tolist() == together.b_end[own].tolist()
    tokenized = pickle.loads(pickle.dumps([view_of(english(1, 60)), view_of(english(1, 60))]))
    passages = pickle.loads(pickle.dumps(align_many(tokenized, np.array([[0, 1]]))))
    assert len(passages) == 1


def test_case_width_script_space_and_punctuation_leave_a_passage_identical():
    copied = chinese(9, 60) + " The River Rose Again And Again Until The Third Step Of The Stairs"
    edited = copied.replace("The", "ＴＨＥ").replace(" ", "  ").replace("。", "！\n")
    a = chinese(1, 300) + copied + chinese(2, 300)
    b = chinese(3, 300) + edited + chinese(4, 300)

    passages = align(view_of(a), view_of(b))

    assert {PASSAGE_KINDS[kind] for kind in passages.kind[~passages.weak]} == {"identical"}
    assert not passages.changed.any()
