"""`Result`: what a check found, to be asked in Python."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from simhash_core import compare, report
from simhash_core.errors import BadInput, InvalidSettings
from simhash_core.folders import write_whole
from simhash_core.i18n import translator
from simhash_core.request import Request
from simhash_core.result import CheckResult, ThresholdView, list_rows
from simhash_core.seen import (
    Exclusions,
    ExclusionView,
    change_threshold,
    keep_result,
    seen_by,
    view_at_threshold,
)
from simhash_core.settings import Settings as Settings
from simhash_core.storage import Project, Texts

from . import _html
from ._comparison import Comparison
from ._given import Key, shown
from ._language import language_of, needing, spoken
from ._tables import (
    CaseRow,
    ClusterRow,
    MeaningRow,
    PairRow,
    PassageRow,
    Table,
    TextRow,
    case_table,
    cluster_table,
    end_columns,
    meaning_table,
    pair_table,
    passage_columns,
    skipped_table,
    text_table,
)

if TYPE_CHECKING:
    import networkx

    from simhash_core.report import Wanted

_VIEW = "python.view"  # in a project: the threshold, and what the caller calls the texts
#: a text by its name, a part of its name that no other has, or its row among what was given
TextName = str | int


class Result:
    """What texts share, by how much, and where; made by `leitong.check`.

    `len(result)` is the number of texts, iterating yields their rows of `texts`, and `result[name]`
    is one of these, by its name or row. In a notebook a result shows its first pairs.

    Attributes
    ----------
    core : simhash_core.CheckResult
        All of it as arrays, for what has no method here.
    language : str
        "zh" or "en": of reports, messages and the view in a notebook.

    Examples
    --------
    >>> result = lt.check({"first": rain, "second": rain, "third": "Nobody came to the old mill."})
    >>> result
    <leitong.Result: 3 texts, 1 pair, 1 cluster>
    >>> len(result), [text["name"] for text in result if text["total_overlap"] == 0]
    (3, ['third'])
    >>> result["second"]["total_overlap"], result[0]["key"]
    (1.0, 'first')
    """

    def __init__(
        self,
        core: CheckResult,
        *,
        language: str = "en",
        view: ThresholdView | None = None,
        exclusions: ExclusionView | None = None,
        keys: Sequence[Key] = (),
        request: Request | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        self.core = core
        self._keys = keys or tuple(
            Key(document.name, row) for row, document in enumerate(core.documents)
        )
        self._request = request or _request_of(core)
        self._wanted = wanted  # what people said of a stored check
        self.language = language
        self._view = view or view_at_threshold(core, core.threshold)
        self._exclusions = exclusions

    def __repr__(self) -> str:
        counts = [
            _format_count(len(self.core.documents), "text"),
            _format_count(int(self._view.listed.sum()), "pair"),
            _format_count(len(self._view.clusters), "cluster"),
        ]
        if self.core.skipped:
            counts.append(f"{len(self.core.skipped)} skipped")
        return f"<leitong.Result: {', '.join(counts)}>"

    def __len__(self) -> int:
        return len(self.core.documents)

    def __iter__(self) -> Iterator[TextRow]:
        return iter(self.texts())

    def __getitem__(self, name: TextName) -> TextRow:
        with spoken(self.language):
            rows = [self._row(name)]
        return text_table(self.core, self._view, self._keys, rows)[0]

    def _repr_html_(self) -> str:
        return _html.result_view(self.core, self._view, self.language)

    # ------------------------------------------------------------------ numbers

    @property
    def threshold(self) -> int:
        """Fingerprints at most so many bits apart are near.

        >>> settings = lt.Settings(preset="strict")
        >>> lt.check(["one two three four five six"], settings=settings).threshold
        36
        """
        return self._view.threshold

    @property
    def expected_false_pairs(self) -> float:
        """Pairs of unrelated texts that are expected to be near in this check, by chance alone.

        >>> lt.check(["one two three four five six"]).expected_false_pairs
        0.0
        """
        return float(self._view.expected_false_pairs)

    # ------------------------------------------------------------------ tables

    def texts(self) -> Table[TextRow]:
        """Return one row a text, in the order in which they were given.

        Columns: `name`; `key`: what the caller calls it, as it was given (a label of a Series or
        DataFrame, a value of its column of names, a key, the place in a list); `row`: its place
        among what was given, from 0, behind that among the references; `length` in `unit`
        (characters of Chinese, words of other scripts); `total_overlap`, `identical_overlap`:
        shares 0..1 of what counts of it that any other text shares; `own`, `few`, `many`: its units
        that one other text holds, a few, or more; `cluster`: number of its group, -1 for none;
        `reference`: it was only compared against; `notes`: codes of what is odd about it.

        >>> [(row["name"], row["length"], row["total_overlap"]) for row in result.texts()]
        [('first', 15, 1.0), ('second', 17, 0.8824)]
        """
        return text_table(self.core, self._view, self._keys, range(len(self)))

    def pairs(self, *, min_share: float = 0.0) -> Table[PairRow]:
        """Return one row a pair with evidence, the clearest first.

        Columns: `a`, `b`: names; `coverage_a`, `coverage_b`: shares 0..1 of what counts of each
        text that the other shares; `own_a`, `own_b`: units that only these two texts hold; `case`:
        number of its case in `cases`, None for none; `identical`: the part of what they share that
        is word for word; `longest`: the longest identical run, in characters of Chinese or words;
        `passages`: how many; `distance`: bits, unknown without fingerprints; `cosine`: cos(pi *
        distance / bits); `containment`: share of the smaller set of prints that both have;
        `chance`: unrelated pairs of this check expected to be as strong, unknown in a small one;
        `near`: within the threshold; `could_be_formula`: chance alone could have given it; `row_a`,
        `row_b`, `key_a`, `key_b`: both texts by `row` and `key` of `texts`, by which the table
        joins to the caller's.

        Parameters
        ----------
        min_share : float
            Only pairs of which one text, at least, shares so much: 0.3 for thirty percent.

        Examples
        --------
        >>> (pair,) = result.pairs()
        >>> pair["a"], pair["b"], pair["longest"], pair["coverage_b"]
        ('first', 'second', 15, 0.8824)
        """
        with spoken(self.language):
            if not 0 <= min_share <= 1:
                raise InvalidSettings([("min_share", min_share, "0 to 1")])
        return pair_table(self.core, self._view, self._keys, min_share=min_share)

    def clusters(self) -> Table[ClusterRow]:
        """Return one row a group of texts that evidence links, directly or through others.

        Columns: `cluster`: its number, as in `texts`; `names`, `rows`, `keys`: lists, a text each.

        >>> lt.check({7: rain, 9: rain}).clusters()[0]["keys"]
        [7, 9]
        """
        groups = [one.members for one in self._view.clusters]
        return cluster_table(groups, self.core.documents, self._keys)

    def cases(self) -> Table[CaseRow]:
        """Return one row a case: passages that several texts hold, then pairs, as they are read.

        Columns: `number`; `kind`: pair or passage; `members`: names of the texts; `holders`: how
        many hold it; `own`, `few`, `many`: characters of Chinese or words that only two of the
        texts hold, three to five, or more; `longest`: the longest identical run, or the passage;
        `answer`: "template" for what nearly all hold, else None.

        >>> (case,) = result.cases()
        >>> case["kind"], case["members"], case["own"], case["many"]
        ('pair', ['first', 'second'], 15, 0)
        """
        return case_table(self.core, self._view)

    def passages(self, a: TextName | None = None, b: TextName | None = None) -> Table[PassageRow]:
        """Return one row a shared passage, of all pairs or of those with `a`, and with `b`.

        Columns: `a`, `b`: names; `kind`: identical, reworded or summary; `a_start`, `a_end`,
        `b_start`, `b_end`: half-open ranges of characters in each text; `text_a`, `text_b`: what
        stands there; `weak`: shown for completeness, part of no number; `row_a`, `row_b`, `key_a`,
        `key_b` as in `pairs`.

        >>> result = lt.check({"first": rain, "second": "They say: " + rain})
        >>> (passage,) = result.passages("first", "second")
        >>> passage["kind"], passage["b_start"], passage["text_b"][:19]
        ('identical', 10, 'It rained all night')
        """
        with spoken(self.language):
            wanted = {self._row(name) for name in (a, b) if name is not None}
        pairs, passages = self.core.table.pairs, self.core.passages
        at: list[int] = []
        ends: list[tuple[int, int]] = []
        for row in list_rows(self.core, self._view).tolist():
            left, right = int(pairs.left[row]), int(pairs.right[row])
            if not wanted <= {left, right}:
                continue
            low, high = np.searchsorted(passages.pair, [row, row + 1]).tolist()
            at += range(low, high)
            ends += [(left, right)] * (high - low)
        texts = [(self.core.documents[left], self.core.documents[right]) for left, right in ends]
        sides = [[end[side] for end in ends] for side in (0, 1)]
        columns = {**passage_columns(passages, texts, at), **end_columns(self._keys, *sides)}
        return Table(columns)

    def skipped(self) -> Table[dict[str, str]]:
        """Return one row for each file or text that takes no part, and why.

        Columns: `name`, `code` (stable), `message` (a sentence in the language of the result).

        >>> result = lt.check(["too short", "one two three four five six"], language="en")
        >>> [(row["name"], row["code"]) for row in result.skipped()]
        [('text 1', 'too_short')]
        """
        return skipped_table(self.core.skipped, self.language)

    def meanings(self) -> Table[MeaningRow]:
        """Return one row a passage that says the same in other words; part of no other number.

        They are looked for where the extra `meaning` is installed, unless `Settings` say "off";
        without it, in two languages with `Settings(translated=True)` and the extra `dictionary`.

        Columns: `a`, `b`, `a_start`, `a_end`, `b_start`, `b_end`, `text_a`, `text_b`, `row_a`,
        `row_b`, `key_a`, `key_b` as in `passages`; `chance`: passages of unrelated texts of this
        check expected to be as strong; `sentences`: pairs of sentences that answer each other;
        `translation_by`: `sentences` or `words` (of a dictionary) where the two are in different
        languages, else "".

        >>> lt.check(["one two three four five six"]).meanings()
        []
        """
        return meaning_table(self.core, self._keys)

    # ------------------------------------------------------------------ looked at again

    def at(self, threshold: int) -> Result:
        """Return the same check at another threshold; nothing is searched again.

        Parameters
        ----------
        threshold : int
            Bits, from 0 to `core.complete_up_to`.

        Raises
        ------
        BadInput
            Pairs so far apart were not all looked for.

        Examples
        --------
        >>> result.at(10).threshold
        10
        """
        with spoken(self.language):
            view = view_at_threshold(self.core, threshold)
        return self._seen(self.core, view, self._exclusions)

    def without(self, *kinds: str, min_match: int = 0) -> Result:
        """Return the same check without text that does not count; nothing is searched again.

        Text left out is in no share, neither above nor below the fraction line. The threshold is
        kept. Of a result that something was left out of, the whole check is looked at again.

        Parameters
        ----------
        kinds : str
            Parts of a text, such as "quotations", "references", "headings", "cover"; the error
            for an unknown one names all.
        min_match : int
            Shortest passage that counts, in characters of Chinese or words.

        Raises
        ------
        BadInput
            An unknown kind; a number out of range.

        Examples
        --------
        >>> result = lt.check({"first": rain, "second": "They say: " + rain})
        >>> len(result.pairs()), len(result.without(min_match=50).pairs())
        (1, 0)
        """
        with spoken(self.language):
            rules = Exclusions(zones=kinds, min_match=min_match)
            before = self._exclusions.before if self._exclusions else self.core
            seen = seen_by(before, rules, None)
            core = seen.result if seen else before
        return self._seen(core, view_at_threshold(core, self.threshold), seen)

    def _seen(
        self, core: CheckResult, view: ThresholdView, exclusions: ExclusionView | None
    ) -> Result:
        """Return the same texts, looked at in another way."""
        return Result(
            core,
            language=self.language,
            view=view,
            exclusions=exclusions,
            keys=self._keys,
            request=self._request,
            wanted=self._wanted,
        )

    def compare(self, a: TextName, b: TextName) -> Comparison:
        """Compare two texts of the check, by its statistics and threshold.

        >>> result.compare("first", "second")
        <leitong.Comparison of 'first' and 'second': 100% and 88% shared>
        """
        with spoken(self.language):
            rows = [self._row(name) for name in (a, b)]
            made = compare(*(self.core.documents[row] for row in rows), result=self.core)
            both = change_threshold(made, self.threshold)
        return Comparison(both, language=self.language, keys=[self._keys[row] for row in rows])

    # ------------------------------------------------------------------ given out

    def to_json(self) -> str:
        """Return the whole check as JSON, schema `leitong.check/2` with stable keys.

        >>> import json
        >>> json.loads(result.to_json())["schema"]
        'leitong.check/2'
        """
        t = translator(self.language)
        return report.to_json(self.core, t, view=self._view, exclusions=self._exclusions)

    def to_networkx(self, *, min_share: float = 0.0) -> networkx.Graph:
        """Return a graph of networkx: a node a text, by `row` in `texts`, an edge a pair.

        Both have the columns of `texts` and `pairs` as attributes.

        >>> graph = lt.check({"first": rain, "second": rain, "third": "Nobody came."}).to_networkx()
        >>> graph.nodes[1]["name"], graph.edges[0, 1]["coverage_a"]
        ('second', 1.0)
        """
        with needing("networkx"):
            import networkx
        graph = networkx.Graph()
        graph.add_nodes_from((text["row"], text) for text in self)
        pairs = self.pairs(min_share=min_share)
        graph.add_edges_from((pair["row_a"], pair["row_b"], pair) for pair in pairs)
        return graph

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Store the check as a project, which `leitong.load`, the application and `report` open.

        It is a file that holds the texts, too; by custom its name ends in .leitong, and none is
        written over. What people decided about a
        loaded check stays in the file it came from. Keys come back that are strings or numbers.

        >>> lt.load(result.save("rain.leitong")).pairs() == result.pairs()
        True
        """
        seen = self._exclusions
        rules = seen.exclusions if seen else Exclusions()
        plain = (str, int, float)
        keys = [
            [label if isinstance(label, plain) else str(label), row] for label, row in self._keys
        ]
        with spoken(self.language), closing(Project.create(Path(path))) as project:
            replace(self._request, exclusions=rules).store(project)
            keep_result(project, seen.before if seen else self.core, None)
            moment = project.get("checked")
            project.put(_VIEW, {"threshold": self.threshold, "keys": keys, "checked": moment})
        return Path(path)

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        kind: str = "class",
        texts: Sequence[TextName] = (),
        title: str = "",
        anonymous: bool = False,
    ) -> Path:
        """Write a report to hand in; the ending of the file chooses the format.

        Parameters
        ----------
        path : str or Path
            Ending in .html, .pdf, .xlsx, .csv or .json. A file that is there is replaced.
        kind : str
            "class": all texts; "person": one of `texts` against all; "pair": two; "cluster": a
            group, by one of its texts or all of them.
        texts : sequence of str or int
            Names or rows of texts.
        title : str
            What the check is called.
        anonymous : bool
            Numbers instead of names, inside the texts as well.

        Raises
        ------
        LeitongError
            Another ending or kind; texts that do not fit the kind, or are not there.
        OSError
            The file cannot be written.

        Examples
        --------
        >>> result.report("pair.html", kind="pair", texts=["first", "second"]).name
        'pair.html'
        """
        target = Path(path)
        with spoken(self.language):
            form = target.suffix.lower().removeprefix(".")
            if form not in report.FORMATS:
                raise BadInput("report_ending", name=str(path), formats=", ".join(report.FORMATS))
            # "confirmed" needs decisions, which are made in the application
            kinds = [one for one in report.KINDS if one != "confirmed"]
            if kind not in kinds:
                raise BadInput("report_kind", kind=kind, kinds=", ".join(kinds))
            now = datetime.now().astimezone()
            stored = self._wanted or report.Wanted(kind=kind, made=now, checked=now)
            wanted = replace(
                stored,
                kind=kind,
                made=now,
                rows=self._rows_of_report(kind, texts),
                title=title or stored.title,
                anonymous=anonymous,
                members=self._request.members,
                exclusions=self._exclusions,
            )
            made = report.report_of(self.core, wanted, translator(self.language), view=self._view)
        with write_whole(target, private=False) as fresh:
            fresh.write_bytes(report.write_report(made, form, self.language))
        return target

    def _rows_of_report(self, kind: str, texts: Sequence[TextName]) -> tuple[int, ...]:
        """Return the rows of the named texts; one text of a cluster stands for all of it."""
        rows = tuple(self._row(name) for name in ([texts] if isinstance(texts, str) else texts))
        if kind == "cluster" and len(rows) == 1:
            for group in self._view.clusters:
                if rows[0] in group.members:
                    return tuple(int(row) for row in group.members)
        return rows

    def _row(self, name: TextName) -> int:
        """Return the place in `core.documents` of the one text that is called so.

        Raises
        ------
        BadInput
            `which_text`.
        """
        names = [document.name for document in self.core.documents]
        if isinstance(name, int):
            fitting = [at for at, key in enumerate(self._keys) if key.row == name]
        else:
            fitting = [row for row, other in enumerate(names) if other == name]
            if not fitting:
                part = str(name).casefold()
                fitting = [row for row, other in enumerate(names) if part in other.casefold()]
        if len(fitting) != 1:
            raise BadInput("which_text", name=shown(str(name)), n=len(fitting))
        return fitting[0]


