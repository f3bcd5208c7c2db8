"""Run the passage engine over a corpus in PAN layout and score it by the measures of the task.

Layout: `src/` and `susp/` hold the texts; every folder `0*` holds one class: a file `pairs` with
"suspicious source" lines, and one XML a pair with the true cases. Offsets are code points of the
text read without newline translation.

References
----------
M. Potthast, B. Stein, A. Barrón-Cedeño, P. Rosso: An Evaluation Framework for Plagiarism
Detection. COLING 2010.
"""

from __future__ import annotations

import hashlib
import math
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from defusedxml import ElementTree

from ...checking import tokenizing
from ...model import DocumentFrequencies, Passages, Progress
from ...passages.align import align_many
from ...passages.options import AlignOptions
from ...passages.tokenized import TokenizedText, document_frequencies, language_of
from ...settings import Settings
from .. import Table

# ------------------------------------------------------------------- measures, on character offsets


class Stretch(NamedTuple):
    """A case or a detection: a range of a suspicious document and the range it comes from."""

    document: str
    start: int
    end: int
    source: str
    source_start: int
    source_end: int


class Score(NamedTuple):
    """What detections are worth; every part lies in 0..1 except `granularity`, at least 1."""

    plagdet: float
    recall: float
    precision: float
    granularity: float
    cases: int
    detections: int


def score(cases: Sequence[Stretch], detections: Sequence[Stretch]) -> Score:
    """Score detections against cases, macro averages over both.

    Notes
    -----
    recall: mean over cases of the share of their characters, both sides together, covered by
    detections that meet the case on both sides. precision: the same with the roles exchanged.
    granularity: detections per detected case. plagdet = F1 / log2(1 + granularity).
    """
    of_case, of_detection = _by_pair(cases), _by_pair(detections)
    shares = [_covered(case, of_detection[case.document, case.source]) for case in cases]
    exact = [_covered(one, of_case[one.document, one.source]) for one in detections]
    recall = _mean([share for share, _ in shares], 0.0)
    precision = _mean([share for share, _ in exact], 0.0)
    granularity = _mean([float(count) for _, count in shares if count], 1.0)
    both = recall + precision
    f1 = 2 * recall * precision / both if both else 0.0
    plagdet = f1 / math.log2(1 + granularity)
    return Score(plagdet, recall, precision, granularity, len(cases), len(detections))


def _by_pair(stretches: Sequence[Stretch]) -> defaultdict[tuple[str, str], list[Stretch]]:
    table: defaultdict[tuple[str, str], list[Stretch]] = defaultdict(list)
    for stretch in stretches:
        table[stretch.document, stretch.source].append(stretch)
    return table


def _covered(one: Stretch, others: Sequence[Stretch]) -> tuple[float, int]:
    """Return the share of a stretch that others cover, and how many meet it on both sides."""
    overlaps = [
        (
            (max(one.start, other.start), min(one.end, other.end)),
            (max(one.source_start, other.source_start), min(one.source_end, other.source_end)),
        )
        for other in others
        if one.start < other.end
        and other.start < one.end
        and one.source_start < other.source_end
        and other.source_start < one.source_end
    ]
    if not overlaps:
        return 0.0, 0
    covered = _union([side for side, _ in overlaps]) + _union([side for _, side in overlaps])
    return covered / (one.end - one.start + one.source_end - one.source_start), len(overlaps)


def _union(spans: Sequence[tuple[int, int]]) -> int:
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _mean(values: Sequence[float], empty: float) -> float:
    return sum(values) / len(values) if values else empty


# --------------------------------------------------------------------------- corpora


PARTS = ("tune", "check")  # four fifths to choose settings on, one fifth kept aside
DF_MODES = ("none", "batch")


@dataclass(frozen=True, slots=True)
class PanPair:
    """One pair of a corpus and where it belongs."""

    group: str
    suspicious: str
    source: str

    @property
    def part(self) -> str:
        """`check` for one pair in five, by a hash of the two names: the same split for ever."""
        names = f"{self.suspicious} {self.source}".encode()
        digest = hashlib.sha1(names, usedforsecurity=False).digest()
        return PARTS[1] if digest[0] % 10 >= 8 else PARTS[0]


