"""Rows on fingerprints and weights: the five steps, printed examples, other programs, formulas."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ....model import CorpusStats, Features
from ....settings import Settings
from ....simhash.explain import explain
from ....simhash.fingerprint import fingerprint, hamming
from ....simhash.hashes import token_hashes
from ....text.flat import count_texts
from ....text.normalize import normalized_text
from ....text.tokenize import Tokenizer, read_tagged, tokenizer
from ....weighting import WEIGHTINGS, quantise, stats_of
from ....weighting.annotated import Annotations, Parts, combine_weights, dominance
from ....weighting.topic import length_factor, relevance
from .. import baselines, profiles
from ..profiles import java_bkdr
from .rows import Answer, row, write_cell

TEXT = "海量文本的去重需要局部敏感的指纹：相似的文本得到相近的指纹，一位之差也能看见。"
SENTENCES = ("the cat sat on the mat", "the cat sat on a mat", "we all scream for ice cream")
PRINTED = (851459198, 847263864, 984968088)
LEVELS = "CSDN 4,博客 5,结构 3,之 1,法 2,算法 3,道 2,的 1,作者 5,July 5"


@row(1, "leitong check --preset classic | leitong fingerprint --profile classic")
def five_steps() -> Answer:
    """The five steps in plain integers against the product."""
    counts = Counter(tokenizer().tokens(normalized_text(TEXT)))
    sums = [0] * 64
    for word, value in zip(counts, token_hashes(list(counts), bits=64)[:, 0].tolist(), strict=True):
        for bit in range(64):
            sums[bit] += counts[word] if value >> (63 - bit) & 1 else -counts[word]
    plain = int("".join("1" if total > 0 else "0" for total in sums), 2)
    features = count_texts([TEXT], tokenizer())
    weights = quantise(WEIGHTINGS["tf"](features, stats_of(features), Settings()))
    hashes = token_hashes(features.vocabulary, bits=64)
    made = fingerprint(features, weights, hashes, bits=64, recipe="classic")
    profile = profiles.PROFILES["classic"]
    expected = f"{plain:016x} k={Settings.of('classic').threshold}"
    same = profile.fingerprint(TEXT) == int(made.words[0, 0])
    return Answer(expected, f"{int(made.words[0, 0]):016x} k={profile.k if same else '?'}")


@row(2, "leitong app: fingerprint laboratory, example CSDN")
def six_bits() -> Answer:
    """CSDN (weight 4) and 博客 (5); the source prints the sum without its last 9."""
    hashes = np.array([[0b100101], [0b101011]], np.uint64)
    why = explain(("CSDN", "博客"), np.ones(2, np.int32), np.array([4, 5]), hashes, bits=6)
    bits = "".join("1" if bit else "0" for bit in why.bits)
    distance = (int(bits, 2) ^ 0b101000).bit_count()
    return Answer(
        "9 -9 1 -1 1 9 -> 101011, HD 2", f"{write_cell(why.sums.tolist())} -> {bits}, HD {distance}"
    )


@row(3, "leitong check --set weighting=levels --set levels=FILE")
def levels() -> Answer:
    """Levels by hand, from 1 to 5."""
    table = tuple((word.lower(), int(level)) for word, level in map(str.split, LEVELS.split(",")))
    words = [word for word, _ in table]
    features = count_texts([" ".join(words)], Tokenizer(words))
    settings = Settings(weighting="levels", levels=table)
    weights = WEIGHTINGS["levels"](features, stats_of(features), settings)
    weight_of = dict(zip((features.vocabulary[t] for t in features.token), weights, strict=True))
    hashes = token_hashes(features.vocabulary, bits=64)
    made = fingerprint(features, quantise(weights), hashes, bits=64, recipe="levels")
    got = [int(weight_of.get(word, 0)) for word in words]
    signed = " + signature"
    expected = write_cell([level for _, level in table]) + signed
    return Answer(expected, write_cell(got) + (signed if made.valid[0] else ""))


@row(4, "leitong app: fingerprint laboratory, example cat and mat")
def sentences() -> Answer:
    """Distances of the printed numbers; the order of our own, and of a plain hash."""
    a, b, c = PRINTED
    printed = [(x ^ y).bit_count() for x, y in ((a, b), (a, c), (b, c))]
    one, alike, other = _bigram_prints()
    near, far = hamming(one, alike), min(hamming(one, other), hamming(alike, other))
    plain = token_hashes(SENTENCES, bits=64)
    apart = int(hamming(plain[0], plain[1]))
    got = f"{write_cell(printed)}; SimHash near<far: {bool(near < far)}; hash near<=3: {apart <= 3}"
    return Answer("4 16 12; SimHash near<far: True; hash near<=3: False", got)


def _bigram_prints() -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    signatures = []
    for sentence in SENTENCES:
        grams = sorted({sentence[at : at + 2] for at in range(len(sentence) - 1)})
        hashes = token_hashes(grams, bits=64)
        ones = np.ones(len(grams), np.int64)
        why = explain(grams, ones.astype(np.int32), ones, hashes, bits=64)
        signatures.append([int("".join("1" if bit else "0" for bit in why.bits), 2)])
    return np.array(signatures, np.uint64)


@row(5, "leitong compare A B")
def distances() -> Answer:
    """XOR and population count."""
    pairs = ((0b1011101, 0b1001001), (0b10101, 0b00110))
    words = np.array(pairs, np.uint64).reshape(2, 2, 1)
    return Answer("2 3", write_cell(hamming(words[:, 0], words[:, 1]).tolist()))


@row(12, "simhash_core.lab.museum.baselines.plane_signs")
def hyperplane_law() -> Answer:
    """E[HD] = f theta / pi, for words of equal weight and for Gaussian planes; deviations in sd."""
    z = [_law(shared) for shared in (0.0, 0.5, 0.8, 0.95)]
    bits = 4096
    for cosine in (0.3, 0.9):
        other = float(np.sqrt(1 - cosine**2))
        sides = baselines.plane_signs(np.array([[1.0, 0.0], [cosine, other]]), bits=bits, seed=7)
        mean, deviation = baselines.expected_distance(cosine, bits)
        z.append((int((sides[0] != sides[1]).sum()) - mean) / deviation)
    got = write_cell([f"{value:+.1f}" for value in z])
    return Answer("|z| < 3", got, all(abs(value) < 3 for value in z))


def _law(shared: float, *, words: int = 400, bits: int = 256, runs: int = 40) -> float:
    """Deviation of the mean distance of texts that share words, in standard errors."""
    common, total = round(shared * words), 0
    for run in range(runs):
        texts = [[f"{run}c{i}" for i in range(common)]
                 + [f"{run}{side}{i}" for i in range(words - common)]
                 for side in "ab"]  # fmt: skip
        features = count_texts([" ".join(text) for text in texts], tokenizer())
        hashes = token_hashes(features.vocabulary, bits=bits)
        weights = quantise(np.ones(len(features.token)))
        made = fingerprint(features, weights, hashes, bits=bits, recipe="law")
        total += int(hamming(made.words[0], made.words[1]))
    mean, deviation = baselines.expected_distance(common / words, bits)
    return float((total / runs - mean) / (deviation / np.sqrt(runs)))


@row(13, "leitong fingerprint --profile lyq")
def lyq_tool() -> Answer:
    """Word hashes, and the shares that follow from the three published signatures.

    The texts themselves are not published under a licence; the rules are tested on others.
    """
    words = ("教育", "公司", "市场", "CSDN", "abc")
    hashes = [java_bkdr(word, bits=32) for word in words]
    signatures = (0x0008C219, 0x00003284, 0x00007600)
    shares = [
        profiles.lyq_similarity(signatures[a], signatures[b], 32)
        for a, b in ((0, 2), (2, 1), (0, 1))
    ]
    narrow = [
        profiles.lyq_similarity(signatures[0] % 2**n, signatures[2] % 2**n, n) for n in (16, 8)
    ]
    text = "教育/n 公司/n 市场/n 教育/n"
    squared = profiles.LYQ.fingerprint(text) == hashes[0]
    expected = "837241 667660 768376 2077946 96354; 0.75 0.875 0.6875; 0.5625 0.625; squared True"
    got = f"{write_cell(hashes)}; {write_cell(shares)}; {write_cell(narrow)}; squared {squared}"
    return Answer(expected, got)


@row(14, "leitong app: fingerprint laboratory, example 8 bits")
def eight_bits() -> Answer:
    """A word's hash spread to weights, and sums contracted to bits."""
    word = np.array([[0b10000010]], np.uint64)
    why = explain(("w",), np.ones(1, np.int32), np.array([1]), word, bits=8)
    sums = (0.1, 0.1, 0.1, 0.1, -0.8, -0.3, 0.4, 0.5)
    bits = "".join("1" if value > 0 else "0" for value in sums)
    return Answer("1 -1 -1 -1 -1 -1 1 -1; 11110011", f"{write_cell(why.sums.tolist())}; {bits}")


