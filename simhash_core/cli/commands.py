"""What each command does: arguments in, text or data out, an exit code back."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from .. import extensions
from ..auxiliary import level_list, metadata_items, word_list
from ..checking.sources import format_families, formats_with_advice
from ..errors import BadInput
from ..folders import write_whole
from ..i18n import Translate
from ..metadata import MU_CONTENT, PairScore, Score, pair_score
from ..model import I64, Document, Pairs, Progress
from ..notation import UNKNOWN, Notation
from ..numbers import divide_text, few_rows, highest_total, unit_of_all
from ..people.authorship import list_hand_ins, name_documents
from ..people.names import AUTOMATIC
from ..people.roster import Member, read_class_list
from ..report.json import compare_data, fingerprint_data
from ..request import Request, run
from ..result import CheckResult, Comparison
from ..review import case_keys
from ..seen.comparison import compare as run_compare
from ..seen.exclusion_view import ExclusionView
from ..seen.exclusions import Exclusions
from ..seen.stored import result_changes
from ..settings import Settings
from ..signs import make_printable
from ..storage import SUFFIX, Beside, Shelf, Texts, owner_folder, owner_key
from . import projects
from .against import choose_beside, open_libraries, report_changes
from .inputs import list_given, read_all, read_one, sources_of
from .options.values import NOBODY
from .output import cut, fit_name, progress, remark, say_skipped, write_json
from .reports import require_report, write_check

Run = Callable[[argparse.Namespace, Translate], int]
FINDINGS, SKIPPED = 1, 3  # exit codes; 0 is success, 2 is from argparse


def check(options: argparse.Namespace, t: Translate) -> int:
    """`leitong check PATH...`"""
    with contextlib.ExitStack() as files:
        return _check(options, t, files)


def _check(options: argparse.Namespace, t: Translate, files: contextlib.ExitStack) -> int:
    """Check; `files` closes the project."""
    if options.engine:
        return _check_by_engine(options, _settings(options), t)
    stored = projects.load_request(options, t)
    settings = _settings(options, stored.settings if stored else None)
    exclusions, members = exclusions_of(options), read_members(options)
    require_report(options)
    stored_beside = stored.beside if stored else Beside()
    beside = choose_beside(options.against, stored_beside, only=options.only_against)
    library = files.enter_context(open_libraries(beside, settings, t, quiet=options.quiet))
    texts = _read_texts(options, stored, beside, settings, t)
    project = projects.open_project(options, t)
    if stored and options.project:
        files.push(partial(_drop_copy, Path(options.project)))
    if project is not None:
        files.callback(project.close)
    before = stored or (projects.load_stored(project) if project is not None else None)
    members = members or (before.members if before else ())
    listed = () if options.people == NOBODY else members
    names = [one.name for one in stored.texts.documents] if stored else []
    documents = name_authors(texts.documents, listed, settings, options, t, among=names)
    references = texts.references
    if references != beside.references:
        references = tuple(name_authors(references, (), settings, options, t))
    request = Request(
        texts=replace(texts, documents=tuple(documents), references=references),
        beside=replace(beside, references=references),
        settings=settings,
        exclusions=exclusions or (before.exclusions if before else exclusions),
        members=members,
        library=library,
    )
    if stored:
        request = request.add_to(stored)
    elif before:
        projects.say_dropped(request, before, t)
    missing = missing_members(request.texts, listed, options, t)
    earlier = projects.result_of(project)
    with progress(t, options) as step:
        outcome = run(request, project=project, earlier=earlier, progress=step)
    say_skipped(outcome.versions, t)
    changes = result_changes(earlier, outcome.result) if beside.libraries and earlier else None
    if changes is not None:
        report_changes(changes, options, t)
    say_excluded(outcome.view, options, t)
    result = outcome.view.result if outcome.view else outcome.result
    projects.report(project, result, options, t)
    write_check(
        result,
        options,
        t,
        view=outcome.view,
        listed=listed,
        missing=missing,
        changes=changes,
        project=project,
    )
    if options.fail_on is not None and _has_found(result, options.fail_on):
        return FINDINGS
    return SKIPPED if texts.skipped else 0


def _drop_copy(path: Path, kind: object, *_: object) -> None:
    """Remove the new file of a check that did not come to its end."""
    if kind is not None:
        path.unlink(missing_ok=True)


def _read_texts(
    options: argparse.Namespace,
    stored: Request | None,
    beside: Beside,
    settings: Settings,
    t: Translate,
) -> Texts:
    """Read what a command line names; where it goes on with a check, that may be nothing."""
    named = options.paths or options.files_from or not stored
    documents, skipped = read_all(list_given(options) if named else [], settings, options, t)
    paths = [] if beside.libraries else options.against
    references, unread = read_all(sources_of(paths, options), settings, options, t)
    templates = [read_one(name, settings, options, t) for name in options.template]
    return Texts(
        documents=tuple(documents),
        skipped=(*skipped, *unread),
        references=tuple(references) if paths else beside.references,
        templates=tuple(templates),
    )


def compare(options: argparse.Namespace, t: Translate) -> int:
    """`leitong compare A B`"""
    settings = _settings(options)
    rule = _rule(options, settings)
    a, b = (read_one(name, settings, options, t) for name in (options.a, options.b))
    comparison = run_compare(a, b, settings=settings)
    score = None
    if rule is not None:
        score = _score(comparison, rule, options, t)
    data = compare_data(comparison, rule=rule, score=score)
    if options.json:
        write_json(data)
        return 0
    print(f"{fit_name(a.name)}\n{fit_name(b.name)}\n")
    if comparison.comparable:
        estimate, low, high = comparison.cosine
        print(t("cli.distance", n=comparison.distance, bits=settings.bits))
        print(t("cli.cosine", value=f"{estimate:.2f}", low=f"{low:.2f}", high=f"{high:.2f}"))
        print(t("cli.differing", bits=" ".join(map(str, data["differing_bits"])) or "–"))
    else:
        print(t("cli.not_comparable", n=settings.min_tokens))
    if rule is not None:
        from .terminal import print_score

        print_score(rule, score, t)
    write = Notation.of(options.language)
    for side, division in zip("ab", comparison.division, strict=True):
        facts = {"sum": write.sum(division), "counted": write.counted(division)}
        print(t(f"cli.coverage_{side}", share=write.total(division), **facts))
    for passage in data["passages"]:
        place = "{a_start}–{a_end}  {b_start}–{b_end}".format(**passage)
        excerpt = " ".join(a.text[passage["a_start"] : passage["a_end"]].split())
        print(f"  {place}  {t('cli.kind_' + passage['kind'])}  {cut(excerpt, 60)}")
    return 0


def text(options: argparse.Namespace, t: Translate) -> int:
    """`leitong text FILE`: exactly the text that offsets index."""
    document = read_one(
        options.file, Settings(encoding=options.encoding, ocr=options.ocr), options, t
    )
    sys.stdout.buffer.write(document.text.encode("utf-8", "surrogatepass"))
    return 0


def formats(options: argparse.Namespace, t: Translate) -> int:
    """`leitong formats`: what is read, by kind, and what to do about what is not."""
    families = {name: list(suffixes) for name, suffixes in format_families().items()}
    advice = [(suffixes, t(f"notes.{code}")) for code, suffixes in formats_with_advice().items()]
    if options.json:
        advised = [
            {"suffixes": list(suffixes), "message": sentence} for suffixes, sentence in advice
        ]
        data = {"read": families, "told": advised}
        write_json(data)
        return 0
    for name, suffixes in families.items():
        print(f"{t(f'formats.{name}')}: {' '.join(suffixes)}")
    print(f"\n{t('formats.by_content')}\n\n{t('formats.unread')}")
    for suffixes_told, sentence in advice:
        print(f"{' '.join(suffixes_told)}: {sentence}")
    return 0


def fingerprint(options: argparse.Namespace, t: Translate) -> int:
    """`leitong fingerprint PATH...`"""
    settings = _settings(options)
    documents, skipped = read_all(list_given(options), settings, options, t)
    if options.profile == "default":
        data = fingerprint_data(documents, settings=settings, explained=options.explain)
    else:
        data = extensions.extension("profiles", options.profile).data(documents)
    if options.json:
        skipped_rows = [{"name": row.name, "code": row.code} for row in skipped]
        write_json({**data, "skipped": skipped_rows})
    else:
        from .terminal import print_fingerprints

        print_fingerprints(data)
    return SKIPPED if skipped else 0


def settings(options: argparse.Namespace, t: Translate) -> int:
    """`leitong settings`: what --set takes, with bounds, and the values of a preset."""
    chosen = Settings.of(options.preset or Settings().preset)
    for spec in dataclasses.fields(Settings):
        value, bounds = getattr(chosen, spec.name), spec.metadata
        added = extensions.names(bounds["family"]) if bounds["family"] else ()
        allowed = ", ".join(map(str, (*bounds["choices"], *added)))
        if isinstance(value, bool):
            value, allowed = "on" if value else "off", "on, off"
        elif bounds["low"] is not None:
            allowed = f"{bounds['low']}–{bounds['high']} {bounds['unit']}".rstrip()
        shown = f"{spec.name.replace('_', '-')}={'' if value in (None, ()) else value}"
        label = t(f"settings.{spec.name}.label")
        print(f"{shown:<22} {label}{f' [{allowed}]' if allowed else ''}")
    return 0


def pairs(options: argparse.Namespace, t: Translate) -> int:
    """`leitong pairs FINGERPRINTS.npy -k K`"""
    if options.engine in extensions.list_offers("pairs"):
        run: Run = extensions.extension("pairs", options.engine)
        return run(options, t)
    from ..simhash.search import all_pairs
    from ..simhash.search.exchange import load_fingerprints

    path = Path(options.fingerprints)
    path.stat()
    words = load_fingerprints(path)
    result = all_pairs(words, bits=words.shape[1] * 64, k=options.k)
    write_pair_file(options, result.group, result.pairs)
    remark(t("cli.pairs_found", n=len(result.pairs), rows=len(words), k=options.k), options)
    return 0


def app(options: argparse.Namespace, t: Translate) -> int:
    """`leitong app [FILE]...`: serve and open the browser."""
    return _show(options, t, window=False)


def desktop(options: argparse.Namespace, t: Translate) -> int:
    """`leitong desktop [FILE]...`: serve and open a desktop window."""
    return _show(options, t, window=True)


def _show(options: argparse.Namespace, t: Translate, *, window: bool) -> int:
    from ..app.desktop import open_app

    files, check = [Path(name) for name in options.files], ""
    for path in files:
        path.stat()
    if len(files) == 1 and files[0].suffix == SUFFIX:
        check = Shelf(owner_folder(owner_key())).link(files.pop())
    tell = _teller(options, t)
    return open_app(window=window, port=options.port, check=check, files=files, tell=tell)


def _teller(options: argparse.Namespace, t: Translate) -> Callable[..., None]:
    """Return the function that prints where the application is."""
    return lambda key, **params: remark(t(key, **params), options)


def _settings(options: argparse.Namespace, held: Settings | None = None) -> Settings:
    """Collect the settings that were given; the preset fills the rest, else those of a check."""
    given = dict(options.set)
    if options.preset:
        given["preset"] = options.preset
    for name, read in (("user_words", word_list), ("levels", level_list)):
        if name in given:
            given[name] = read(Path(given[name]))
    if held is not None and "preset" not in given:
        return replace(held, **given)
    return Settings(**given)


def _rule(options: argparse.Namespace, settings: Settings) -> Score | None:
    """Return the rule of the combined score, None where nothing asks for it."""
    if not options.metadata:
        return None
    given = dict(options.metadata)
    rule = Score(bits=settings.bits, mu_content=given.get("mu", MU_CONTENT))
    return replace(rule, **{name: given[name] for name in ("term", "similarity") if name in given})


def _items(
    documents: Sequence[Document], options: argparse.Namespace, t: Translate
) -> list[frozenset[str]]:
    """Return the metadata items of each document; report how many have none."""
    given = dict(options.metadata)
    table = Path(given["table"]) if "table" in given else None
    items = metadata_items(documents, pattern=given.get("names", ""), table=table)
    bare = sum(not of_document for of_document in items)
    if bare:
        remark(t("cli.metadata_missing", n=bare, documents=len(items)), options)
    return items


def _score(
    comparison: Comparison, rule: Score, options: argparse.Namespace, t: Translate
) -> PairScore | None:
    """Return the combined score of two texts, None without fingerprints."""
    a, b = _items((comparison.a, comparison.b), options, t)
    return pair_score(comparison.distance, a, b, rule=rule) if comparison.comparable else None


def _has_found(result: CheckResult, share: float) -> bool:
    """Whether any text overlaps others by at least `share`, or any pair is within the threshold."""
    near = result.table.within(result.threshold, result.batch_threshold)
    enough = ~few_rows(result)  # of no other text a share is given
    return bool(near.any() or (result.total_overlap >= share)[enough].any())


# --------------------------------------------------------------------------- who wrote what
MISSING_SHOWN = 30  # of the members who handed nothing in


def exclusions_of(options: argparse.Namespace) -> Exclusions:
    """Return what does not count; numbers out of range raise `BadInput`."""
    return Exclusions(
        zones=tuple(name.replace("-", "_") for name in options.exclude), min_match=options.min_match
    )


def say_excluded(view: ExclusionView | None, options: argparse.Namespace, t: Translate) -> None:
    """Say how much of a check does not count."""
    if view is None:
        return
    before, after = (len(case_keys(one)) for one in (view.before, view.result))
    write = Notation.of(options.language)
    highest = [
        UNKNOWN if (best := highest_total(one)) < 0 else write.total(divide_text(one, best))
        for one in (view.before, view.result)
    ]
    remark(
        t(
            "cli.excluded",
            n=view.units[0],
            of=write.length(view.units[1], unit_of_all(view.before)),
            before=before,
            after=after,
            high=highest[0],
            left=highest[1],
        ),
        options,
    )


def name_authors(
    documents: Sequence[Document],
    listed: Sequence[Member],
    settings: Settings,
    options: argparse.Namespace,
    t: Translate,
    among: Sequence[str] = (),
) -> list[Document]:
    """Return the documents with their authors; how names are built the ones `among` tell too."""
    if options.people == NOBODY:
        return list(documents)
    pattern = options.people or AUTOMATIC
    named = name_documents(documents, pattern, listed=listed, among=among)
    wanted = settings.skip_same_person or settings.skip_same_group or listed
    unknown = sum(not (one.meta.get("person") or one.meta.get("number")) for one in named)
    if unknown and (options.people or wanted):
        remark(t("cli.unknown_authors", n=unknown, documents=len(named)), options)
    return named


def read_members(options: argparse.Namespace) -> tuple[Member, ...]:
    """Return the class list that is given; empty where none is."""
    if not options.class_list:
        return ()
    return tuple(read_class_list(Path(options.class_list), name=options.class_list))


def missing_members(
    texts: Texts, listed: Sequence[Member], options: argparse.Namespace, t: Translate
) -> list[Member]:
    """Return who of a class list handed nothing in; say so, and of whom nothing can be read."""
    by_state: dict[str, list[Member]] = {"unread": [], "missing": []}
    for one in list_hand_ins(texts.documents, texts.skipped, listed) if listed else ():
        by_state.setdefault(one.state, []).append(one.member)
    _say_members("cli.unreadable", by_state["unread"], options, t)
    _say_members("cli.missing", by_state["missing"], options, t)
    return by_state["missing"]


def _say_members(
    message: str, members: Sequence[Member], options: argparse.Namespace, t: Translate
) -> None:
    """Name some members of a class list, where there are any."""
    if members:
        names = [fit_name(member.person or member.number) for member in members]
        more = "" if len(names) <= MISSING_SHOWN else " ..."
        remark(t(message, n=len(names), names=", ".join(names[:MISSING_SHOWN]) + more), options)


# --------------------------------------------------------------------------- engines
#: options of a check that an engine does not have
NOT_HERE = (
    *("--files-from", "--against", "--only-against", "--template", "--project", "--from"),
    *("--format", "--title", "--anonymous", "--fail-on", "--people", "--class-list", "--exclude"),
)


def _check_by_engine(options: argparse.Namespace, settings: Settings, t: Translate) -> int:
    """Check one table of texts; write the result as tables of Parquet."""
    if len(options.paths) != 1 or not options.output:
        raise BadInput("engine_output")
    dests = {
        name: action.dest for action in options.parser._actions for name in action.option_strings
    }
    if unused := [name for name in NOT_HERE if getattr(options, dests[name])]:
        raise BadInput("engine_options", names=", ".join(unused))
    source, folder = options.paths[0], options.output
    run = load_engine(options.engine).check
    known, given = inspect.signature(run).parameters, dict[str, Any]()
    if "master" in known:  # it runs on a cluster
        given = {"master": options.master, "step": say_stages(options)}
    tables = run(source, folder, settings=settings, **given)
    counts = {name: tables[name].num_rows for name in ("documents", "pairs", "passages")}
    remark(t("cli.tables_written", folder=make_printable(folder), **counts), options)
    for code in tables["not_searched"].column("code").to_pylist():
        remark(t(f"cli.not_searched_{code}"), options)
    return 0


def write_pair_file(options: argparse.Namespace, group: I64, near: Pairs) -> None:
    """Write pairs to the file of `-o`, where one is given."""
    from ..simhash.search.exchange import write_pairs

    if options.output:
        with write_whole(Path(options.output), private=False) as fresh:
            write_pairs(fresh, group, near)


def say_stages(options: argparse.Namespace) -> Progress:
    """Return what names each stage on a terminal as it begins."""

    def step(stage: str, done: int, total: int) -> None:
        if sys.stderr.isatty() and not done:
            remark(f"  {stage}", options)

    return step


def load_engine(name: str) -> Any:
    """Return an engine, of the leaf or of another package.

    Raises
    ------
    BadInput
        `engine_missing`: what its extra installs is not there.
    """
    try:
        return extensions.extension("engines", name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pyspark", "pyarrow"):
            raise
        raise BadInput("engine_missing", name=name) from error