@dataclass(frozen=True, slots=True)
class PanRow:
    """The figures of one class, or of all of them together (`entire`)."""

    group: str
    part: str  # all | tune | check
    pairs: int
    score: Score | None  # None for a class without cases


@dataclass(frozen=True, slots=True)
class PanResult:
    """What a run over a corpus gave."""

    rows: tuple[PanRow, ...]
    clean_pairs: int  # of classes that have no case at all
    clean_detections: int

    def row(self, group: str, part: str = "all") -> PanRow:
        """Return one line of the table; KeyError where there is none."""
        for row in self.rows:
            if (row.group, row.part) == (group, part):
                return row
        raise KeyError((group, part))


def evaluate_pan(
    root: Path,
    out: Path | None = None,
    *,
    settings: Settings | None = None,
    progress: Progress | None = None,
    df_mode: str = "none",
    part: str | None = None,
) -> PanResult:
    """Detect passages in every pair below `root` and score them against the true cases.

    Parameters
    ----------
    out
        Folder for detection XML, one file a pair, as PAN's own measure reads it.
    df_mode
        `batch` uses document frequencies of the corpus' source texts, `none` two texts alone.
    part
        `tune` or `check` restricts the run to a fixed share of the pairs.

    Raises
    ------
    FileNotFoundError
        Where `root` holds no class.
    """
    if df_mode not in DF_MODES:
        raise ValueError(f"df_mode must be one of {DF_MODES}")
    pairs = [pair for pair in read_pairs(root) if part in (None, pair.part)]
    chosen = settings or Settings()
    tokenized = tokenized_texts(root, pairs, chosen, progress)
    df = None
    if df_mode == "batch":
        df = document_frequencies(tokenized[name] for name in sorted({p.source for p in pairs}))
    detections = detect(pairs, tokenized, df=df, settings=chosen, progress=progress)
    if out is not None:
        for pair in pairs:
            write_detections(out, pair, detections[pair])
    cases = {pair: read_cases(root, pair) for pair in pairs}
    return _result(pairs, cases, detections, part)


def tables(result: PanResult) -> list[Table]:
    """Return the figures of a run as tables: every class, and the pairs without a case."""
    rows = [
        (row.group, row.part, row.pairs, *figures(row.score)) for row in result.rows if row.score
    ]
    columns = ("class", "part", "pairs", "plagdet", "recall", "precision", "granularity")
    clean = [(result.clean_pairs, result.clean_detections)]
    return [Table("pan", columns, rows), Table("clean", ("pairs", "detections"), clean)]


def figures(total: Score) -> tuple[float, float, float, float]:
    """Return the four figures of a line."""
    return total.plagdet, total.recall, total.precision, total.granularity