@row(15, "simhash_core.text.tokenize.read_tagged; jieba by default")
def tagged() -> Answer:
    """Pre-segmented text with ICTCLAS tags, and our own segmentation."""
    read = read_tagged("[中央/n 电台/n]nt 播出/v 、/wn 新闻/n")
    tokens = tokenizer().tokens(normalized_text("中央电台播出新闻"))
    expected = "中央/n 电台/n 播出/v 、/wn 新闻/n; 中央 电台 播出 新闻"
    return Answer(expected, f"{write_cell([f'{w}/{t}' for w, t in read])}; {write_cell(tokens)}")


@row(32, "leitong fingerprint --profile sing1ee")
def simhash_java() -> Answer:
    """The distances of its test output; one bigram alone gives nothing because of `> 1`."""
    lines = (
        "dfasfasdfdasfasdfsadfasdfasdfasdfasdfasdfasfasdfasdfasdf",
        "dfasfasdfdasfasdfsadfasdfasdfasdfasdfasdfasfasdfasdfdf",
        "qwerqewrqwrwerqwrwrwerqwreqwrqwerqwreqwerqwreqwrwqre",
        "qwerqewrqwrwerqwrwrwerqwreqwrqwerqwreqwerqwreqwrwqr",
    )
    make = profiles.PROFILES["sing1ee"].fingerprint
    signatures = [make(line) or 0 for line in lines]
    distances = [(signatures[a] ^ signatures[b]).bit_count() for a, b in ((0, 0), (0, 1), (2, 3))]
    return Answer("0 1 1; 0", f"{write_cell(distances)}; {make('ab')}")


