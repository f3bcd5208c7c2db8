"""What `leitong library` answers: lines for a person, or one JSON value."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ..i18n import Translate
from ..model import Skipped
from ..signs import make_printable
from ..storage.library import ArchiveRow, CollectionRow, Fault, JobRow, LibraryStats, Purged
from .output import fit_name, output_console, say_skipped, write_json

if TYPE_CHECKING:  # listing texts needs nothing that reads or compares them
    from ..library.exports import Exported
    from ..library.imports import Imported
    from ..library.lookup import Place
    from ..library.updates import Updated
    from ..storage import Summary

_MEGABYTE = 1_000_000
GONE_SHOWN = 10  # names of texts that are gone


def collections(rows: Sequence[CollectionRow], as_json: bool, t: Translate) -> None:
    """List collections."""
    if as_json:
        write_json([_with_times(row) for row in rows])
        return
    names = ("collection", "texts", "characters", "size", "changed")
    shown = _table(names, t, numbers=("texts", "characters", "size"))
    for row in rows:
        shown.add_row(
            Text(fit_name(row.name)),
            f"{row.texts:,}",
            f"{row.chars:,}",
            f"{_megabytes(row.size)} MB",
            _day(row.changed),
        )
    _print(shown, empty=not rows, t=t)


def rows(listed: Sequence[ArchiveRow], as_json: bool, t: Translate) -> None:
    """List texts."""
    if as_json:
        write_json([_with_times(row) for row in listed])
        return
    shown = _table(("key", "name", "title", "author", "date", "collection"), t, numbers=("key",))
    for row in listed:
        name = row.name.removesuffix(f" {row.title[:80]}")  # a row of a table is named so
        cells = (name, row.title, row.author, row.date, row.collection)
        shown.add_row(str(row.key), *(Text(fit_name(cell)) for cell in cells))
    _print(shown, empty=not listed, t=t)


def places(listed: Sequence[Place], as_json: bool, t: Translate) -> None:
    """List the texts that hold a phrase, with the words around it."""
    if as_json:
        write_json(
            [
                {
                    "id": place.document.id,
                    "name": place.document.name,
                    "collection": place.collection,
                    "start": place.start,
                    "end": place.end,
                    "count": place.count,
                    "excerpt": "".join(place.around()),
                }
                for place in listed
            ]
        )
        return
    for place in listed:
        before, within, behind = map(make_printable, place.around())
        name, collection = fit_name(place.document.name), fit_name(place.collection)
        print(f"{name}  ({collection})  ×{place.count}")
        print(f"    …{before}[{within}]{behind}…")
    if not listed:
        print(t("cli.library_nothing"))


def say_imported(done: Imported, options: argparse.Namespace, t: Translate) -> None:
    """Say what an import did; what was left out goes to standard error by name."""
    say_skipped(done.skipped, t)
    if options.json:
        skipped = [
            {"name": row.name, "code": row.code, "message": _reason(row, t)} for row in done.skipped
        ]
        write_json(
            {"job": done.job, "added": done.added, "present": done.present, "skipped": skipped}
        )
        return
    counts = {"present": done.present, "skipped": len(done.skipped)}
    _done(t("cli.library_imported", n=done.added, **counts), options)
    if done.passed:
        _done(t("cli.library_passed", n=done.passed), options)


def say_updated(done: Updated, options: argparse.Namespace, t: Translate) -> None:
    """Say what an update did, and name what the folder has not any more."""
    new = done.imported
    say_skipped(new.skipped, t)
    counts = {"changed": done.changed, "renamed": done.renamed, "described": done.described}
    counts |= {"present": new.present, "skipped": len(new.skipped), "removed": done.removed}
    if options.json:
        skipped = [{"name": one.name, "code": one.code} for one in new.skipped]
        write_json(
            {"job": new.job, "added": new.added, **counts, "gone": done.gone, "skipped": skipped}
        )
        return
    _done(t("cli.library_updated", n=new.added, **counts), options)
    if done.removed:
        _done(t("cli.library_gone_removed", n=done.removed), options)
    elif done.gone:
        names = ", ".join(map(fit_name, done.gone[:GONE_SHOWN]))
        more = " …" if len(done.gone) > GONE_SHOWN else ""
        _done(t("cli.library_gone", n=len(done.gone), names=names + more), options)


def jobs(listed: Sequence[tuple[JobRow, bool]], as_json: bool, t: Translate) -> None:
    """List imports, each with whether it is under way."""
    if as_json:
        write_json(
            [
                {**_with_times(row), "waiting": row.waiting, "interrupted": _interrupted(row, runs)}
                for row, runs in listed
            ]
        )
        return
    counts = ("added", "present", "skipped", "waiting")
    shown = _table(("job", "collection", "state", *counts, "changed"), t, numbers=("job", *counts))
    for row, runs in listed:
        state = "interrupted" if _interrupted(row, runs) else row.state
        shown.add_row(
            str(row.id),
            Text(fit_name(row.collection)),
            t(f"cli.library_state_{state}"),
            *(f"{getattr(row, name):,}" for name in counts),
            _day(row.changed),
        )
    _print(shown, empty=not listed, t=t)
    if any(_interrupted(row, runs) for row, runs in listed):
        print(t("cli.library_may_resume"))


def _interrupted(row: JobRow, runs: bool) -> bool:
    """Whether an import was left in the middle."""
    return row.state == "running" and not runs


def stats(held: LibraryStats, index: int, as_json: bool, t: Translate) -> None:
    """Say what a library holds, and how large it and its index are."""
    if as_json:
        write_json({**_with_times(held), "index_size": index})
        return
    sizes = {"mb": _megabytes(held.size), "index": _megabytes(index) if index else "0"}
    sizes["whole"] = _megabytes(held.size + index)
    print(t("cli.library_holds", n=held.texts, collections=held.collections, **sizes))
    if held.removed:
        print(t("cli.library_removed_left", n=held.removed))
    if held.frozen is None:
        print(t("cli.library_not_frozen"))
    else:
        print(t("cli.library_frozen", day=_day(held.frozen), n=held.frozen_texts))
    print(t("cli.library_recipe", recipe=held.recipe or "–"))


def faults(listed: Sequence[Fault], as_json: bool, t: Translate) -> None:
    """Name what is damaged."""
    if as_json:
        write_json([dataclasses.asdict(fault) for fault in listed])
        return
    for fault in listed:
        name = fit_name(fault.name) or "–"
        print(f"{fault.key}  {name}  {fault.what}")
    print(t("cli.library_faults", n=len(listed)) if listed else t("cli.library_sound"))


def say_purged(
    done: Purged, held: Sequence[tuple[Summary, int]], options: argparse.Namespace, t: Translate
) -> None:
    """Say what was deleted, which backups still hold it, and which stored checks do or did."""
    unreached = [str(path) for path in done.unreached]
    if options.json:
        backups = [str(path) for path in done.backups]
        counts = {"purged": done.texts, "shared": done.shared}
        checks = [{"id": one.id, "name": one.name, "texts": n} for one, n in held]
        whole = {**counts, "backups": backups, "unreached": unreached}
        write_json({**whole, "checks": checks, "checks_cleaned": options.checks})
        return
    _done(t("cli.library_purged", n=done.texts, backups=len(done.backups)), options)
    what = "cleaned" if options.checks else "held"
    if held:
        print(t(f"cli.library_checks_{what}", n=len(held)))
    for one, n in held:
        name = fit_name(one.name) or t("cli.unnamed")
        print(t("cli.library_check_held", id=one.id, name=name, n=n))
    for path in unreached:
        print(t("cli.library_unreached", name=make_printable(path)), file=sys.stderr)


def say_exported(done: Exported, options: argparse.Namespace, t: Translate) -> None:
    """Say what was written; damaged texts are named on standard error."""
    for fault in done.faults:
        name = fit_name(fault.name) or str(fault.key)
        print(t("cli.library_damaged", name=name), file=sys.stderr)
    if options.json:
        damaged = [dataclasses.asdict(fault) for fault in done.faults]
        write_json({"texts": done.texts, "damaged": damaged})
        return
    _done(t("cli.library_exported", n=done.texts), options)


def count(what: str, n: int, options: argparse.Namespace, t: Translate) -> None:
    """Say how many texts were removed or fingerprinted again."""
    if options.json:
        write_json({what: n})
    else:
        _done(t(f"cli.library_{what}", n=n), options)


def _done(sentence: str, options: argparse.Namespace) -> None:
    """Say what was done, which nobody has to be told with --quiet."""
    if not options.quiet:
        print(sentence)


def _reason(row: Skipped, t: Translate) -> str:
    return t(f"notes.{row.code}", **row.params)


def _with_times(row: Any) -> dict[str, Any]:
    """Return a record with its moments as ISO 8601."""
    data = dataclasses.asdict(row)
    for name in ("added", "changed", "created", "frozen"):
        if isinstance(data.get(name), float):
            data[name] = datetime.fromtimestamp(data[name], UTC).isoformat(timespec="seconds")
    return data


def _megabytes(size: int) -> str:
    return f"{max(size / _MEGABYTE, 0.1):.1f}"


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def _table(columns: Sequence[str], t: Translate, *, numbers: Sequence[str]) -> Table:
    shown = Table(box=None, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column in numbers else "left"
        shown.add_column(t(f"cli.library_column_{column}"), justify=justify, overflow="fold")
    return shown


def _print(shown: Table, *, empty: bool, t: Translate) -> None:
    if empty:
        print(t("cli.library_nothing"))
    else:
        output_console().print(shown)
