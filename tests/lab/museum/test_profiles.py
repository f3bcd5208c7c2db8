"""Fingerprints of other programs, against their own published values and against themselves."""

import random

import pytest
import simhash as installed
from hypothesis import given
from hypothesis import strategies as st
from reference import as_int

from simhash_core.checking.fingerprinting import fingerprint_batch
from simhash_core.checking.tokenizing import count_texts
from simhash_core.lab.museum import profiles
from simhash_core.lab.museum.profiles import PROFILES, java_bkdr, jenkins, murmur64_signed
from simhash_core.model import Document
from simhash_core.settings import Settings

TEXT = (
    "我是蓝翔技工拖拉机学院手扶拖拉机专业的。不用多久，我就会升职加薪，"
    "当上总经理，出任CEO，走上人生巅峰。"
)
ANY = st.text(max_size=80) | st.text("abcd 教育xyz。,\n", max_size=400)


def test_every_profile_says_where_it_comes_from() -> None:
    assert set(PROFILES) == {"classic", "lyq", "sing1ee", "1e0ng", "yanyiwu"}
    for name, profile in PROFILES.items():
        assert profile.name == name and profile.source and 0 < profile.k < profile.bits
        assert profile.fingerprint("教育/n 公司/n " + TEXT) is not None


@pytest.mark.long
@given(ANY, st.sampled_from(sorted(PROFILES)))
def test_any_text_has_a_signature_of_the_right_width_or_none(text: str, name: str) -> None:
    found = PROFILES[name].fingerprint(text)
    assert found is None or 0 <= found < 1 << PROFILES[name].bits