def load(path: str | os.PathLike[str], *, language: str | None = None) -> Result:
    """Open a check that `Result.save`, the application or `leitong check --project` stored.

    >>> saved = lt.check({7: "one two three four five six"}).save("seven.leitong")
    >>> lt.load(saved)[0]["key"]
    7
    """
    with spoken(language), closing(Project.open(Path(path))) as project:
        speaks, core = language_of(language), project.result()
        if core is None:
            raise BadInput("unchecked", name=Path(path).name)
        request = replace(Request.load(project), settings=core.settings)
        seen = seen_by(core, request.exclusions, project)
        wanted = report.Wanted.of_project(project, core, seen, kind="class")
        view = project.get(_VIEW, {})
        if view.get("checked") != project.get("checked"):  # checked again since it was saved
            view = {}
    core = seen.result if seen else core
    keys = [Key(*key) for key in view.get("keys", ())]
    result = Result(
        core, language=speaks, exclusions=seen, keys=keys, request=request, wanted=wanted
    )
    return result.at(view.get("threshold", result.threshold))


def _request_of(core: CheckResult) -> Request:
    """Return what asks for a check that nobody asked for through the door."""
    documents = core.documents
    texts = Texts(documents[: core.checked], core.skipped, documents[core.checked :])
    return Request(texts=texts, settings=core.settings)


def _format_count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
