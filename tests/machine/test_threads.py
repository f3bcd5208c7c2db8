"""Threads of one process get what one of them alone gets, and leave the process as it was."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier, Event
from typing import Any, TypeVar

import pytest
import snowballstemmer
import xxhash

import leitong as lt
from simhash_core.machine.once import once
from simhash_core.passages.tokenize import word_of
from simhash_core.report.json import fingerprint_data
from simhash_core.text import flat
from simhash_core.text.dictionary import stem_of

THREADS = 4
Given = TypeVar("Given")
Answer = TypeVar("Answer")


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns a thousand times as often as they do by themselves."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(usual)


def at_once(do: Callable[[Given], Answer], given: Sequence[Given]) -> list[Answer]:
    """Call a function in threads that begin together."""
    start = Barrier(THREADS)

    def work(one: Given) -> Answer:
        start.wait()
        return do(one)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(work, given))


def words(seed: int) -> list[str]:
    """Return words that no cache holds."""
    ends = ("ational", "fulness", "ization", "ingly", "iveness", "ities", "ousli", "ement")
    return [f"{chr(97 + seed)}{'bcdfgh'[n % 6]}o{n:x}{ends[n % len(ends)]}" for n in range(1200)]


# --------------------------------------------------------------------------- words


@pytest.mark.usefixtures("hurried")
def test_words_have_the_stems_that_one_thread_gives() -> None:
    lists = [words(seed) for seed in range(THREADS)]
    found = at_once(lambda some: [(word_of(word)[1], stem_of(word)) for word in some], lists)

    alone = snowballstemmer.stemmer("english")
    for some, pairs in zip(lists, found, strict=True):
        stems = alone.stemWords(some)
        assert pairs == [(xxhash.xxh3_64_intdigest(stem.encode()), stem) for stem in stems]


@pytest.mark.usefixtures("hurried")
def test_characters_become_what_one_thread_makes_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    longer = [chr(point) for point in (*range(0x2474, 0x249C), *range(0x3300, 0x3357))]
    texts = ["".join(longer[row::THREADS]) for row in range(THREADS)]
    alone = [flat.flatten([text]).code.tolist() for text in texts]
    for _ in range(20):
        monkeypatch.setattr(flat, "_table", once(flat.CharacterTable))
        assert at_once(lambda text: flat.flatten([text]).code.tolist(), texts) == alone


# --------------------------------------------------------------------------- once


def test_what_several_threads_ask_for_first_is_made_once() -> None:
    made, go_on = [], Event()

    @once
    def slow(name: str) -> list[str]:
        made.append(name)
        go_on.wait(0.05)
        return [name]

    found = at_once(slow, ["a"] * THREADS)

    assert made == ["a"] and all(one is found[0] for one in found)
    slow.cache_clear()
    assert slow("a") == ["a"] and made == ["a", "a"]


def test_what_fails_is_tried_again() -> None:
    calls: list[int] = []

    @once
    def failing() -> int:
        calls.append(1)
        raise OSError

    for _ in range(2):
        with pytest.raises(OSError):
            failing()
    assert len(calls) == 2


# --------------------------------------------------------------------------- the door


def stories(seed: int) -> dict[str, str]:
    """Return texts of both languages that share passages."""
    said = " ".join(words(seed)[:90])
    tale = "".join(chr(0x4E00 + (seed * 997 + n * 61) % 5000) for n in range(150))
    return {
        "2024-05-01": f"{said} {tale}。",
        "2024-05-03": f"They report that {said} {tale}。",
        "2024-06-01": " ".join(words(seed + THREADS)[:90]),
    }


def told(data: Any) -> Any:
    """Return data without what a clock measured."""
    return {key: value for key, value in data.items() if key != "timings"}


def asked(folder: Path) -> dict[str, Callable[[int], Any]]:
    """Return what the door does, by name."""
    address = folder / "kept.library"
    shared = lt.Library(address, create=True)
    shared.add("old", stories(0))

    def reported(seed: int) -> bytes:
        path = folder / f"{seed}.csv"
        lt.check(stories(seed)).report(path)
        lt.check(stories(0)).report(folder / "all.html")  # the same file for all of them
        return path.read_bytes()

    def kept(seed: int) -> Any:
        with lt.Library(address) as library:
            held = (shared, library)[seed % 2]
            result = lt.check(list(stories(seed).values()), against=held)
            return told(json.loads(result.to_json())), held.texts()

    def passages(seed: int) -> Any:
        both = lt.compare(*list(stories(seed).values())[:2])
        return told(json.loads(both.to_json())), both._repr_html_()

    def signed(seed: int) -> Any:
        documents = lt.check(stories(seed)).core.documents
        return fingerprint_data(documents, settings=lt.Settings(), explained=False)

    return {
        "check": lambda seed: told(json.loads(lt.check(stories(seed)).to_json())),
        "compare": passages,
        "reposts": lambda seed: lt.reposts(stories(seed)).to_json(),
        "library": kept,
        "report": reported,
        "fingerprints": signed,
    }


@pytest.mark.long
@pytest.mark.usefixtures("hurried")
def test_door_answers_in_threads_as_in_one(tmp_path: Path) -> None:
    for name, do in asked(tmp_path).items():
        seeds = range(THREADS)
        assert at_once(do, seeds) == [do(seed) for seed in seeds], name
    assert not list(tmp_path.glob(".*"))


def article(number: int) -> str:
    """Return a text of both languages in which every fifth takes a passage from the one before."""
    draw, before = Random(number), Random(number - 1)
    made = [f"{draw.choice(words(draw.randrange(26)))}" for _ in range(120)]
    tale = "".join(chr(0x4E00 + draw.randrange(3000)) for _ in range(120))
    taken = [before.choice(words(before.randrange(26))) for _ in range(40)] if number % 5 else []
    return " ".join([*made, *taken, tale])


@pytest.mark.slow
def test_two_thousand_texts_in_threads_are_found_as_in_one() -> None:
    parts = [
        {f"{number}": article(number) for number in range(row * 500, row * 500 + 500)}
        for row in range(THREADS)
    ]

    def found(part: dict[str, str]) -> Any:
        return told(json.loads(lt.check(part).to_json()))

    in_threads = at_once(found, parts)

    assert in_threads == [found(part) for part in parts]
    assert all(one["pairs"] for one in in_threads)