@pytest.mark.long
@given(ANY)
def test_1e0ng_equals_the_installed_package(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()  # the package cannot encode half surrogates
    assert PROFILES["1e0ng"].fingerprint(text) == installed.Simhash(text).value


def test_1e0ng_equals_the_package_on_long_texts_and_past_255() -> None:
    draw = random.Random(5)
    for _ in range(20):
        text = " ".join(draw.choice(["教育", "the", "交通", "however", "房"]) for _ in range(150))
        assert PROFILES["1e0ng"].fingerprint(text) == installed.Simhash(text).value
    with pytest.raises(OverflowError):
        installed.Simhash("a" * 1000)
    assert PROFILES["1e0ng"].fingerprint("a" * 1000) == installed.Simhash("a" * 100).value


def test_classic_is_the_preset_of_that_name() -> None:
    text = TEXT * 5
    settings = Settings.of("classic")
    features = count_texts([text], settings)
    fingerprinted = fingerprint_batch(
        [Document.from_text(text)], features, settings=settings, step=lambda *_: None
    )
    assert PROFILES["classic"].fingerprint(text) == as_int(fingerprinted.background.words[0])
    assert (PROFILES["classic"].bits, PROFILES["classic"].k) == (64, settings.threshold)


# ---------------------------------------------------------------------- yanyiwu


def test_yanyiwu_gives_the_signature_of_its_readme_and_compares_as_its_tests() -> None:
    published = [
        ("蓝翔", 11.7392),
        ("CEO", 11.7392),
        ("升职", 10.8562),
        ("加薪", 10.6426),
        ("手扶拖拉机", 10.0089),
    ]
    assert profiles.sign_keywords(published) == 17831459094038722629
    assert PROFILES["yanyiwu"].fingerprint(TEXT) == 17831459094038722629
    a, b, c = (int(bits, 2) for bits in ("100010110110", "110001110011", "110010110111"))
    assert (a ^ b).bit_count() == 5
    assert (a ^ c).bit_count() <= PROFILES["yanyiwu"].k < (a ^ b).bit_count()


def test_jenkins_follows_lookup3() -> None:
    # values in the comments of lookup3.c: hashlittle("Four score and seven years ago", 30, 0)
    assert jenkins(b"Four score and seven years ago") >> 32 == 0x17770551
    assert jenkins(b"") == 0xDEADBEEFDEADBEEF


# ---------------------------------------------------------------------- sing1ee

OF_ITS_TEST_FILE = (
    "dfasfasdfdasfasdfsadfasdfasdfasdfasdfasdfasfasdfasdfasdf",
    "dfasfasdfdasfasdfsadfasdfasdfasdfasdfasdfasfasdfasdfdf",
    "qwerqewrqwrwerqwrwrwerqwreqwrqwerqwreqwerqwreqwrwqre",
    "qwerqewrqwrwerqwrwrwerqwreqwrqwerqwreqwerqwreqwrwqr",
)


def test_sing1ee_gives_the_distances_of_its_test_output_above_one_vote() -> None:
    prints = [PROFILES["sing1ee"].fingerprint(line) or 0 for line in OF_ITS_TEST_FILE]
    assert (prints[0] ^ prints[1]).bit_count() == 1
    assert (prints[2] ^ prints[3]).bit_count() == 1
    assert PROFILES["sing1ee"].fingerprint("ab") == 0
    assert PROFILES["sing1ee"].fingerprint("ababa") == murmur64_signed(b"ab") & murmur64_signed(
        b"ba"
    )


def test_sing1ee_pairs_utf16_units_and_extends_signs() -> None:
    assert profiles.bigrams("a教b") == ["a教".encode(), "教b".encode()]
    assert profiles.bigrams("a😀") == [b"a?", "😀".encode()]
    assert PROFILES["sing1ee"].fingerprint("a") is None

    # 5 ASCII bytes: plain MurmurHash64A; 6 bytes of Chinese: not
    assert murmur64_signed(b"") == 0
    sign_free = 0xC6A4A7935BD1E995 * 6 & (1 << 64) - 1
    for place, byte in enumerate("教育".encode()):
        sign_free ^= byte << 8 * place
    sign_free = sign_free * 0xC6A4A7935BD1E995 & (1 << 64) - 1
    sign_free = (sign_free ^ sign_free >> 47) * 0xC6A4A7935BD1E995 & (1 << 64) - 1
    assert murmur64_signed("教育".encode()) != sign_free ^ sign_free >> 47


# ---------------------------------------------------------------------- lyq


def test_lyq_hashes_through_casts_and_doubles() -> None:
    known = {"教育": 837241, "公司": 667660, "市场": 768376, "CSDN": 2077946, "abc": 96354}
    for word, value in known.items():
        assert java_bkdr(word, bits=64) == value
        assert java_bkdr(word, bits=32) == value
        assert java_bkdr(word, bits=16) == value % 2**16
        assert java_bkdr(word, bits=8) == value % 2**8
    assert java_bkdr("1822.68", bits=64) % 2**32 >= 2**31
    assert java_bkdr("1822.68", bits=32) == 0
    assert java_bkdr("1822.68", bits=16) > 0
    word = "一二三四五六七八九十"
    exact = java_bkdr(word, bits=64)
    assert exact > 2**53
    assert java_bkdr(word, bits=16) == int(float(exact)) % 2**16 != exact % 2**16


def test_lyq_counts_squares_and_compares_as_the_tool_does() -> None:
    words, _ = profiles.read_pieces(" 教育/n  、/wn 教育/n\n公司/n awning/n nothing 市场/n/x  ")
    # "" 教育/n "" 、/wn 教育/n公司/n awning/n nothing 市场/n/x
    assert words == {"教育": 2, "市场": 1}
    words, voting = profiles.read_pieces("，/wd ，/w 教育/n")
    assert words == {"，": 1, "教育": 1}
    assert voting == {"，": 2, "教育": 1}
    a, b, c = (java_bkdr(word, bits=32) for word in ("教育", "公司", "市场"))
    assert PROFILES["lyq"].fingerprint("教育/n 公司/n 市场/n 教育/n") == a
    assert PROFILES["lyq"].fingerprint("教育/n 公司/n 市场/n") == a & b | a & c | b & c

    assert PROFILES["lyq"].k == 15  # of 32 bits
    assert profiles.lyq_similarity(0x0008C219, 0x00007600, 32) == 0.75
    assert profiles.lyq_similarity(0x00007600, 0x00003284, 32) == 0.875
    assert profiles.lyq_similarity(0x0008C219, 0x00003284, 32) == 0.6875
    assert (
        profiles.lyq_similarity(0x19, 0x00, 8) == 0.625
        and profiles.lyq_similarity(0xC219, 0x7600, 16) == 0.5625
    )
