"""What commands on stored checks take: `projects`, `report`, `app`, `serve`, `backup` and kin."""

from __future__ import annotations

import argparse

from ...i18n import Translate
from ...settings import PRESETS
from . import values
from .values import choice_option, common_options, json_option, output_option, path_options, whole

_LAST_PORT = 65535


def projects(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong projects`"""
    json_option(parser, t)
    kinds = parser.add_subparsers(dest="action", metavar=t("cli.action"))

    def action(name: str) -> argparse.ArgumentParser:
        note = t(f"cli.projects_{name}")
        added: argparse.ArgumentParser = kinds.add_parser(name, help=note, description=note)
        common_options(added, t)
        return added

    listing = action("list")
    listing.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help=t("cli.json")
    )
    action("verify").add_argument(
        "projects", metavar="PROJECT", nargs="*", help=t("cli.projects_some")
    )
    for name in ("rename", "duplicate", "delete"):
        added = action(name)
        added.add_argument("project", metavar="ID", help=t("cli.project_id"))
        if name == "rename":
            added.add_argument("name", metavar="NAME", help=t("cli.project_name"))
    forgetting = action("forget")
    forgetting.add_argument("person", metavar="NAME", help=t("cli.forget_person"))
    forgetting.add_argument("--number", default="", metavar="N", help=t("cli.forget_number"))
    where = forgetting.add_mutually_exclusive_group(required=True)
    where.add_argument("--class", dest="group", metavar="NAME", help=t("cli.forget_class"))
    where.add_argument("--project", metavar="PROJECT", help=t("cli.forget_project"))


def report(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong report`"""
    parser.add_argument("project", metavar="PROJECT", help=t("cli.report_project"))
    parser.add_argument(
        "--kind", choices=values.REPORT_KINDS, default="class", help=t("cli.report_kind")
    )
    parser.add_argument(
        "--text", action="append", default=[], metavar="NAME", help=t("cli.report_text")
    )
    parser.add_argument("--format", choices=values.REPORT_FORMATS, help=t("cli.format"))
    output_option(parser, t("cli.output_report"))
    parser.add_argument("--title", default="", help=t("cli.title"))
    for name in ("group", "task", "teacher"):
        option = "class" if name == "group" else name
        parser.add_argument(
            f"--{option}", dest=name, metavar="NAME", help=t(f"cli.report_{option}")
        )
    parser.add_argument("--anonymous", action="store_true", help=t("cli.anonymous"))
    parser.add_argument("--preview", action="store_true", help=t("cli.preview"))
    for name in ("keep", "replace"):
        parser.add_argument(
            f"--{name}",
            type=values.numbers(t),
            default=(),
            metavar="N,...",
            help=t(f"cli.preview_{name}"),
        )


def app(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong app`"""
    parser.add_argument("files", nargs="*", metavar="FILE", help=t("cli.app_file"))
    parser.add_argument(
        "--port", type=values.whole(t, 1, _LAST_PORT), metavar="N", help=t("cli.port")
    )


def desktop(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong desktop`"""
    app(parser, t)


def serve(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong serve`"""
    parser.add_argument("file", metavar="FILE", help=t("cli.serve_file"))
    parser.add_argument("--host", default="127.0.0.1", help=t("cli.serve_host"))
    parser.add_argument(
        "--port", type=values.whole(t, 1, _LAST_PORT), default=8581, metavar="N", help=t("cli.port")
    )
    parser.add_argument("--people", action="store_true", help=t("cli.serve_people"))
    parser.add_argument("--forget", metavar="PERSON", help=t("cli.serve_forget"))


def backup(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong backup`"""
    parser.add_argument("file", metavar="FILE", help=t("cli.backup_file"))


def restore(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong restore`"""
    backup(parser, t)


def completion(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong completion`"""
    parser.add_argument("shell", choices=values.SHELLS, help=t("cli.shell"))


# --------------------------------------------------------------------------- libraries
def library(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong library`"""
    _library_options(parser, t, None, off=False)
    kinds = parser.add_subparsers(required=True, dest="action", metavar=t("cli.action"))

    def action(name: str, *, collection: int | str = 0) -> argparse.ArgumentParser:
        note = t(f"cli.library_{name}")
        added: argparse.ArgumentParser = kinds.add_parser(name, help=note, description=note)
        common_options(added, t)
        _library_options(added, t, argparse.SUPPRESS, off=argparse.SUPPRESS)
        if collection:
            help_ = t("cli.library_collection")
            added.add_argument("collection", nargs=collection, metavar="COLLECTION", help=help_)
        return added

    add = action("add", collection=1)
    path_options(add, t, note=t("cli.library_paths"))
    _reading_options(add, t)
    update = action("update", collection=1)
    path_options(update, t, note=t("cli.library_update_paths"))
    _reading_options(update, t)
    update.add_argument("--remove-gone", action="store_true", help=t("cli.library_remove_gone"))
    watch = action("watch", collection=1)
    watch.add_argument("folder", metavar="FOLDER", help=t("cli.library_folder"))
    _reading_options(watch, t)
    action("list", collection="?")
    _search(action("search"), t)
    remove = action("remove", collection=1)
    remove.add_argument(
        "--key", type=whole(t, 1), action="append", metavar="N", help=t("cli.library_key")
    )
    purge = action("purge", collection="?")
    purge.add_argument("--checks", action="store_true", help=t("cli.library_purge_checks"))
    action("verify")
    export = action("export")
    export.add_argument("folder", metavar="FOLDER", help=t("cli.library_export_folder"))
    _collection_option(export, t)
    import_ = action("import")
    import_.add_argument("folder", metavar="FOLDER", help=t("cli.library_import_folder"))
    action("backup").add_argument("file", metavar="FILE", help=t("cli.library_backup_file"))
    again = action("reindex")
    again.add_argument(
        "--preset", choices=tuple(PRESETS), default="essays", help=t("settings.preset.label")
    )
    again.add_argument("--freeze", action="store_true", help=t("cli.library_freeze"))
    action("sentences")
    action("jobs")
    for name in ("resume", "cancel"):
        action(name).add_argument("job", type=whole(t, 1), metavar="N", help=t("cli.library_job"))
    action("stats")


def _library_options(
    parser: argparse.ArgumentParser, t: Translate, default: object, *, off: object
) -> None:
    parser.add_argument(
        "--library", metavar="ADDRESS", default=default, help=t("cli.library_address")
    )
    parser.add_argument("--json", action="store_true", default=off, help=t("cli.json"))


def _search(search: argparse.ArgumentParser, t: Translate) -> None:
    search.add_argument("words", metavar="WORDS", help=t("cli.library_words"))
    search.add_argument("--text", action="store_true", help=t("cli.library_text"))
    search.add_argument(
        "--limit", type=whole(t, 1), default=50, metavar="N", help=t("cli.library_limit")
    )
    _collection_option(search, t)


def _reading_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument("--people", metavar="PATTERN", help=t("cli.library_people"))
    parser.add_argument("--class-list", metavar="FILE", help=t("cli.class_list"))
    parser.add_argument("--metadata", metavar="FILE", help=t("cli.library_metadata"))
    parser.add_argument("--whole-pages", action="store_true", help=t("cli.library_whole_pages"))
    parser.add_argument("--encoding", default="", metavar="NAME", help=t("settings.encoding.label"))
    choice_option(parser, t, "ocr")


def _collection_option(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument(
        "--collection", metavar="COLLECTION", action="append", help=t("cli.library_collection")
    )


# --------------------------------------------------------------------------- the web
def web(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong web`"""
    kinds = parser.add_subparsers(required=True, dest="action", metavar=t("cli.action"))

    def action(name: str) -> argparse.ArgumentParser:
        note = t(f"cli.web_{name}")
        added: argparse.ArgumentParser = kinds.add_parser(name, help=note, description=note)
        common_options(added, t)
        return added

    search = action("search")
    path_options(search, t)
    search.add_argument("--service", metavar="ADDRESS", default="", help=t("cli.web_address"))
    search.add_argument("--dry-run", action="store_true", help=t("cli.web_dry_run"))
    search.add_argument("--yes", action="store_true", help=t("cli.web_yes"))
    search.add_argument(
        "--each", type=whole(t, 1), default=None, metavar="N", help=t("cli.web_each")
    )
    search.add_argument(
        *("--without", "-x"),
        type=whole(t, 1),
        action="append",
        default=[],
        metavar="N",
        help=t("cli.web_without"),
    )
    search.add_argument(
        "--delay", type=whole(t, 0), default=None, metavar="S", help=t("cli.web_delay")
    )
    search.add_argument("--collection", metavar="COLLECTION", help=t("cli.web_collection"))
    search.add_argument("--library", metavar="ADDRESS", help=t("cli.library_address"))
    json_option(search, t)
    service = action("service")
    service.add_argument("address", nargs="?", metavar="ADDRESS", help=t("cli.web_set"))
    service.add_argument("--off", action="store_true", help=t("cli.web_off"))
    log = action("log")
    log.add_argument("--delete", action="store_true", help=t("cli.web_delete"))
    json_option(log, t)
