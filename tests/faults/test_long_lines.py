"""One line of millions of characters, with and without anything to cut it at."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

import simhash_core
from simhash_core.errors import Unreadable
from simhash_core.text.gathering import Source
from simhash_core.text.normalize import normalized_text
from simhash_core.text.reading import read_one

CHARACTERS = 1_000_000  # twice as many are still below the limit of a text
MOST_RATIO = 2.5  # of twice the characters
KINDS = {
    "no full stop": "words and no end to them ",
    "Han": "汉字没有句号",
    "blanks": "a    ",
    "combining marks": "a\u0301\u0302",
    "joiners": "a\u200d\u200b",
    "open brackets": "<(（《",
}


@pytest.mark.promise(18)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", KINDS)
def test_twice_the_characters_take_twice_the_time(kind: str, record_property) -> None:
    def seconds(count: int) -> float:
        text = KINDS[kind] * (count // len(KINDS[kind]))
        source, times = Source("a.txt", data=text.encode()), []
        for _ in range(3):
            began = time.process_time()
            with contextlib.suppress(Unreadable):
                normalized_text(read_one(source).text)
            times.append(time.process_time() - began)
        return min(times)

    once, twice = seconds(CHARACTERS), seconds(2 * CHARACTERS)
    record_property("outcome", f"{kind}: {once:.2f} s, twice as long {twice:.2f} s")
    assert twice < MOST_RATIO * once + 0.1


#: what a pattern that looks again at what it has seen is slow on, repeated
REPEATED = (
    *('"', "'", '\\"', "\\'", '"\\"', '"a', "a", "A ", "a ", "a. ", "ab,", ".a", "1", "1.", "1,"),
    *("0", "-", "- ", "#", "*", "_", "`", "|", "| a ", ">", "=", ";", "a;", "a:b;", "{", "[", "("),
    *("[1", "(2020", "<a ", "<meta ", "<!--", "/*", "&#", "rgb(", "attr( ", "data:text/html"),
    *(
        "http://",
        "http://a",
        "www.",
        "a@",
        "a.b@",
        "et al. ",
        "10.1000/",
        "%a",
        "\\x",
        "字",
        "字，",
    ),
    *("，", "。", "第", "一", "年", "1月", "“", "“a", "《", "《a", "\t", " ", "  a", "\n", " \n"),
    *("\r\n", "\u200b", "\u0301", "a\u0301"),
)
LENGTH = 2_000
FOUR_TIMES = 9.0  # of the time for a quarter of the characters: 4 where linear, 16 where square


@pytest.mark.promise(18)
@pytest.mark.timeout(1800)
def test_no_pattern_is_slow_on_anything_repeated(record_property) -> None:
    def seconds(use: Callable[[str | bytes], object], pattern: re.Pattern, text: str) -> float:
        given = text.encode() if isinstance(pattern.pattern, bytes) else text
        began = time.process_time()
        use(given)
        return time.process_time() - began

    held, slow = list(patterns()), []
    for pattern, name, ways in held:
        for seed, end, way in product(REPEATED, ("", "!"), ways):
            use = getattr(pattern, way)
            short = seconds(use, pattern, seed * (LENGTH // len(seed)) + end)
            if short < 1e-3:
                continue
            long = seconds(use, pattern, seed * (4 * LENGTH // len(seed)) + end)
            if long > FOUR_TIMES * short and long > 0.015:
                slow.append(f"{name}.{way} on {seed!r}: {short:.4f} s, {long:.4f} s")
    record_property("outcome", f"{len(held)} patterns on {len(REPEATED)} repetitions: {slow}")

    assert len(held) > 100
    assert slow == []


def patterns() -> Iterator[tuple[re.Pattern, str, set[str]]]:
    """Yield the patterns of all modules, each with one of its names and the ways of its use."""
    elsewhere = ("__main__", ".desktop", ".postgres", ".loops")  # the last is the library of C
    # they read what they ship with
    ours = ("simhash_core.lab.", "simhash_core.text.dictionary", "simhash_core.app.guides")
    for module in pkgutil.walk_packages(simhash_core.__path__, "simhash_core."):
        if module.name.endswith(elsewhere) or ".engines" in module.name:
            continue  # what they import may not be installed
        if module.name.startswith(ours):
            continue
        imported = importlib.import_module(module.name)
        sources = Path(imported.__file__ or "").read_text("utf-8")
        for name, value in vars(imported).items():
            if isinstance(value, re.Pattern):
                used = set(re.findall(rf"\b{name}\.(\w+)\(", sources)) & {"match", "fullmatch"}
                searched = re.search(rf"\b{name}\.(search|sub|split|findall|finditer)\(", sources)
                yield value, f"{module.name}.{name}", used | ({"findall"} if searched else set())
