"""What the repost desk answers, out of an archive of 2,000 articles with series.

    python -m benchmarks repost_desk --corpora FOLDER
    python -m benchmarks repost_desk --corpora FOLDER --answers answers.json

Articles are cut from English books and statutes, Chinese statutes and a book in both languages. The
articles of a series begin with one standard paragraph. Each question is asked by itself: copied
word for word, with words replaced, shortened, merged of two, translated, or of nothing else; its
date is right, missing or false in turn.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import leitong as lt
from benchmarks.library import Clock, say
from simhash_core.lab.measurements.bilingual import prose
from simhash_core.lab.measurements.families import edited
from simhash_core.lab.measurements.reposts import _unrelated
from simhash_core.model import Document

SIZE = {"zh": (900, 2200), "en": (2200, 6000)}  # characters of an article
SERIES = (5, 12)  # articles
OPENING = (0.06, 0.19)  # of an article of a series: its standard paragraph
EACH = {"verbatim": 20, "replaced": 10, "shortened": 8, "thinned": 8, "merged": 8, "clean": 12}
DATES = ("missing", "right", "false")
TRANSLATED = 3  # each way


@dataclass(frozen=True, slots=True)
class Question:
    """A text that is asked about, what was done, and the names of its sources."""

    document: Document
    kind: str
    date: str
    sources: tuple[str, ...]


def articles(corpora: Path, draw: random.Random) -> dict[str, list[str]]:
    """Return articles of both languages, none of which is related to another."""
    found: dict[str, list[str]] = {}
    for language, folder, shingle in (("en", "pan13_dev/src", 40), ("zh", "zh_laws_dev/docs", 12)):
        parts = [
            (path.name, text)
            for path in sorted((corpora / folder).iterdir())
            for text in _cut(path.read_text("utf-8", "replace"), SIZE[language], draw)
        ]
        found[language] = [text for _, text in _unrelated(parts, shingle)]
    return found


def _cut(text: str, size: tuple[int, int], draw: random.Random) -> Iterator[str]:
    held: list[str] = []
    most = draw.randint(*size)
    for line in (line.strip() for line in re.split(r"\n+", text)):
        held += [line] if line else []
        if sum(map(len, held)) >= most:
            yield "\n".join(held)
            held, most = [], draw.randint(*size)


def translated(corpora: Path) -> list[tuple[str, str]]:
    """Return chapters of a book, in English and as they were published in Chinese."""
    chinese = {
        path.name.split("__")[1]: path
        for path in sorted((corpora / "zh_rust_book/docs").glob("kaisery__*__2026*"))
    }
    pairs = []
    for path in sorted((corpora / "en_rust_book/docs").glob("rust__src_*__2026*")):
        other = chinese.get(path.name.split("__")[1].removeprefix("src_"))
        if other is not None:
            texts = [prose(one.read_text("utf-8"), latin=True)[:9000] for one in (path, other)]
            if min(map(len, texts)) > 1500:
                pairs.append((texts[0], texts[1]))
    return pairs


def archive_of(corpora: Path, size: int, draw: random.Random) -> tuple[list[Document], list[str]]:
    """Return an archive, every third article of a series, and texts that it does not hold."""
    found = articles(corpora, draw)
    for texts in found.values():
        draw.shuffle(texts)
    spare = [text for texts in found.values() for text in (texts.pop() for _ in range(40))]
    openings = {language: [texts.pop() for _ in range(60)] for language, texts in found.items()}
    pool = [(text, language) for language, texts in found.items() for text in texts]
    draw.shuffle(pool)
    pool, archive = pool[:size], []
    while pool:
        text, language = pool.pop()
        n = draw.randint(*SERIES) if draw.random() < 0.06 and openings[language] else 1
        series = [text, *_pop(pool, language, n - 1)]
        opening = openings[language].pop() if n > 1 else ""
        for part in series:
            lead = opening[: round(draw.uniform(*OPENING) * len(part))]
            archive.append(_document(f"{lead}\n\n{part}".strip(), len(archive), bool(lead), draw))
    return archive, spare


def _pop(pool: list[tuple[str, str]], language: str, n: int) -> list[str]:
    rows = [row for row, one in enumerate(pool) if one[1] == language][-n:] if n else []
    return [pool.pop(row)[0] for row in reversed(rows)]


def _document(text: str, number: int, series: bool, draw: random.Random) -> Document:
    day = date(2015, 1, 1) + timedelta(days=draw.randint(0, 3000))
    name = f"{'series' if series else 'article'} {number}"
    return Document.from_text(text, name=name, date=f"{day}", title=f"Title {number}")


def questions(
    archive: Sequence[Document], spare: list[str], both: list[tuple[str, str]], draw: random.Random
) -> tuple[list[Document], list[Question]]:
    """Return the archive with the originals of translations, and the questions."""
    asked: list[tuple[str, str, tuple[Document, ...]]] = []
    series = [one for one in archive if one.name.startswith("series")]
    for kind, n in EACH.items():
        for row in range(n):
            a, b = draw.sample(series if row % 2 else list(archive), 2)
            asked.append((_made(kind, a.text, b.text, spare, draw), kind,
                          {"merged": (a, b), "clean": ()}.get(kind, (a,))))  # fmt: skip
    kept = list(archive)
    for row, pair in enumerate(draw.sample(both, 2 * TRANSLATED)):
        known = _document(pair[row % 2], 10_000 + row, False, draw)
        kept.append(known)
        asked.append((pair[1 - row % 2], "translated", (known,)))
    made = []
    for row, (text, kind, sources) in enumerate(asked):
        when = DATES[row % 3]
        days = [date.fromisoformat(one.meta["date"]) for one in sources] or [date(2020, 1, 1)]
        day = {"missing": "", "right": f"{max(days) + timedelta(days=200)}",
               "false": f"{min(days) - timedelta(days=400)}"}[when]  # fmt: skip
        meta = {"date": day} if day else {}
        document = Document.from_text(text, name=f"asked {row:02d} {kind}", **meta)
        made.append(Question(document, kind, when, tuple(one.name for one in sources)))
    return kept, made


def _made(kind: str, text: str, other: str, spare: list[str], draw: random.Random) -> str:
    lines = text.split("\n")
    if kind == "replaced":
        return edited(text, 0.2, spare, draw)
    if kind == "shortened":
        return text[: round(0.4 * len(text))]
    if kind == "thinned":
        return "\n".join(lines[::3])
    if kind == "merged":
        return text[: len(text) * 2 // 3] + "\n" + other[len(other) // 3 :]
    if kind == "clean":  # of a series: a new part of it
        return "\n\n".join([*text.split("\n\n")[:-1], spare.pop()])
    return text


def said(data: dict[str, Any], question: Question) -> dict[str, bool]:
    """Return what is right of an answer in JSON."""
    name = question.document.name
    groups = [one["group"] for one in data["versions"] if one["name"] == name]
    answers = data.get("answers")
    nearest = next((one["name"] for one in data["versions"] if one["group"] in groups), "")
    if answers is not None:  # before they were told, what stood first was the answer
        nearest = next((one["nearest"] for one in answers if one["kind"] != "common"), "")
    edges = [one for one in data["edges"] if one["version"] == name]
    drawn = {one["source"] for one in edges}
    inside = {one["name"] for one in data["versions"] if one["group"] in groups}
    return {
        "named": nearest in question.sources if question.sources else not data["groups"],
        "all_drawn": set(question.sources) <= drawn,
        "strangers": bool(inside - {name, *question.sources}),
        "as_source": any(one["source"] == name for one in data["edges"]),
        "said_first": any(one["first"] == name for one in data["groups"]),
    }


def run(options: argparse.Namespace) -> None:
    """Ask all questions."""
    draw = random.Random(options.seed)
    archive, spare = archive_of(options.corpora, options.texts, draw)
    archive, asked = questions(archive, spare, translated(options.corpora), draw)
    series = sum(one.name.startswith("series") for one in archive)
    say(f"{len(archive)} articles, {series} of series; {len(asked)} questions")
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    answers = []
    with (
        tempfile.TemporaryDirectory() as folder,
        lt.Library(Path(folder) / "a", create=True) as held,
    ):
        held.add("press", archive)
        clock = Clock()
        for question in asked:
            data = json.loads(lt.reposts([question.document], against=held).to_json())
            right = said(data, question)
            answers.append({"asked": question.document.name, "date": question.date,
                            "sources": question.sources, **right, "found": data})  # fmt: skip
            for key in ((question.kind, "all"), ("dates", question.date)):
                counts[key].update(["n", *(name for name, yes in right.items() if yes)])
        say(f"{len(asked)} questions", clock)
    heads = ("n", "named", "all_drawn", "strangers", "as_source", "said_first")
    say(f"{'':22}" + "".join(f"{head:>11}" for head in heads))
    for key, of_kind in counts.items():
        say(f"{' '.join(key):22}" + "".join(f"{of_kind[head]:>11}" for head in heads))
    if options.answers:
        options.answers.write_text(json.dumps(answers, ensure_ascii=False, indent=1), "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", type=Path)
    run(parser.parse_args(arguments))
