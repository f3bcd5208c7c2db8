"""Leitong 雷同 for people who write Python: what texts share, how much, and where.

>>> import leitong as lt
>>> rain = "It rained all night, and in the morning the river stood at the third step."
>>> result = lt.check({"first": rain, "second": rain + " Nobody slept."})
>>> result
<leitong.Result: 2 texts, 1 pair, 1 cluster>
>>> for pair in result.pairs():
...     print(pair["a"], pair["b"], f"{pair['coverage_a']:.0%} {pair['coverage_b']:.0%}")
first second 100% 88%

It shows evidence; a person decides.

**What can be checked.** A folder, a file, an archive, or a list of them; a list of texts, a
mapping {key: text}, pairs (key, text); a DataFrame of pandas or Polars (a LazyFrame, too), a table
of Arrow, a query of DuckDB or sqlite3, a list of records (dictionaries), or a file of these (.csv,
.json, .jsonl, .parquet), of all of which `text="..."` names the column of texts; a Series; an open
file. A list of strings is read as files where every string names one, and as texts where none
does; `csv/*.csv` and `~/essays` are found. A text that is a page of HTML, or a piece of one, is
read as HTML: its notes say so.

**Rows and keys.** `row` is the place of a text among what was given, from 0; behind these the
references are counted. A key may be anything that a dictionary takes: a number, a date, a tuple.
Texts are called by it. Tables give back both as they were (`row_a`, `key_a`, ...), so that they
join to yours. A missing text (None, NaN) takes no part: `skipped` names it.

**Tables.** What lists something returns a `Table`: a list of dictionaries, whatever is installed,
which `to_pandas()`, `to_polars()` and `to_arrow()` make a frame. Shares lie between 0 and 1,
distances are bits, places are half-open ranges of characters (code points) in the text as it was
read. What is not known is None.

**Threads.** Every function may be called in several threads at once, with one `Library` too, and
answers as in one. A bar is drawn in the main thread alone.

**Errors.** Everything that a caller can cause is a `LeitongError`, whose message says what to do.

**Language.** Messages, reports and the view in a notebook are in Chinese or English: `language` is
"zh" or "en", by default that of the system.

What a name needs is loaded when it is used first: `import leitong` itself takes no time.

**Examples** below begin with the lines above, and with these:

>>> story = " ".join(f"{word}{n}" for n in range(4) for word in rain.split())
>>> found = lt.reposts({"2024-05-01": story, "2024-05-03": "Copied. " + story})
>>> search = lt.WebSearch([rain])
>>> library = lt.Library("press.library", create=True)
>>> library.add("2024", {"flood": rain}).added
1
"""

import lazy_loader

from simhash_core.version import __version__ as __version__

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Load a name when it is used first; that of a leaf which was cut off is none of ours."""
    try:
        return _load(name)
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("simhash_core."):
            raise
        raise AttributeError(f"leitong.{name} needs {error.name}, which is not there") from error
