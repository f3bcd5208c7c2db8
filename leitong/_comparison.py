"""`Comparison`: two texts side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import simhash_core.result
from simhash_core import report
from simhash_core.schemas import json_text

from . import _html
from ._given import Key
from ._tables import PassageRow, Table, end_columns, passage_columns


class Comparison:
    """Two texts compared; made by `leitong.compare` and `Result.compare`.

    In a notebook a comparison shows its first passages side by side.

    Attributes
    ----------
    a, b : str
        Names of the texts.
    coverage_a, coverage_b : float
        Shares 0..1 of what counts of each text that the other one shares.
    identical : float
        Share 0..1 of what both share that is word for word.
    longest : int
        The longest identical run, in characters of Chinese or words.
    distance : int or None
        Bits in which the fingerprints differ; None where a text is too short for one.
    bits : int
        Of a fingerprint.
    cosine : tuple of float or None
        Estimate of the cosine of both texts from their fingerprints, with the ends of its
        interval of 95 %.
    core : simhash_core.Comparison
        All of it, with the votes on every bit.

    Examples
    --------
    >>> both = lt.compare(rain, rain + " Nobody slept.")
    >>> both
    <leitong.Comparison of 'text 1' and 'text 2': 100% and 88% shared>
    >>> both.longest, both.distance
    (15, None)
    """

    def __init__(
        self,
        core: simhash_core.result.Comparison,
        *,
        language: str = "en",
        keys: Sequence[Key] = (),
    ) -> None:
        self.core, self.language = core, language
        self._keys = keys or (Key(core.a.name, 0), Key(core.b.name, 1))
        self.a, self.b = core.a.name, core.b.name
        self.coverage_a, self.coverage_b = core.coverage_a, core.coverage_b
        self.identical = 0.0 if math.isnan(core.identical) else core.identical
        self.longest = core.longest
        self.bits = core.settings.bits
        self.distance = core.distance if core.comparable else None
        self.cosine = core.cosine if core.comparable else None

    def __repr__(self) -> str:
        shares = " and ".join(f"{share:.0%}" for share in (self.coverage_a, self.coverage_b))
        return f"<leitong.Comparison of {self.a!r} and {self.b!r}: {shares} shared>"

    def _repr_html_(self) -> str:
        return _html.comparison_view(self.core, self.language)

    def passages(self) -> Table[PassageRow]:
        """Return one row a shared passage, with columns as in `Result.passages`.

        >>> (passage,) = lt.compare(rain, "They say: " + rain).passages()
        >>> passage["a_start"], passage["a_end"], passage["b_start"], passage["b_end"]
        (0, 74, 10, 84)
        """
        passages = self.core.passages
        ends = [(self.core.a, self.core.b)] * len(passages)
        sides = [[side] * len(passages) for side in (0, 1)]
        columns = passage_columns(passages, ends, range(len(passages)))
        return Table({**columns, **end_columns(self._keys, *sides)})

    def to_json(self) -> str:
        """Return the comparison as JSON, schema `leitong.compare/1` with stable keys.

        >>> import json
        >>> both = lt.compare("one two three four five six", "six five four three two one")
        >>> json.loads(both.to_json())["schema"]
        'leitong.compare/1'
        """
        return json_text(report.compare_data(self.core))
