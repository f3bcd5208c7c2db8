"""`Table`: what every method returns that lists something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np

from simhash_core.i18n import translator

from ._language import language_of, needing

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Row = TypeVar("Row", bound=Mapping[str, Any])
#: a row of a table whose columns its method names
Record: TypeAlias = dict[str, Any]
Columns = Mapping[str, Sequence[object]]


class Table(list[Row], Generic[Row]):
    """A list of rows, each a dictionary, whatever is installed; `to_...` makes a frame of it.

    What is not known is None in a row, null in Polars and Arrow, NaN in pandas. `columns` names
    the keys of every row, also where there is none.

    >>> pairs = lt.check({7: rain, 9: rain + " Nobody slept."}).pairs()
    >>> pairs[0]["key_a"], pairs[0]["key_b"], pairs[0]["coverage_b"]
    (7, 9, 0.8824)
    >>> pairs.to_pandas()[["a", "b", "longest", "distance"]]
       a  b  longest  distance
    0  7  9       15       NaN
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self.columns = tuple(columns)
        cells = [list(map(_plain_value, column)) for column in columns.values()]
        rows: Any = (dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True))
        super().__init__(rows)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            sentence = translator(language_of(None))("error.table_method", name=name)
            raise AttributeError(sentence)

    def _repr_html_(self) -> str:
        from . import _html  # and with it all that a notebook shows

        lines = [["" if cell is None else str(cell) for cell in row.values()] for row in self]
        return _html.draw_table(self.columns, lines[: _html.ROWS], words=len(self.columns))

    def to_dicts(self) -> list[dict[str, object]]:
        """Return plain dictionaries, such as for `json.dumps`.

        >>> [text["name"] for text in result.texts().to_dicts()]
        ['first', 'second']
        """
        return [dict(row) for row in self]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a DataFrame of pandas.

        >>> result.pairs().to_pandas().shape
        (1, 20)
        """
        with needing("pandas"):
            import pandas
        columns = {
            name: [np.nan if cell is None else cell for cell in cells]
            for name, cells in self._cells().items()
        }
        return pandas.DataFrame(columns)

    def to_polars(self) -> polars.DataFrame:
        """Return a DataFrame of Polars; keys are strings where they are of several types.

        >>> frame = result.pairs().to_polars()  # doctest: +SKIP
        """
        with needing("polars"):
            import polars
        return polars.DataFrame(self._cells(alike=True))

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of Arrow, which DuckDB reads; keys of several types as in Polars.

        >>> result.pairs().to_arrow()["key_b"].to_pylist()
        ['second']
        """
        with needing("pyarrow"):
            import pyarrow
        return pyarrow.table(self._cells(alike=True))

    def _cells(self, *, alike: bool = False) -> dict[str, list[Any]]:
        """Return the columns; with `alike` keys that are not of one plain type are strings."""
        cells: dict[str, list[Any]] = {name: [row[name] for row in self] for name in self.columns}
        for name in ("key", "keys", "key_a", "key_b") if alike else ():
            column = cells.get(name, [])
            held = [one for cell in column for one in (cell if isinstance(cell, list) else [cell])]
            kinds = {type(one) for one in held}
            if len(kinds) > 1 or tuple in kinds:
                cells[name] = [
                    list(map(str, cell)) if isinstance(cell, list) else str(cell) for cell in column
                ]
        return cells


def _plain_value(value: Any) -> Any:
    """Return a value of plain Python, None for what is not known."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value
