"""`Result`: what a check found, to be asked in Python."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np

from simhash_core import compare
from simhash_core.errors import BadInput
from simhash_core.folders import write_whole
from simhash_core.i18n import translator
from simhash_core.report import FORMATS, KINDS, Wanted, report_of, to_json, write_report
from simhash_core.result import CheckResult, ThresholdView, list_rows
from simhash_core.seen import (
    Exclusions,
    ExclusionView,
    change_threshold,
    seen_by,
    view_at_threshold,
)
from simhash_core.settings import Settings as Settings

from . import _html
from ._comparison import Comparison
from ._given import Key, shown
from ._language import spoken
from ._tables import (
    Table,
    case_columns,
    end_columns,
    meaning_columns,
    pair_columns,
    passage_columns,
    skipped_columns,
    table,
    text_columns,
)

#: a text by its name, a part of its name that no other has, or its row in `Result.texts`
TextName = str | int
#: of a report; "confirmed" needs decisions, which are made in the application
REPORT_KINDS = tuple(kind for kind in KINDS if kind != "confirmed")


class Result:
    """What texts share, by how much, and where; made by `leitong.check`.

    `len(result)` is the number of texts. In a notebook a result shows its first pairs.

    Attributes
    ----------
    core : simhash_core.CheckResult
        All of it as arrays, for what has no method here.
    language : str
        "zh" or "en": of reports, messages and the view in a notebook.

    Examples
    --------
    >>> import leitong as lt
    >>> rain = "It rained all night, and in the morning the river stood at the third step."
    >>> result = lt.check({"first": rain, "second": rain, "third": "Nobody came to the old mill."})
    >>> result
    <leitong.Result: 3 texts, 1 pair, 1 cluster>
    >>> len(result), result.clusters
    (3, [('first', 'second')])
    """

    def __init__(
        self,
        core: CheckResult,
        *,
        language: str = "en",
        view: ThresholdView | None = None,
        exclusions: ExclusionView | None = None,
        keys: Sequence[Key] = (),
    ) -> None:
        self.core = core
        self._keys = keys or tuple(Key(document.name) for document in core.documents)
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

    def _repr_html_(self) -> str:
        return _html.result_view(self.core, self._view, self.language)

    # ------------------------------------------------------------------ numbers

    @property
    def threshold(self) -> int:
        """Fingerprints at most so many bits apart are near.

        Examples
        --------
        >>> import leitong as lt
        >>> settings = lt.Settings(preset="strict")
        >>> lt.check(["one two three four five six"], settings=settings).threshold
        36
        """
        return self._view.threshold

    @property
    def expected_false_pairs(self) -> float:
        """Pairs of unrelated texts that are expected to be near in this check, by chance alone.

        Examples
        --------
        >>> import leitong as lt
        >>> lt.check(["one two three four five six"]).expected_false_pairs
        0.0
        """
        return float(self._view.expected_false_pairs)

    @property
    def clusters(self) -> list[tuple[str, ...]]:
        """Names of the texts that evidence links, one tuple a group.

        Examples
        --------
        >>> import leitong as lt
        >>> lt.check(["one two three four five six", "six seven eight nine ten"]).clusters
        []
        """
        names = [document.name for document in self.core.documents]
        return [tuple(names[row] for row in group.members) for group in self._view.clusters]

    # ------------------------------------------------------------------ tables

    def texts(self, *, rows: bool = False) -> Table:
        """Return one row a text, in the order in which they were given.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `name`; `key`: what the caller calls it, as it was given (a label of a Series or
            DataFrame, a value of its column of names, a key, the place in a list); `place`: its
            place among what was given, from 0, -1 of a file or a reference; `length` in `unit`
            (characters of Chinese, words of other scripts);
            `total_overlap`, `identical_overlap`: shares 0..1 of what counts of it that any other
            text shares; `own`, `few`, `many`: its units that one other text holds, a few, or more;
            `cluster`: number of its group, -1 for none; `reference`: it was only
            compared against; `notes`: codes of what is odd about it.

        Examples
        --------
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": rain + " Nobody slept."})
        >>> [(row["name"], row["length"], row["total_overlap"]) for row in result.texts(rows=True)]
        [('first', 15, 1.0), ('second', 17, 0.8824)]
        """
        return table(text_columns(self.core, self._view, self._keys), rows=rows)

    def pairs(self, *, rows: bool = False) -> Table:
        """Return one row a pair with evidence, the clearest first.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `a`, `b`: names; `coverage_a`, `coverage_b`: shares 0..1 of what counts of each text
            that the other shares; `own_a`, `own_b`: units that only these two texts hold; `case`:
            number of its case in `cases`, None for none; `identical`: the part of what they share
            that is word for word; `longest`: the longest identical run, in characters of Chinese or
            words; `passages`: how many;
            `distance`: bits, unknown without fingerprints; `cosine`: cos(pi * distance / bits);
            `containment`: share of the smaller set of prints that both have; `chance`: unrelated
            pairs of this check expected to be as strong, unknown in a small one; `near`: within
            the threshold; `could_be_formula`: chance alone could have given it; `row_a`, `row_b`:
            rows of both in `texts`, which tell apart those of one name; `key_a`, `key_b`: their
            keys there, by which the table is joined to the caller's.

        Examples
        --------
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": rain + " Nobody slept."})
        >>> (pair,) = result.pairs(rows=True)
        >>> pair["a"], pair["b"], pair["longest"], pair["coverage_b"]
        ('first', 'second', 15, 0.8824)
        """
        return table(pair_columns(self.core, self._view, self._keys), rows=rows)

    def cases(self, *, rows: bool = False) -> Table:
        """Return one row a case: passages that several texts hold, then pairs, as they are read.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `number`; `kind`: pair or passage; `members`: names of the texts; `holders`: how many
            hold it; `own`, `few`, `many`: characters of Chinese or words that only two of the texts
            hold, three to five, or more; `longest`: the longest identical run, or the passage;
            `answer`: "template" for what nearly all hold, else None.

        Examples
        --------
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": rain + " Nobody slept."})
        >>> (case,) = result.cases(rows=True)
        >>> case["kind"], case["members"], case["own"], case["many"]
        ('pair', ['first', 'second'], 15, 0)
        """
        return table(case_columns(self.core, self._view), rows=rows)

    def passages(
        self, a: TextName | None = None, b: TextName | None = None, *, rows: bool = False
    ) -> Table:
        """Return one row a shared passage, of all pairs or of those with `a`, and with `b`.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `a`, `b`: names; `kind`: identical, reworded or summary; `a_start`, `a_end`, `b_start`,
            `b_end`: half-open ranges of characters in each text; `text_a`, `text_b`: what stands
            there; `weak`: shown for completeness, part of no number; `row_a`, `row_b`, `key_a`,
            `key_b` as in `pairs`.

        Raises
        ------
        BadInput
            No text or several are called so.

        Examples
        --------
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": "They say: " + rain})
        >>> (passage,) = result.passages("first", "second", rows=True)
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
        return table(columns, rows=rows)

    def skipped(self, *, rows: bool = False) -> Table:
        """Return one row for each file or text that takes no part, and why.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `name`, `code` (stable), `message` (a sentence in the language of the result).

        Examples
        --------
        >>> import leitong as lt
        >>> result = lt.check(["too short", "one two three four five six"], language="en")
        >>> [(row["name"], row["code"]) for row in result.skipped(rows=True)]
        [('text 1', 'too_short')]
        """
        return table(skipped_columns(self.core.skipped, self.language), rows=rows)

    def meanings(self, *, rows: bool = False) -> Table:
        """Return one row a passage that says the same in other words; part of no other number.

        They are looked for where the extra `meaning` is installed, unless `Settings` say "off";
        without it, in two languages with `Settings(translated=True)` and the extra `dictionary`.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `a`, `b`, `a_start`, `a_end`, `b_start`, `b_end`, `text_a`, `text_b`, `row_a`, `row_b`,
            `key_a`, `key_b` as in `passages`;
            `chance`: passages of unrelated texts of this check expected to be as strong;
            `sentences`: pairs of sentences that answer each other;
            `translation_by`: `sentences` or `words` (of a dictionary) where the two are in
            different languages, else "".

        Examples
        --------
        >>> import leitong as lt
        >>> lt.check(["one two three four five six"]).meanings(rows=True)
        []
        """
        return table(meaning_columns(self.core, self._keys), rows=rows)

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
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check([rain, rain])
        >>> result.at(10).threshold
        10
        >>> try:
        ...     result.at(-5)
        ... except lt.LeitongError as error:
        ...     print(error.code, error.params["k"])
        beyond_reach -5
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
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": "They say: " + rain})
        >>> len(result.pairs(rows=True)), len(result.without(min_match=50).pairs(rows=True))
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
            core, language=self.language, view=view, exclusions=exclusions, keys=self._keys
        )

    def compare(self, a: TextName, b: TextName) -> Comparison:
        """Compare two texts of the check, by its statistics and threshold.

        Raises
        ------
        BadInput
            No text or several are called so.

        Examples
        --------
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": rain + " Nobody slept."})
        >>> result.compare("first", "second")
        <leitong.Comparison of 'first' and 'second': 100% and 88% shared>
        """
        with spoken(self.language):
            first, second = (self.core.documents[self._row(name)] for name in (a, b))
            made = compare(first, second, result=self.core)
            return Comparison(change_threshold(made, self.threshold), language=self.language)

    # ------------------------------------------------------------------ given out

    def to_json(self) -> str:
        """Return the whole check as JSON, schema `leitong.check/2` with stable keys.

        Examples
        --------
        >>> import json, leitong as lt
        >>> data = json.loads(lt.check(["one two three four five six"]).to_json())
        >>> data["schema"], [document["name"] for document in data["documents"]]
        ('leitong.check/2', ['text 1'])
        """
        t = translator(self.language)
        return to_json(self.core, t, view=self._view, exclusions=self._exclusions)

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

        Returns
        -------
        Path
            The file.

        Raises
        ------
        BadInput
            Another ending or kind; texts that do not fit the kind, or are not there.
        OSError
            The file cannot be written.

        Examples
        --------
        >>> import leitong as lt
        >>> rain = "It rained all night, and in the morning the river stood at the third step."
        >>> result = lt.check({"first": rain, "second": rain + " Nobody slept."})
        >>> result.report("pair.html", kind="pair", texts=["first", "second"]).name
        'pair.html'
        """
        target = Path(path)
        with spoken(self.language):
            form = target.suffix.lower().removeprefix(".")
            if form not in FORMATS:
                raise BadInput("report_ending", name=target.name, formats=", ".join(FORMATS))
            if kind not in REPORT_KINDS:
                raise BadInput("report_kind", kind=kind, kinds=", ".join(REPORT_KINDS))
            now = datetime.now().astimezone()
            wanted = Wanted(
                kind=kind,
                made=now,
                checked=now,
                rows=self._rows_of_report(kind, texts),
                title=title,
                anonymous=anonymous,
                exclusions=self._exclusions,
            )
            made = report_of(self.core, wanted, translator(self.language), view=self._view)
        with write_whole(target, private=False) as fresh:
            fresh.write_bytes(write_report(made, form, self.language))
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
        """Return the row of the one text that is called so.

        Raises
        ------
        BadInput
            `which_text`.
        """
        names = [document.name for document in self.core.documents]
        if isinstance(name, int):
            fitting = [name] if 0 <= name < len(names) else []
        else:
            fitting = [row for row, other in enumerate(names) if other == name]
            if not fitting:
                part = name.casefold()
                fitting = [row for row, other in enumerate(names) if part in other.casefold()]
        if len(fitting) != 1:
            raise BadInput("which_text", name=shown(str(name)), n=len(fitting))
        return fitting[0]


def _format_count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