@row(34, "leitong check --set stop-words=on")
def stop_words() -> Answer:
    """Function words, interjections and signs taken out."""
    text = normalized_text("啊！这是的教育，而且 the reform of schools…… ★ 改革。")
    return Answer("教育 reform schools 改革", write_cell(Tokenizer(stop_words=True).tokens(text)))


@row(35, "leitong check --set user-words=FILE")
def user_dictionary() -> Answer:
    """A word of the user dictionary stays whole."""
    text = normalized_text("本文研究局部敏感指纹的应用")
    whole = "局部敏感指纹"
    with_entry = whole in Tokenizer([f"{whole} 100 n"]).tokens(text)
    return Answer("False True", write_cell([whole in Tokenizer().tokens(text), with_entry]))


# --------------------------------------------------- weights: TF-IDF and the formulas of two papers


LENGTHS = np.arange(1, 11)


def _features(vocabulary: tuple[str, ...], count: tuple[int, ...]) -> Features:
    """Count one text with every word of a vocabulary."""
    n = len(vocabulary)
    numbers = np.array(count, np.int32)
    return Features(
        vocabulary,
        np.array([0, n]),
        np.arange(n, dtype=np.int32),
        numbers,
        np.array([int(numbers.sum())]),
    )


@row(18, "leitong check --set weighting=tfidf")
def tfidf() -> Answer:
    """n ln(N / df), clamped at 0 where every text has the word."""
    features = _features(("教育", "改革", "的"), (2, 1, 9))
    stats = CorpusStats(4, {"教育": 1, "改革": 2, "的": 4})
    names = ("tfidf", "tfidf_plus_one", "tfidf_smooth")
    got = [WEIGHTINGS[name](features, stats, Settings()).round(4).tolist() for name in names]
    by_hand = [
        [round(2 * np.log(4 / 1), 4), round(np.log(4 / 2), 4), 0.0],
        [round(2 * np.log(4 / 2), 4), round(np.log(4 / 3), 4), 0.0],
        [round(2 * (np.log(5 / 2) + 1), 4), round(np.log(5 / 3) + 1, 4), 9.0],
    ]
    return Answer(_tables(by_hand), _tables(got))


@row(19, "simhash_core.weighting.topic.relevance")
def topic_relevance() -> Answer:
    """len(x) of 1 to 10 characters, variants a and b, to four digits."""
    a = ".2823 .5238 .7913 .9737 .9757 .7962 .5292 .2864 .1263 .0453"
    b = ".0530 .0983 .1485 .1827 .1830 .1494 .0993 .0537 .0237 .0085"
    got = (relevance(LENGTHS, variant=variant) for variant in "ab")
    shown = (write_cell([f"{value:.4f}"[1:] for value in values]) for values in got)
    return Answer(f"{a}; {b}", "; ".join(shown))


@row(20, "leitong check --set weighting=topic | topic_sum | topic_density")
def topic_weight() -> Answer:
    """1 + len(x) for 1 to 6 Chinese characters and a Latin word; the whole weight of one word."""
    words = (*("字" * n for n in range(1, 7)), "word")
    features = _features(words, (1,) * 7)
    factors = [f"{value:.2f}" for value in length_factor(features)]
    stats = CorpusStats(8, dict.fromkeys(words, 2))
    weight = WEIGHTINGS["topic"](_features(("教育",), (3,)), stats, Settings())[0]
    expected = 3 * np.log(8) * 1.523831
    return Answer(
        f"1.28 1.52 1.79 1.97 1.98 1.80 1.00; {expected:.3f}",
        f"{write_cell(factors)}; {weight:.3f}",
    )


@row(21, "leitong check --set weighting=annotated | annotated_bare | _sum | _mixture | _literal")
def annotated() -> Answer:
    """教育 (noun, in the title), 书 (verb), 互联网 (other, in a marked sentence); TF-IDF 1."""
    features = _features(("教育", "书", "互联网"), (1, 1, 1))
    notes = Annotations(
        np.array([0, 1, 3], np.uint8),
        np.array([True, False, False]),
        np.array([False, False, True]),
        np.zeros(3, np.bool_),
    )
    got = [
        combine_weights(features, np.ones(3), notes, parts=Parts(form=form)).round(4).tolist()
        for form in ("product", "bare", "sum", "mixture")
    ]
    share = dominance(np.array(got[0]), features.indptr)[0]
    expected = "7.5 0.8 4.0; 2.5 0.0 2.0; 7.5 2.8 7.4; 1.7 0.76 1.68; dominance 0.772"
    return Answer(expected, f"{_tables(got)}; dominance {share:.3f}")


def _tables(rows: list[list[float]]) -> str:
    return "; ".join(write_cell([float(value) for value in row]) for row in rows)
