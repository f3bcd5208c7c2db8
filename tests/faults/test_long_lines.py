"""One line of millions of characters, with and without anything to cut it at."""

from __future__ import annotations

import contextlib
import time

import pytest

from simhash_core.errors import Unreadable
from simhash_core.text.gathering import Source
from simhash_core.text.normalize import normalized_text
from simhash_core.text.reading import read_one

CHARACTERS = 2_000_000
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
