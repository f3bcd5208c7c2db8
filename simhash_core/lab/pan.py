"""Run the passage engine over corpora in PAN layout and score it by the measures of the task.

Layout: `src/` and `susp/` hold the texts; every folder `0*` holds one class: a file `pairs` with
"suspicious source" lines, and one XML a pair with the true cases. Offsets are code points of the
text read without newline translation.

`evaluate_pan` tells the aligner which two texts to compare; a check has to find the pairs by
itself. Both are scored on the same true cases, so the difference is what the search for pairs
loses. One check of a whole corpus has one set of frequencies and one floor for its candidates.
Batches of the size of a class have others, so the pairs that are lost differ from draw to draw.

References
----------
M. Potthast, B. Stein, A. Barrón-Cedeño, P. Rosso: An Evaluation Framework for Plagiarism
Detection. COLING 2010.
"""

from __future__ import annotations

import hashlib
import math
import random
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from defusedxml import ElementTree

from ..checking import tokenizing
from ..checking.pipeline import check
from ..model import Document, DocumentFrequencies, Passages, Progress, report_nothing
from ..passages.align import align_many
from ..passages.options import AlignOptions
from ..passages.tokenized import TokenizedText, document_frequencies, language_of
from ..result import CheckResult
from ..settings import Settings
from . import Table

PARTS = ("tune", "check")  # four fifths to choose settings on, one fifth kept aside
FIGURES = ("plagdet", "recall", "precision", "granularity")
PAN_COLUMNS = ("class", "part", "pairs", *FIGURES)
CHECK_COLUMNS = ("class", "pairs", *FIGURES, "without_finding", "without_finding_told")
OTHERS_COLUMNS = ("clean", "clean_listed", "beyond_across", "beyond_within")
BATCH_COLUMNS = ("batch", "documents", "pairs", "aligned", "listed", "share")
CLASS_COLUMNS = ("class", "pairs", "aligned", "listed", "share")


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


def score(cases: Sequence[Stretch], detections: Sequence[Stretch]) -> Score:
    """Score detections against cases, macro averages over both.

    Notes
    -----
    recall: mean over cases of the share of their characters, both sides together, covered by
    detections that meet the case on both sides. precision: the same with the roles exchanged.
    granularity: detections per detected case. plagdet = F1 / log2(1 + granularity).
    """
    shares, exact = _covered(cases, detections), _covered(detections, cases)
    recall = fmean([share for share, _ in shares] or [0.0])
    precision = fmean([share for share, _ in exact] or [0.0])
    granularity = fmean([count for _, count in shares if count] or [1.0])
    both = recall + precision
    f1 = 2 * recall * precision / both if both else 0.0
    plagdet = f1 / math.log2(1 + granularity)
    return Score(plagdet, recall, precision, granularity)


def _covered(stretches: Sequence[Stretch], others: Sequence[Stretch]) -> list[tuple[float, int]]:
    """Return the share of each stretch that others cover, and how many meet it on both sides."""
    of_pair: defaultdict[tuple[str, str], list[Stretch]] = defaultdict(list)
    for other in others:
        of_pair[other.document, other.source].append(other)
    shares = []
    for one in stretches:
        met = [other for other in of_pair[one.document, one.source] if meets(one, other)]
        covered = _union([(max(one.start, two.start), min(one.end, two.end)) for two in met])
        covered += _union(
            [
                (max(one.source_start, two.source_start), min(one.source_end, two.source_end))
                for two in met
            ]
        )
        length = one.end - one.start + one.source_end - one.source_start
        shares.append((covered / length, len(met)))
    return shares


def meets(one: Stretch, other: Stretch) -> bool:
    """Whether two stretches of one pair of texts touch on both sides."""
    return (
        (one.document, one.source) == (other.document, other.source)
        and one.start < other.end
        and other.start < one.end
        and one.source_start < other.source_end
        and other.source_start < one.source_end
    )


def _union(spans: Sequence[tuple[int, int]]) -> int:
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


# --------------------------------------------------------------------------- corpora


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

    @property
    def file(self) -> str:
        """Return the name of its XML file."""
        return f"{Path(self.suspicious).stem}-{Path(self.source).stem}.xml"


