"""`leitong serve`: a server for several people."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from ..app.department import VARIABLE
from ..app.server import TICK, AppFailed, run_server
from ..cli.options.commands import PORT
from ..cli.options.table import Command, Option
from ..cli.output import remark
from ..errors import BadInput
from ..folders import private_folder, state_folder
from ..i18n import Translate
from ..signs import make_printable
from . import department
from .department import Person

COMMAND = Command(
    __name__,
    (
        Option("file", "cli.serve_file", "FILE"),
        Option("--host", "cli.serve_host", default="127.0.0.1"),
        PORT._replace(default=8581),
        Option("--people", "cli.serve_people", flag=True),
        Option("--forget", "cli.serve_forget", "PERSON"),
    ),
)


def serve(options: argparse.Namespace, t: Translate) -> int:
    """`leitong serve FILE`: run until a signal ends it."""
    path = Path(options.file).resolve()
    here = department.read(path)
    if options.people:
        rows = [_row(person, t) for person in department.people()]
        print(*rows or [t("cli.nobody_signed_in")], sep="\n")
        return 0
    if options.forget:
        return _forget(options, t)
    department.require_private_secrets(path)
    department.may_listen(here, options.host)
    os.environ[VARIABLE] = str(path)
    log = private_folder(state_folder()) / f"serve-{options.port}.log"
    with run_server(options.port, log=log, host=options.host) as server:
        remark(t("cli.serving", url=server.url, address=here.address), options)
        while not server.ended():
            time.sleep(TICK)
    raise AppFailed("the server ended", log=str(log))


def _row(person: Person, t: Translate) -> str:
    seen = person.seen.strftime("%Y-%m-%d %H:%M")
    return f"{_describe_person(person, t)}\t{seen}\t{person.megabytes:.1f} MB\t{person.id}"


def _describe_person(person: Person, t: Translate) -> str:
    """Return what a person is called, and whether nobody vouches for it."""
    name = make_printable(person.name)
    return name if person.address else t("server.unverified", name=name)


def _forget(options: argparse.Namespace, t: Translate) -> int:
    """Delete all of one person: of several, or of one who calls themselves like an address, none.

    Names are chosen by whoever has them; only an id, or an address, says who is meant.
    """
    asked = options.forget
    named = department.find_people(asked)
    if not named:
        remark(t("cli.person_missing", name=make_printable(asked)), options)
        return 1
    person = named[0]
    known = person.address or person.id == asked or "@" not in asked
    if len(named) > 1 or not known:
        print(*(_row(one, t) for one in named), sep="\n", file=sys.stderr)
        raise BadInput("which_one", name=asked)
    size = f"{person.megabytes:.1f}"
    department.forget(person)
    remark(t("cli.person_forgotten", name=_describe_person(person, t), size=size), options)
    return 0
