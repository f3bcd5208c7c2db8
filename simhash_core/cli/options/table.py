"""The form of the table of commands and options, and how a parser takes a row of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ...i18n import Translate
from .values import Reader


class Option(NamedTuple):
    """One option or argument of a command.

    Parameters
    ----------
    names      as they are typed, `-o --output`; an argument has the one without dashes
    key        of its help in the catalogues
    metavar    stands for the value in help
    read       makes a value of the word; `WrongValue` where it is none
    flag       takes no value
    repeated   may be given several times: a list
    const      takes no value and puts this into the list `dest`
    nargs      how many words it takes: a number, ?, * or +
    exclusive  one of the options that are marked so has to be given, and only one
    group      key of the heading it stands under
    params     of the help
    """

    names: str
    key: str
    metavar: str | None = None
    read: Reader | None = None
    default: Any = None
    choices: Iterable[str] | None = None
    flag: bool = False
    repeated: bool = False
    const: object = None
    dest: str | None = None
    nargs: int | str | None = None
    required: bool = False
    exclusive: bool = False
    group: str = ""
    params: Mapping[str, object] = MappingProxyType({})

    def build_arguments(self, t: Translate) -> dict[str, Any]:
        """Return what argparse has to know of it, beside its names."""
        actions = {"append_const": self.const, "store_true": self.flag, "append": self.repeated}
        given = {
            "help": t(self.key, **self.params).replace("%", "%%"),
            "action": next((action for action, asked in actions.items() if asked), None),
            "default": [] if self.repeated and self.default is None else self.default,
            "const": self.const,
            "dest": self.dest,
            "metavar": self.metavar,
            "type": self.read,
            "choices": self.choices,
            "nargs": self.nargs,
            "required": self.required or None,
        }
        return {name: value for name, value in given.items() if value is not None}


class Command(NamedTuple):
    """A command, or a group of commands: what it takes, and what runs it.

    Parameters
    ----------
    module            of the command line, with the function of the command's name
    actions           its own commands, and what each takes
    action            the attribute that names the one that is given
    action_optional   it runs without one of them too
    gone              options that were, and what is written instead
    shown             the options that its help shows, the others stand in that of `leitong help`;
                      empty for all
    examples          command lines that its help ends with
    """

    module: str
    options: tuple[Option, ...] = ()
    actions: Mapping[str, tuple[Option, ...]] = MappingProxyType({})
    action: str = "action"
    action_optional: bool = False
    gone: Mapping[str, str] = MappingProxyType({})
    shown: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


def declare(parser: argparse.ArgumentParser, options: Iterable[Option], t: Translate) -> None:
    """Let a parser take some options."""
    places: dict[str, Any] = {"": parser}
    either = None
    for option in options:
        if option.group not in places:
            places[option.group] = parser.add_argument_group(t(option.group))
        place = places[option.group]
        if option.exclusive:
            place = either = either or parser.add_mutually_exclusive_group(required=True)
        place.add_argument(*option.names.split(), **option.build_arguments(t))


def copy_without_defaults(*options: Option) -> tuple[Option, ...]:
    """Return options of a group of commands for a command of it: not given, they say nothing."""
    return tuple(option._replace(default=argparse.SUPPRESS) for option in options)