Cases = Mapping[PanPair, list[Stretch]]


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
    path = root / pair.group / pair.file
    return read_stretches(path, "plagiarism") if path.exists() else []


def read_stretches(path: Path, feature: str) -> list[Stretch]:
    """Return the features of one name in a PAN XML file."""
    tree = ElementTree.parse(path).getroot()
    if tree is None:
        raise ValueError(f"no element in {path.name}")
    stretches = []
    for entry in tree.iter("feature"):
        if entry.get("name") == feature:
            start, source = int(entry.attrib["this_offset"]), int(entry.attrib["source_offset"])
            end = start + int(entry.attrib["this_length"])
            source_end = source + int(entry.attrib["source_length"])
            name = entry.attrib["source_reference"]
            document = tree.get("reference", "")
            stretches.append(Stretch(document, start, end, name, source, source_end))
    return stretches


def document_of(path: Path, name: str) -> Document:
    """Read a text as it is, its line ends included."""
    text = read_text(path)
    return Document(hashlib.sha256(text.encode()).hexdigest(), name, text)


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
    ET.ElementTree(tree).write(folder / pair.file, encoding="utf-8", xml_declaration=True)


def detect(
    pairs: list[PanPair],
    tokenized: Mapping[str, TokenizedText],
    *,
    df: DocumentFrequencies | None,
    settings: Settings,
    progress: Progress = report_nothing,
) -> dict[PanPair, list[Stretch]]:
    """Align every pair; weak evidence is left out."""
    detections: dict[PanPair, list[Stretch]] = {}
    for done, pair in enumerate(pairs):
        both = [tokenized[pair.suspicious], tokenized[pair.source]]
        options = AlignOptions.for_language(
            language_of(both), frequencies=df is not None, strength=settings.strength
        )
        passages = align_many(both, np.array([[0, 1]]), df=df, options=options)
        detections[pair] = stretches(pair, passages)
        progress("align", done, len(pairs))
    return detections


def stretches(pair: PanPair, passages: Passages) -> list[Stretch]:
    """Return the passages of a pair as detections; weak evidence is left out."""
    names = ("a_start", "a_end", "b_start", "b_end", "weak")
    columns = (getattr(passages, name).tolist() for name in names)
    return [
        Stretch(pair.suspicious, a0, a1, pair.source, b0, b1)
        for a0, a1, b0, b1, weak in zip(*columns, strict=True)
        if not weak
    ]


def tokenize_as_in_check(text: str, settings: Settings) -> TokenizedText:
    """Return a raw text as a check with these settings compares it."""
    return tokenizing.read_text(text, settings, words=True, meanings=True)


# --------------------------------------------------------------------------- pairs that are told


def evaluate_pan(
    root: Path,
    output: str | None = None,
    *,
    frequencies: bool = False,
    settings: Settings,
    progress: Progress = report_nothing,
) -> list[Table]:
    """Detect passages in every pair below `root` and score them against the true cases.

    Parameters
    ----------
    output
        Folder for detection XML, one file a pair, as PAN's own measure reads it.
    frequencies
        Use document frequencies of the source texts, otherwise those of two texts alone.

    Returns
    -------
    list of Table
        Figures by class and part, then findings in the classes that have no case at all.

    Raises
    ------
    FileNotFoundError
        Where `root` holds no class.
    """
    pairs = read_pairs(root)
    wanted = {p.suspicious: root / "susp" / p.suspicious for p in pairs}
    wanted |= {p.source: root / "src" / p.source for p in pairs}
    tokenized = {}
    for done, (name, path) in enumerate(wanted.items()):
        tokenized[name] = tokenize_as_in_check(read_text(path), settings)
        progress("tokens", done, len(wanted))
    sources = sorted({p.source for p in pairs})
    df = document_frequencies(tokenized[name] for name in sources) if frequencies else None
    detections = detect(pairs, tokenized, df=df, settings=settings, progress=progress)
    if output is not None:
        for pair in pairs:
            write_detections(Path(output), pair, detections[pair])
    cases = {pair: read_cases(root, pair) for pair in pairs}
    rows = []
    for part in ("all", *PARTS):
        of_part = [p for p in pairs if part in ("all", p.part)]
        for group, members in _by_class(of_part):
            true = [case for p in members for case in cases[p]]
            if true:
                found = [one for p in members for one in detections[p]]
                rows.append((group, part, len(members), *score(true, found)))
    with_cases = {p.group for p in pairs if cases[p]}
    clean = [p for p in pairs if p.group not in with_cases]
    counts = (len(clean), sum(len(detections[p]) for p in clean))
    return [Table("pan", PAN_COLUMNS, rows), Table("clean", ("pairs", "detections"), [counts])]


