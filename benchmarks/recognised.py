"""Is a text found again that was recognised from pictures, and how well are pictures recognised?

python -m benchmarks recognised [--rates 0 0.05] [--unforgiven] [--scans ROOT] [--long-scan]

Copies of sample texts, spoiled as recognition spoils them: look-alike characters, lost and doubled
ones, wrong marks, lost spaces. Each is checked with the default settings among the clean texts:
alone (`whole`), with hard line ends, hyphens, heads and page numbers (`layout`), and as one
paragraph inside another text (`paragraph`). Prints how many are found, the share of the copied
characters that lie in a passage, and the share of what is shared that is called identical. With
`--unforgiven` they are not noted as recognised.

ROOT holds `scans.csv` (file, truth, what), pictures with their text; needs the extra `ocr`. Prints
wrong letters and digits in a hundred, all characters in brackets, and what a page costs.
`--long-scan` makes a scan of forty pages of them, stops in the middle and goes on.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import random
import resource
import statistics
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from rapidfuzz.distance import Levenshtein

from benchmarks._shared.needs import Missing
from simhash_core.checking.pipeline import check
from simhash_core.errors import Cancelled
from simhash_core.folders import application_folder
from simhash_core.machine.workers import WorkerPool
from simhash_core.model import Document, Note, Progress
from simhash_core.settings import Settings
from simhash_core.text.extract import PICTURED
from simhash_core.text.extract.extracted import Extracted
from simhash_core.text.extract.paragraphs import reflow
from simhash_core.text.gathering import Source
from simhash_core.text.reading import document_of, read_sources
from simhash_core.text.recognition import recognition_installed
from simhash_core.text.recognition.order import read_page

RATES = (0.0, 0.01, 0.02, 0.05, 0.07, 0.08, 0.1)
COPIED = {
    "zh": ("chen-siyuan", "lin-xiaoyu", "liu-zimo"),
    "en": ("emma-clarke", "leo-hartmann", "tom-whitfield"),
}
LONG_SCAN = 40  # pages
_ALIKE = 0.7  # of the wrong characters look like the right ones, where such are known
_LOST, _DOUBLED = 0.8, 0.88  # then: lost, one too many, any other

#: characters that are taken for each other; not the table of the product
_GROUPS = """
己已巳 未末 土士 日曰目 人入八 大太犬 天夭无 千干于 戊戌戍 间问闻 侯候 今令 王玉主 刀力
几儿九 木本术 拔拨 折拆析 治冶 晴睛 清请情 很恨 住往 代伐 午牛 贝见 免兔 鸟乌 历厉 辨辩 竞竟
壁璧 徒徙 即既 冷泠 杨扬 科料 各名 同问 沮泪 洒酒 侍待持 衰哀 茶荼 享亨 哪那 地他她 的旳 一-
口囗 了丁 工エ 卜ト 二ニ 力カ 夕タ 这违 没设 时对 个今 全金 自白 由田甲 子予 学字
"""
_LATIN = {
    "rn": "m",
    "m": "rn",
    "l": "1",
    "1": "l",
    "I": "l",
    "O": "0",
    "0": "O",
    "cl": "d",
    "d": "cl",
    "vv": "w",
    "w": "vv",
    "e": "c",
    "c": "e",
    "h": "b",
    "b": "h",
    "fi": "f1",
    "t": "f",
    "f": "t",
    "u": "ii",
    "n": "ri",
    "S": "5",
    "5": "S",
    "B": "8",
    "8": "B",
    "g": "q",
    "a": "o",
    "i": "j",
}
_MARKS = {
    "，": ",。、",
    "。": "．.，",
    "、": "，丶",
    "；": ";：",
    "：": ":；",
    "“": "\"'",
    "”": "\"'",
    "？": "?",
    "！": "!",
    ",": ".",
    ".": ",",
    "’": "'",
    "—": "-一",
}


class Figures(NamedTuple):
    """What became of one copy."""

    found: bool
    covered: float
    identical: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", type=float, nargs="*", default=RATES, help="wrong of one")
    parser.add_argument("--unforgiven", action="store_true", help="not noted as recognised")
    parser.add_argument("--scans", type=Path, metavar="ROOT", help="pictures with their text")
    parser.add_argument("--long-scan", action="store_true", help="forty pages, stopped once")
    options = parser.parse_args(arguments)
    if options.rates:
        print_copies(options.rates, noted=not options.unforgiven)
    if options.scans is None:
        return
    if not recognition_installed():
        raise Missing('pip install "leitong[ocr]"')
    print_scans(options.scans)
    if options.long_scan:
        print_long_scan(options.scans)


# ------------------------------------------------------------------------------ copies


def print_copies(rates: Sequence[float], *, noted: bool) -> None:
    """Print one line a language and kind, one column a rate."""
    print(f"{'wrong characters':18}" + "".join(f"{rate:>20.0%}" for rate in rates))
    for language, names in COPIED.items():
        for kind, made in KINDS.items():
            columns = []
            for rate in rates:
                figures = [copy_figures(name, made, rate, noted=noted) for name in names]
                copies = sum(one.found for one in figures)
                covered, identical = (
                    statistics.fmean(getattr(one, field) for one in figures)
                    for field in ("covered", "identical")
                )
                columns.append(f"{covered:.3f} {identical:.2f} ({copies}/{len(names)})")
            print(f"{language} {kind:15}" + "".join(f"{one:>20}" for one in columns), flush=True)


def copy_figures(name: str, made: Making, rate: float, *, noted: bool) -> Figures:
    """Check one spoiled copy among the clean texts."""
    clean = {file.stem: file.read_text("utf-8") for file in sources()}
    text, copied = made(clean[name], rate, clean)
    documents = [Document.from_text(other, name=key) for key, other in clean.items()]
    copy = document_of(Extracted(text), name="copy", kind="pdf")
    if noted:
        copy = replace(copy, notes=(*copy.notes, Note("ocr", {"n": 1, "percent": 99.0})))
    result = check([*documents, copy])
    row, original = len(documents), list(clean).index(name)
    marked = np.zeros(len(text), np.bool_)
    pairs = result.table.pairs
    for at in np.flatnonzero((pairs.left == original) & (pairs.right == row)).tolist():
        for passage in np.flatnonzero((result.passages.pair == at) & ~result.passages.weak):
            marked[result.passages.b_start[passage] : result.passages.b_end[passage]] = True
        identical = float(result.table.identical[at])
        return Figures(bool(marked.any()), _share(marked, text, copied), identical)
    return Figures(False, 0.0, 0.0)


def _share(marked: np.ndarray, text: str, copied: tuple[int, int]) -> float:
    letters = [at for at in range(*copied) if text[at].isalnum()]
    return float(marked[letters].mean()) if letters else 0.0


def sources() -> list[Path]:
    """Return the sample texts."""
    return sorted((application_folder() / "sample_docs" / "sources").glob("*.txt"))


def whole(text: str, rate: float, clean: dict[str, str]) -> tuple[str, tuple[int, int]]:
    """Return the text itself, spoiled."""
    copy = spoiled(text, rate, seed=1)
    return copy, (0, len(copy))


def laid_out(text: str, rate: float, clean: dict[str, str]) -> tuple[str, tuple[int, int]]:
    """Return the text as it comes from pages."""
    copy = reflow([on_pages(spoiled(text, rate, seed=2))])
    return copy, (0, len(copy))


def paragraph(text: str, rate: float, clean: dict[str, str]) -> tuple[str, tuple[int, int]]:
    """Return the longest paragraph inside another text of the language, both spoiled."""
    latin = _is_latin(text)
    other = next(one for one in clean.values() if one != text and _is_latin(one) is latin)
    middle = other.find("\n", len(other) // 2) + 1
    copy = spoiled(max(text.split("\n"), key=len), rate, seed=3)
    before, after = (spoiled(part, rate, seed=4) for part in (other[:middle], other[middle:]))
    return before + copy + "\n" + after, (len(before), len(before) + len(copy))


Making = Callable[[str, float, dict[str, str]], tuple[str, tuple[int, int]]]
KINDS: dict[str, Making] = {"whole": whole, "layout": laid_out, "paragraph": paragraph}


def spoiled(text: str, rate: float, *, seed: int) -> str:
    """Return a text with about that share of its characters read wrongly."""
    chance, alike = random.Random(seed), _alike()
    common = [one for one in dict.fromkeys(text) if one.isalnum()]
    out: list[str] = []
    owed, at = 0.0, 0
    while at < len(text):
        owed += rate
        wrong = owed > 0 and text[at] != "\n" and chance.random() < min(1.0, owed * 0.5)
        if not wrong:
            out.append(text[at])
            at += 1
            continue
        owed -= 1
        size, read = _misread(text[at : at + 2], chance, alike, common)
        out.append(read)
        at += size
    return "".join(out)


def _misread(
    pair: str, chance: random.Random, alike: dict[str, str], common: Sequence[str]
) -> tuple[int, str]:
    """Return how many characters were read, and as what."""
    kind, char = chance.random(), pair[0]
    if kind < _ALIKE and pair in _LATIN:
        return 2, _LATIN[pair]
    if kind < _ALIKE and char in alike:
        return 1, chance.choice(alike[char])
    if kind < _ALIKE and char in _LATIN:
        return 1, _LATIN[char]
    if char in _MARKS:
        return 1, chance.choice(_MARKS[char])
    if char == " " or kind < _LOST:
        return 1, ""
    return 1, (char if kind < _DOUBLED else "") + chance.choice(common)


def _alike() -> dict[str, str]:
    table: dict[str, str] = {}
    for group in _GROUPS.split():
        for char in group:
            table[char] = table.get(char, "") + "".join(one for one in group if one != char)
    return table


def _is_latin(text: str) -> bool:
    return sum(one.isascii() and one.isalpha() for one in text) > len(text) / 2


def on_pages(text: str, *, lines_a_page: int = 30) -> list[str]:
    """Break lines as on paper, with hyphens in Latin words and a head and a number a page."""
    width = 68 if _is_latin(text) else 34
    lines: list[str] = []
    for part in text.split("\n"):
        rest = part
        while len(rest) > width:
            cut = width
            if rest[cut - 1 : cut + 1].isascii() and rest[cut - 1 : cut + 1].isalpha():
                word = rest.rfind(" ", 0, cut)
                if cut - word > 4 and len(rest) - cut > 3:
                    lines.append(rest[:cut] + "-")
                    rest = rest[cut:]
                    continue
                cut = word + 1 if word > 0 else cut
            lines.append(rest[:cut].rstrip())
            rest = rest[cut:]
        lines += [rest, ""]
    pages = [lines[at : at + lines_a_page] for at in range(0, len(lines), lines_a_page)]
    return [line for n, page in enumerate(pages, 1) for line in ("Head of a page", *page, str(n))]


# ------------------------------------------------------------------------------ scans


def print_scans(root: Path) -> None:
    """Print the error rate of every picture and what a page cost; each is read twice."""
    rates = []
    print(f"\n{'picture':28}{'letters %':>10}{'(all)':>8}{'CPU s':>7}{'MB':>6}  twice the same")
    for file, truth in scans(root):
        text, pages, seconds = recognised(root / file)
        same = recognised(root / file)[0] == text
        wrong, every = error_rates(text, truth)
        rates.append(wrong)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        cost = f"{seconds / pages:7.1f}{peak:6.0f}"
        print(f"{file:28}{wrong:10.2f}{f'({every:.2f})':>8}{cost}  {same}", flush=True)
    print(f"mean {statistics.fmean(rates):.2f}, worst {max(rates):.2f}")


def scans(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the pictures of a folder with their true text."""
    with (root / "scans.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            parts = [(root / name).read_text("utf-8") for name in row["truth"].split("+")]
            yield row["file"], "\n".join(parts)


def recognised(file: Path) -> tuple[str, int, float]:
    """Return the text of a file of pictures, its pages, and the CPU seconds they took."""
    from simhash_core.text.recognition.models import models

    data, kind = file.read_bytes(), file.suffix.removeprefix(".")
    form, begun = PICTURED[kind], time.process_time()
    parts = form.parts(data)
    pages = {part: read_page(models(), form.picture(data, part)).text for part in parts}
    seconds = time.process_time() - begun
    return form.extract(data, recognised=pages).text, len(pages), seconds


def error_rates(text: str, truth: str) -> tuple[float, float]:
    """Return wrong letters and digits in a hundred true ones, and the same of all characters."""
    rates = []
    for counts in (str.isalnum, lambda character: not character.isspace()):
        read, true = (
            "".join(filter(counts, unicodedata.normalize("NFKC", one))) for one in (text, truth)
        )
        rates.append(100 * Levenshtein.distance(read, true) / max(len(true), 1))
    return rates[0], rates[1]


def print_long_scan(root: Path) -> None:
    """Read a scan of many pages, stop in the middle, go on; say what each part took."""
    source = Source("long.pdf", data=long_scan(root))
    with (
        tempfile.TemporaryDirectory() as folder,
        _environment("LEITONG_CACHE", folder),
        WorkerPool(preload=["simhash_core.text.reading"]) as pool,
    ):

        def stop(stage: str, done: int, total: int) -> None:
            if stage == "ocr" and done == LONG_SCAN // 2:
                raise Cancelled

        def run(progress: Progress) -> tuple[list[Document], float]:
            begun, documents = time.perf_counter(), []
            with contextlib.suppress(Cancelled):
                documents, _ = read_sources(
                    [source], pool=pool, settings=Settings(), progress=progress
                )
            return documents, time.perf_counter() - begun

        _, first = run(stop)
        cached = len(list(Path(folder).rglob("ocr/*/*.json")))
        (resumed,), second = run(lambda *_: None)
        (again,), third = run(lambda *_: None)
    print(f"\n{LONG_SCAN} pages: stopped after {first:.1f} s with {cached} pages kept, the rest in")
    print(f"{second:.1f} s; again in {third:.1f} s, the same: {resumed == again}")


def long_scan(root: Path) -> bytes:
    """Return a PDF of many different pages without a text layer."""
    picture = Image.open(root / "scans" / "zh-150.jpg").convert("L")
    pages = [picture.rotate(n / 20, fillcolor=250) for n in range(LONG_SCAN)]
    buffer = io.BytesIO()
    pages[0].save(buffer, "PDF", resolution=150, save_all=True, append_images=pages[1:])
    return buffer.getvalue()


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


if __name__ == "__main__":
    main()
