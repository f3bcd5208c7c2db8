"""What each command does: arguments in, text or data out, an exit code back."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..checking.authorship import latest_versions
from ..checking.auxiliary import level_list, metadata_items, word_list
from ..checking.duration import estimate, learning
from ..checking.pipeline import format_families, formats_with_advice
from ..i18n import Translate
from ..machine import memory
from ..metadata.score import PairScore, Score, combined, pair_score
from ..model import Document
from ..notation import Notation
from ..report.fingerprints import fingerprint_data
from ..report.json import compare_data
from ..result import CheckResult, Comparison
from ..seen.changes import result_changes
from ..seen.comparison import compare as run_compare
from ..settings import Settings
from ..storage import SUFFIX, Shelf, Texts, owner_folder, owner_key
from . import engines, projects
from .against import library_scope, report_changes
from .console import cut, progress, shown_name
from .inputs import named, read_all, read_one, sources_of
from .output import remark, replace_file, say_skipped, write_text
from .reports import require_report, write_check
from .scope import (
    authored,
    common_texts,
    exclusions_of,
    listed_members,
    missing_members,
    seen_without,
)
from .terminal import (
    announce,
    print_fingerprints,
    print_score,
)

FINDINGS, SKIPPED = 1, 3  # exit codes; 0 is success, 2 is from argparse
#: kinds of metadata similarity as users type them
METADATA = {"jaccard": "jaccard", "minhash": "minhash", "minhash-literal": "literal"}


def check(options: argparse.Namespace, t: Translate) -> int:
    """`leitong check PATH...`"""
    if options.memory:
        memory.size_of(options.memory)  # a wrong size is said before the work
        os.environ[memory.VARIABLE] = options.memory
    settings = _settings(options)
    if options.engine:
        return engines.check(options, settings, t)
    rule = _rule(options, settings)
    documents, skipped = read_all(named(options), settings, options, t)
    scope, paths = library_scope(options)
    against, unread = read_all(sources_of(paths, options), settings, options, t)
    templates = [read_one(name, settings, options, t) for name in options.template]
    exclusions_of(options)  # a wrong name is said before the work
    require_report(options)
    skipped += unread
    project = projects.opened(options.project)
    listed = listed_members(options, project)
    documents = authored(documents, listed, options, t)
    against = authored(against, (), options, t)
    documents, earlier_versions = latest_versions(documents)
    say_skipped(earlier_versions, t)
    left_out = (*skipped, *earlier_versions)
    templates += common_texts(documents, templates, settings, options, t)
    given = Texts(tuple(documents), left_out, tuple(against), tuple(templates))
    texts = projects.with_earlier(given, project, add=options.add)
    missing = missing_members(texts, listed, options, t)
    expected = estimate(texts.documents, settings=settings, against=texts.references)
    announce(expected, options, t)
    earlier = projects.result_of(project)
    in_part = earlier is not None or scope is not None
    learned = contextlib.nullcontext() if in_part else learning(expected, settings=settings)
    with progress(t, options) as step, learned:
        result = projects.run(
            project,
            texts,
            settings=settings,
            earlier=earlier,
            scope=scope,
            compare_inside=not options.only_against,
            progress=step,
            t=t,
        )
    projects.report(project, options, t)
    changes = result_changes(earlier, result) if scope and earlier else None
    if changes is not None:
        report_changes(changes, options, t)
    view = seen_without(result, options, project, t)
    result = view.result if view else result
    scores = None
    if rule is not None:
        scores = combined(result, _items(result.documents, options, t), rule=rule)
    members = {"listed": listed, "missing": missing}
    write_check(result, options, t, scores=scores, view=view, **members, changes=changes)
    if options.fail_on is not None and _finds(result, options.fail_on):
        return FINDINGS
    return SKIPPED if skipped else 0


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
        write_text(json.dumps(data, ensure_ascii=False, indent=1), None)
        return 0
    print(f"{shown_name(a.name)}\n{shown_name(b.name)}\n")
    if comparison.comparable:
        estimate, low, high = comparison.cosine
        print(t("cli.distance", n=comparison.distance, bits=settings.bits))
        print(t("cli.cosine", value=f"{estimate:.2f}", low=f"{low:.2f}", high=f"{high:.2f}"))
        print(t("cli.differing", bits=" ".join(map(str, data["differing_bits"])) or "–"))
    else:
        print(t("cli.not_comparable", n=settings.min_tokens))
    if rule is not None:
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
        write_text(json.dumps(data, ensure_ascii=False, indent=1), None)
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
    documents, skipped = read_all(named(options), settings, options, t)
    if options.profile == "default":
        data = fingerprint_data(documents, settings=settings, explained=options.explain)
    else:
        from ..lab.museum.profiles import PROFILES, profile_data

        data = profile_data(documents, PROFILES[options.profile])
    if options.json:
        skipped_rows = [{"name": row.name, "code": row.code} for row in skipped]
        write_text(
            json.dumps({**data, "skipped": skipped_rows}, ensure_ascii=False, indent=1), None
        )
    else:
        print_fingerprints(data)
    return SKIPPED if skipped else 0


def pairs(options: argparse.Namespace, t: Translate) -> int:
    """`leitong pairs FINGERPRINTS.npy -k K`"""
    if options.engine == "spark":
        return engines.pairs(options, t)
    from ..simhash.search import all_pairs
    from ..simhash.search.exchange import load_fingerprints, save_pairs

    path = Path(options.fingerprints)
    path.stat()
    words = load_fingerprints(path)
    result = all_pairs(words, bits=words.shape[1] * 64, k=options.k)
    if options.output:
        replace_file(Path(options.output), lambda path: save_pairs(path, result))
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


def _settings(options: argparse.Namespace) -> Settings:
    """Collect the flags that were given; the preset fills the rest."""
    names = {spec.name for spec in dataclasses.fields(Settings)} - {"preset", "levels"}
    given = {
        name: value for name, value in vars(options).items() if name in names and value is not None
    }
    if options.user_dictionary:
        given["user_words"] = word_list(Path(options.user_dictionary))
    if options.levels:
        given["levels"] = level_list(Path(options.levels))
    return Settings.of(options.preset, **given)


def _rule(options: argparse.Namespace, settings: Settings) -> Score | None:
    """Return the rule of the combined score, None where nothing asks for it."""
    if not (options.metadata or options.metadata_csv or options.name_pattern):
        return None
    kind = METADATA[options.metadata or "jaccard"]
    return Score(mu_content=options.mu, term=options.term, similarity=kind, bits=settings.bits)


def _items(
    documents: Sequence[Document], options: argparse.Namespace, t: Translate
) -> list[frozenset[str]]:
    """Return the metadata items of each document; report how many have none."""
    table = Path(options.metadata_csv) if options.metadata_csv else None
    items = metadata_items(documents, pattern=options.name_pattern or "", table=table)
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


def _finds(result: CheckResult, share: float) -> bool:
    """Whether any text overlaps others by at least `share`, or any pair is within the threshold."""
    near = result.table.within(result.threshold, result.batch_threshold)
    return bool(near.any() or (result.total_overlap >= share).any())