def _by_class(pairs: Sequence[PanPair]) -> Iterator[tuple[str, list[PanPair]]]:
    """Yield the pairs of each class, then all of them as `entire`."""
    for group in sorted({pair.group for pair in pairs}):
        yield group, [pair for pair in pairs if pair.group == group]
    yield "entire", list(pairs)


# --------------------------------------------------------------------------- a check of a corpus


def evaluate_batch(
    root: Path, *, against: bool = False, settings: Settings, progress: Progress = report_nothing
) -> list[Table]:
    """Check every text below `root` and score the findings of the check.

    Parameters
    ----------
    against
        Suspicious texts against sources as references; otherwise all texts are one batch.

    Returns
    -------
    list of Table
        Figures of each class, with the share of true pairs that have no finding, in the check and
        when the aligner is told the pair; then all other pairs with findings.

    Raises
    ------
    FileNotFoundError
        Where `root` holds no class.
    """
    pairs = read_pairs(root)
    suspicious, sources = (
        [document_of(path, path.name) for path in sorted((root / folder).iterdir())]
        for folder in ("susp", "src")
    )
    if against:
        result = check(suspicious, against=sources, settings=settings, progress=progress)
    else:
        result = check([*suspicious, *sources], settings=settings, progress=progress)
    tokenized = {one.name: tokenize_as_in_check(one.text, settings) for one in result.documents}
    told = detect(pairs, tokenized, df=result.frequencies, settings=settings, progress=progress)
    listed = _list_passages(result)
    in_check = {
        pair: stretches(pair, listed.get((pair.suspicious, pair.source), Passages.join([])))
        for pair in pairs
    }
    cases = {pair: read_cases(root, pair) for pair in pairs}
    with_cases = {pair.group for pair in pairs if cases[pair]}
    rows: list[tuple[object, ...]] = []
    for group, members in _by_class([pair for pair in pairs if pair.group in with_cases]):
        scored = pairs if group == "entire" else members
        found = [one for pair in scored for one in in_check[pair]]
        figures = score([case for pair in scored for case in cases[pair]], found)
        true = [pair for pair in members if cases[pair]]
        lost = (sum(not way[pair] for pair in true) / len(true) for way in (in_check, told))
        rows.append((group, len(true), *figures, *lost))
    others = _count_others(cases, with_cases, set(listed), {one.name for one in sources})
    return [Table("batch", CHECK_COLUMNS, rows), Table("batch_others", OTHERS_COLUMNS, [others])]


def _list_passages(result: CheckResult) -> dict[tuple[str, str], Passages]:
    """Return the passages of every pair that has a counted one, by names."""
    pairs, passages = result.table.pairs, result.passages
    names = [document.name for document in result.documents]
    rows = np.flatnonzero(result.table.passages)
    starts = np.searchsorted(passages.pair, rows, side="left")
    ends = np.searchsorted(passages.pair, rows, side="right")
    return {
        (names[pairs.left[row]], names[pairs.right[row]]): passages.take(np.arange(start, end))
        for row, start, end in zip(rows, starts, ends, strict=True)
    }


def _count_others(
    cases: Cases, with_cases: set[str], listed: set[tuple[str, str]], sources: set[str]
) -> tuple[int, int, int, int]:
    """Count pairs with findings but no case: of the classes without any case, and all the rest."""
    true = {(pair.suspicious, pair.source) for pair, of_pair in cases.items() if of_pair}
    clean = {(p.suspicious, p.source) for p in cases if p.group not in with_cases}
    beyond = listed - true - clean
    across = sum((a in sources) != (b in sources) for a, b in beyond)
    return len(clean), len(clean & listed), across, len(beyond) - across


