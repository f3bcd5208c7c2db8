"""Checks that last on the command line: `check --project FILE` and `leitong projects`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from ..errors import BadInput, StoreError, Unreadable
from ..i18n import Translate, in_chinese
from ..people.authorship import read_author
from ..people.names import Authorship
from ..report.words import damage_text, fault_text, lost_text
from ..request import Request, forget
from ..result import CheckResult
from ..review import case_keys
from ..seen.stored import kept_cases, term
from ..seen.thresholds import view_at_threshold
from ..signs import make_printable
from ..storage import Project, Shelf, Summary, find_owner_key, owner_folder
from ..storage.shelf import back_up
from ..storage.shelf import restore as restore_backup
from .output import fit_name, progress, remark, write_json

FAILED = 4


def open_project(options: argparse.Namespace, t: Translate) -> Project | None:
    """Open where a check is stored: in `--project`, else in the check that it goes on with.

    Raises
    ------
    BadInput
        `from_elsewhere`: both are given, and `--project` is there already.
    """
    if options.project is None and options.stored_check is None:
        return None
    file = Path(options.project or options.stored_check)
    if options.stored_check is None:
        return _open_whole(file, options, t) if file.exists() else Project.create(file)
    if options.project and file.exists():
        raise BadInput("from_elsewhere", name=make_printable(options.project))
    if options.project:
        with closing(Project.open(Path(options.stored_check))) as source:
            source.copy_to(file)
    return Project.open(file)


def load_request(options: argparse.Namespace, t: Translate) -> Request | None:
    """Return what the check of `--from` asked for, which this one goes on with; None without."""
    if options.stored_check is None:
        return None
    with closing(_open_whole(Path(options.stored_check), options, t)) as project:
        return Request.load(project)


def _open_whole(path: Path, options: argparse.Namespace, t: Translate) -> Project:
    """Open a file in which a check is to be stored, and say what is damaged in it.

    One that cannot be written is refused before the check is made, unless it is stored elsewhere.
    """
    project = Project.open(_ordinary(path))
    try:
        project.verify()
        say_damage(project, options, t)
        if not (options.stored_check and options.project):
            project.database.require_writable()
    except BaseException:
        project.close()
        raise
    return project


def say_damage(project: Project, options: argparse.Namespace, t: Translate) -> None:
    """Say on standard error what is damaged in the file of a check."""
    if project.damage:
        what = damage_text(project.damage, t, options.language)
        print(make_printable(t("error.damage_whole", what=what)), file=sys.stderr)


def _ordinary(path: Path) -> Path:
    """Return the path of a file; a folder, a pipe or a device raises `Unreadable`."""
    if not path.is_file():
        raise Unreadable("special").of_file(path.name)
    return path


def load_stored(project: Project) -> Request | None:
    """Return what the check of a project asked for; None where its texts are damaged."""
    try:
        return Request.load(project)
    except StoreError:
        return None  # damage is said already


def say_dropped(request: Request, before: Request, t: Translate) -> None:
    """Say what the check of a project had beside its texts and does not have this time."""
    if before.beside and not request.beside:
        print(t("cli.dropped_beside"), file=sys.stderr)
    if before.texts.templates and not request.texts.templates:
        print(t("cli.dropped_templates", n=len(before.texts.templates)), file=sys.stderr)


def result_of(project: Project | None) -> CheckResult | None:
    """Return the stored result; None where there is none, or another version wrote it."""
    try:
        return project.result() if project is not None else None
    except StoreError:
        return None  # its texts are checked again


def report(
    project: Project | None, result: CheckResult, options: argparse.Namespace, t: Translate
) -> None:
    """Say what is stored, which decisions have to be made again, and which are about nothing now.

    `result` is the check as it is seen by the rules of the project.
    """
    if project is None or project.path is None:
        return
    project.note_cases(case_keys(result))
    summary = project.summary()
    counts = {"n": summary.decided, "all": summary.cases}
    remark(t("cli.stored", name=make_printable(project.path.name), **counts), options)
    for again in project.asked_again():
        a, b = map(make_printable, again.names)
        remark(t("cli.asked_again", a=a, b=b), options)
    _, lost = kept_cases(project, result, view_at_threshold(result, result.threshold))
    if lost:  # with --quiet too: what was decided never vanishes without a word
        colon = "：" if in_chinese(options.language) else ":"
        print(f"{t('report.lost.title')}{colon}", file=sys.stderr)
    for one in lost:
        print(f"  {make_printable(lost_text(one, t))}", file=sys.stderr)


def projects(options: argparse.Namespace, t: Translate) -> int:
    """`leitong projects`: list, verify, rename, duplicate, delete, forget."""
    if options.action == "verify" and options.projects:
        return _verify(options.projects, t)
    shelf = Shelf(owner_folder(find_owner_key()))
    if options.action in (None, "list"):
        _list(shelf.recent(), options, t)
        return 0
    if options.action == "verify":
        return _verify([one.id for one in shelf.recent()], t)
    if options.action == "forget":
        return _forget(shelf, options, t)
    key = _find(shelf, options.project).id
    if options.action == "rename":
        with closing(shelf.open(key)) as project:
            say_damage(project, options, t)
            project.put("name", options.name)
    elif options.action == "duplicate":
        with closing(shelf.duplicate(key)) as copy:
            say_damage(copy, options, t)
            print(copy.id)
    else:
        shelf.remove(key)
    return 0


def _verify(asked: Sequence[str], t: Translate) -> int:
    """Read every byte of some checks and say what is damaged."""
    whole = True
    for name in asked:
        try:
            project = find_project(name)
            faults = [fault_text(fault, t) for fault in project.verify()]
            project.close()
        except (BadInput, StoreError) as error:
            faults = [t(f"error.{error.code}", **{**error.params, "name": make_printable(name)})]
        for fault in faults:
            print(t("cli.projects_fault", name=make_printable(name), fault=make_printable(fault)))
        if not faults:
            print(t("cli.projects_whole", name=make_printable(name)))
        whole = whole and not faults
    return 0 if whole else FAILED


def _forget(shelf: Shelf, options: argparse.Namespace, t: Translate) -> int:
    """Remove one person from every check of a class, or from one check."""
    author = Authorship(person=options.person, number=options.number)
    chosen, open_project = _choose_project(shelf, options)
    held = term(chosen, open_project, author)
    numbers = {read_author(one.document).number for one in held if one.document} - {""}
    if len(numbers) > 1:
        listed = ", ".join(map(make_printable, sorted(numbers)))
        raise BadInput("which_person", name=make_printable(options.person), numbers=listed)
    total = 0
    for one in chosen:
        with closing(open_project(one.id)) as project, progress(t, options) as step:
            say_damage(project, options, t)
            touched = forget(project, author, progress=step)
        total += touched
        if touched:
            name = fit_name(one.name or (one.path.name if one.path else one.id))
            print(t("cli.projects_forgotten", name=name, n=touched))
    if not total and options.project:
        check = fit_name(options.project)
        raise BadInput("nobody_in_check", name=make_printable(options.person), check=check)
    if not total:
        names = {"name": make_printable(options.person), "group": make_printable(options.group)}
        raise BadInput("nobody", **names)
    return 0


def _choose_project(
    shelf: Shelf, options: argparse.Namespace
) -> tuple[list[Summary], Callable[[str], Project]]:
    """Return the checks of `--class` or the one of `--project`, and what opens them by id."""
    if not options.project:
        recent = shelf.recent()
        return [one for one in recent if one.group == options.group and one.checked], shelf.open
    with closing(find_project(options.project)) as project:
        chosen = project.summary()
    return [chosen], lambda _: find_project(options.project)


def find_project(asked: str) -> Project:
    """Open a project by its file, by the beginning of its id, or by its name."""
    if Path(asked).exists() and not Path(asked).is_dir():
        return Project.open(_ordinary(Path(asked)))
    shelf = Shelf(owner_folder(find_owner_key()))
    return shelf.open(_find(shelf, asked).id)


def _find(shelf: Shelf, asked: str) -> Summary:
    """Return the one project whose id begins so, or that is called so."""
    listed = shelf.recent()
    fitting = [one for one in listed if one.id.startswith(asked) or one.name == asked]
    if len(fitting) > 1:
        raise BadInput("which_check", name=fit_name(asked), n=len(fitting))
    if not fitting:
        raise StoreError("store_missing", name=fit_name(asked))
    return fitting[0]


def _list(listed: Sequence[Summary], options: argparse.Namespace, t: Translate) -> None:
    if options.json:
        rows = [
            {
                "id": one.id,
                "name": one.name,
                "file": str(one.path),
                "state": one.state,
                "fault": one.fault or None,
                "damage": [{"code": fault.code, **fault.params} for fault in one.damage],
                "texts": one.texts,
                "checked": one.checked.isoformat() if one.checked else None,
                "cases": one.cases,
                "decided": one.decided,
                "bytes": one.size,
            }
            for one in listed
        ]
        write_json(rows)
        return
    if not listed:
        remark(t("cli.projects_none"), options)
    for one in listed:
        if one.fault:
            print(f"{one.id}  {t(f'error.{one.fault}', name=one.id, version='', ours='')}")
            continue
        moment = one.checked or one.created
        date = moment.astimezone().strftime("%Y-%m-%d %H:%M") if moment else ""
        name = fit_name(one.name) or t("cli.unnamed")
        print(
            f"{one.id}  {date}  "
            + t("cli.project_row", name=name, n=one.texts, decided=one.decided, all=one.cases)
        )
        if one.damage:
            what = damage_text(one.damage, t, options.language)
            print(f"{one.id}  {make_printable(t('error.damage_whole', what=what))}")


def backup(options: argparse.Namespace, t: Translate) -> int:
    """`leitong backup FILE`"""
    count, size = back_up(Path(options.file))
    remark(t("cli.backed_up", n=count, size=f"{size / 1e6:.1f}"), options)
    return 0


def restore(options: argparse.Namespace, t: Translate) -> int:
    """`leitong restore FILE`"""
    count, size = restore_backup(Path(options.file))
    remark(t("cli.restored", n=count, size=f"{size / 1e6:.1f}"), options)
    return 0
