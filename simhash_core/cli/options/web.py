"""What `web` takes, action by action."""

from __future__ import annotations

import argparse

from ...i18n import Translate
from .shared import common_options, json_option, path_options
from .values import whole


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