# --------------------------------------------------------------------------- random batches


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """One batch: how many texts, its planted pairs, those found when told, those in the check."""

    documents: int
    planted: list[PanPair]
    aligned: list[PanPair]
    listed: list[PanPair]

    def counts(self) -> tuple[int, int, int, int]:
        """Return texts, planted pairs, those found when told, those of them in the check."""
        return self.documents, len(self.planted), len(self.aligned), len(self.listed)


def evaluate_batches(
    roots: Sequence[Path],
    *,
    count: int,
    size: tuple[int, int],
    seed: int = 1,
    settings: Settings,
    progress: Progress = report_nothing,
) -> list[Table]:
    """Check `count` random batches of texts of some corpora, and tell the aligner their pairs.

    Parameters
    ----------
    roots
        Corpora in PAN layout; texts of all of them are mixed.
    size
        Fewest and most texts of a batch. Whole pairs are drawn until it is full.

    Returns
    -------
    list of Table
        By batch and by class: planted pairs, those with a finding when the aligner is told the
        pair and the frequencies of the batch, those of them that the check lists with a passage,
        and their share.

    Raises
    ------
    FileNotFoundError
        Where one of `roots` holds no class.
    """
    documents, pairs = _read_corpora(roots)
    rng, tokenized, drawn = random.Random(seed), dict[str, TokenizedText](), []
    for done in range(count):
        names = _draw(list(pairs), rng.randint(*size), rng)
        batch = [documents[name] for name in names]
        planted = [
            pair for pair, is_true in pairs.items()
            if is_true and {pair.suspicious, pair.source} <= set(names)
        ]  # fmt: skip
        drawn.append(_check_batch(batch, planted, tokenized, settings))
        progress("candidates", done + 1, count)
    entire = np.sum([one.counts() for one in drawn], axis=0).tolist()
    by_batch = [(n, *one.counts()) for n, one in enumerate(drawn, 1)] + [("entire", *entire)]
    of_class = [
        Counter(pair.group for one in drawn for pair in getattr(one, name))
        for name in ("planted", "aligned", "listed")
    ]
    by_class = [(group, *(counted[group] for counted in of_class)) for group in sorted(of_class[0])]
    return [
        Table(code, columns, [(*row, row[-1] / row[-2] if row[-2] else 1.0) for row in rows])
        for code, columns, rows in (
            ("batches", BATCH_COLUMNS, by_batch),
            ("batches_classes", CLASS_COLUMNS, by_class),
        )
    ]


def _read_corpora(roots: Sequence[Path]) -> tuple[dict[str, Document], dict[PanPair, bool]]:
    """Return texts by name and whether pairs have a case; names start with the corpus."""
    documents, pairs = dict[str, Document](), dict[PanPair, bool]()
    for root in roots:
        for row in read_pairs(root):
            paths = root / "susp" / row.suspicious, root / "src" / row.source
            names = [f"{root.name}/{path.relative_to(root).as_posix()}" for path in paths]
            for name, path in zip(names, paths, strict=True):
                if name not in documents:
                    documents[name] = document_of(path, name)
            pairs[PanPair(f"{root.name}/{row.group}", *names)] = bool(read_cases(root, row))
    return documents, pairs


def _draw(pairs: list[PanPair], size: int, rng: random.Random) -> list[str]:
    """Return the names of a batch in random order, whole pairs while there is room for two."""
    names = dict[str, None]()
    for pair in rng.sample(pairs, len(pairs)):
        if len(names) + 2 > size:
            break
        names |= {pair.suspicious: None, pair.source: None}
    return rng.sample(list(names), len(names))


def _check_batch(
    batch: Sequence[Document],
    planted: list[PanPair],
    tokenized: dict[str, TokenizedText],
    settings: Settings,
) -> _Drawn:
    """Check one batch, and tell the aligner its planted pairs."""
    result = check(batch, settings=settings)
    for document in batch:
        if document.name not in tokenized:
            tokenized[document.name] = tokenize_as_in_check(document.text, settings)
    told = detect(planted, tokenized, df=result.frequencies, settings=settings)
    seen = {frozenset(names) for names in _list_passages(result)}
    aligned = [pair for pair in planted if told[pair]]
    listed = [pair for pair in aligned if frozenset((pair.suspicious, pair.source)) in seen]
    return _Drawn(len(batch), planted, aligned, listed)
