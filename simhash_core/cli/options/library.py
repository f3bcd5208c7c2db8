"""What `library` takes, action by action."""

from __future__ import annotations

import argparse

from ...i18n import Translate
from ...settings import PRESETS
from .shared import choice_option, common_options, path_options
from .values import whole


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
