"""What commands on stored checks take: `projects`, `report`, `app`, `serve`, `backup` and kin."""

from __future__ import annotations

import argparse

from ...i18n import Translate
from . import names, values
from .shared import common_options, json_option, output_option

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
    forgetting.add_argument(
        "--class", dest="group", required=True, metavar="NAME", help=t("cli.forget_class")
    )


def report(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong report`"""
    parser.add_argument("project", metavar="PROJECT", help=t("cli.report_project"))
    parser.add_argument(
        "--kind", choices=names.REPORT_KINDS, default="class", help=t("cli.report_kind")
    )
    parser.add_argument(
        "--text", action="append", default=[], metavar="NAME", help=t("cli.report_text")
    )
    parser.add_argument("--format", choices=names.REPORT_FORMATS, help=t("cli.format"))
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
    parser.add_argument("--forget", metavar="NAME", help=t("cli.serve_forget"))


def backup(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong backup`"""
    parser.add_argument("file", metavar="FILE", help=t("cli.backup_file"))


def restore(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong restore`"""
    backup(parser, t)


def completion(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong completion`"""
    parser.add_argument("shell", choices=names.SHELLS, help=t("cli.shell"))