def read_pairs(root: Path) -> list[PanPair]:
    """Return the pairs of every class below `root`, in their order."""
    lists = sorted(root.glob("0*/pairs"))
    if not lists:
        raise FileNotFoundError(f"no class with a list of pairs below {root}")
    return [
        PanPair(path.parent.name, *line.split())
        for path in lists
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


def read_text(path: Path) -> str:
    """Return a text with its line ends as they are."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def read_cases(root: Path, pair: PanPair) -> list[Stretch]:
    """Return the true cases of a pair."""
    name = f"{Path(pair.suspicious).stem}-{Path(pair.source).stem}.xml"
    path = root / pair.group / name
    if not path.exists():
        return []
    return read_stretches(path, "plagiarism")


def read_stretches(path: Path, feature: str) -> list[Stretch]:
    """Return the features of one name in a PAN XML file."""
    tree = ElementTree.parse(path).getroot()
    if tree is None:
        raise ValueError(f"no element in {path.name}")
    document = tree.get("reference", "")
    return [
        _stretch(document, entry.attrib)
        for entry in tree.iter("feature")
        if entry.get("name") == feature
    ]


def _stretch(document: str, entry: Mapping[str, str]) -> Stretch:
    start, source = int(entry["this_offset"]), int(entry["source_offset"])
    end, source_end = start + int(entry["this_length"]), source + int(entry["source_length"])
    return Stretch(document, start, end, entry["source_reference"], source, source_end)


def write_detections(out: Path, pair: PanPair, detections: Iterable[Stretch]) -> None:
    """Write the detections of a pair as PAN XML."""
    tree = ET.Element("document", reference=pair.suspicious)
    for one in detections:
        ET.SubElement(
            tree,
            "feature",
            name="detected-plagiarism",
            this_offset=str(one.start),
            this_length=str(one.end - one.start),
            source_reference=one.source,
            source_offset=str(one.source_start),
            source_length=str(one.source_end - one.source_start),
        )
    folder = out / pair.group
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{Path(pair.suspicious).stem}-{Path(pair.source).stem}.xml"
    ET.ElementTree(tree).write(folder / name, encoding="utf-8", xml_declaration=True)


def detect(
    pairs: list[PanPair],
    tokenized: Mapping[str, TokenizedText],
    *,
    df: DocumentFrequencies | None,
    settings: Settings,
    progress: Progress | None = None,
) -> dict[PanPair, list[Stretch]]:
    """Align every pair; weak evidence is left out."""
    factors_known = df is not None
    detections: dict[PanPair, list[Stretch]] = {}
    for done, pair in enumerate(pairs):
        both = [tokenized[pair.suspicious], tokenized[pair.source]]
        options = AlignOptions.for_language(
            language_of(both), frequencies=factors_known, strength=settings.strength
        )
        passages = align_many(both, np.array([[0, 1]]), df=df, options=options)
        detections[pair] = stretches(pair, passages)
        if progress is not None and done % 20 == 0:
            progress("align", done, len(pairs))
    return detections


def stretches(pair: PanPair, passages: Passages) -> list[Stretch]:
    """Return the passages of a pair as detections; weak evidence is left out."""
    return [
        Stretch(pair.suspicious, a0, a1, pair.source, b0, b1)
        for a0, a1, b0, b1, weak in zip(
            passages.a_start.tolist(),
            passages.a_end.tolist(),
            passages.b_start.tolist(),
            passages.b_end.tolist(),
            passages.weak.tolist(),
            strict=True,
        )
        if not weak
    ]


def tokenized_as_in_check(text: str, settings: Settings) -> TokenizedText:
    """Return a raw text as a check with these settings compares it."""
    return tokenizing.read_text(text, settings, words=True, meanings=True)


def tokenized_texts(
    root: Path, pairs: list[PanPair], settings: Settings, progress: Progress | None
) -> dict[str, TokenizedText]:
    """Return the texts of some pairs by name, ready to align."""
    wanted = {p.suspicious: root / "susp" / p.suspicious for p in pairs}
    wanted |= {p.source: root / "src" / p.source for p in pairs}
    tokenized = {}
    for done, (name, path) in enumerate(wanted.items()):
        text = read_text(path)
        tokenized[name] = tokenized_as_in_check(text, settings)
        if progress is not None and done % 20 == 0:
            progress("tokens", done, len(wanted))
    return tokenized


def _result(
    pairs: list[PanPair],
    cases: Mapping[PanPair, list[Stretch]],
    detections: Mapping[PanPair, list[Stretch]],
    only: str | None,
) -> PanResult:
    rows = []
    for part in (only,) if only else ("all", *PARTS):
        members = [p for p in pairs if part in ("all", p.part)]
        for group in [*sorted({p.group for p in members}), "entire"]:
            chosen = [p for p in members if group in ("entire", p.group)]
            true = [case for p in chosen for case in cases[p]]
            detected = [one for p in chosen for one in detections[p]]
            rows.append(PanRow(group, part, len(chosen), score(true, detected) if true else None))
    with_cases = {p.group for p in pairs if cases[p]}
    clean = [p for p in pairs if p.group not in with_cases]
    return PanResult(tuple(rows), len(clean), sum(len(detections[p]) for p in clean))
