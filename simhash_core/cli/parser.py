"""The parser of the command line: help in the user's language, one sentence for a mistake.

The seam of the command line lies here: a command is declared, with the module and the function
that run it, and nothing of them is imported before it runs.
"""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Never

from ..extensions import extension, offered
from ..i18n import Translate
from ..version import __version__
from .options.values import common_options, nearest, no_choice

PROGRAM = "leitong"

Run = Callable[[argparse.Namespace, Translate], int]

#: command -> module of `options` that declares it, module of this room that runs it; in both a
#: function is called like the command. Each is imported when it is needed
_OURS = {
    "check": ("checks", "commands"),
    "compare": ("checks", "commands"),
    "reposts": ("checks", "reposts"),
    "text": ("checks", "commands"),
    "fingerprint": ("checks", "commands"),
    "pairs": ("checks", "commands"),
    "app": ("stored", "commands"),
    "desktop": ("stored", "commands"),
    "serve": ("stored", "serve"),
    "backup": ("stored", "serve"),
    "restore": ("stored", "serve"),
    "projects": ("stored", "projects"),
    "report": ("stored", "reports"),
    "library": ("stored", "library"),
    "web": ("stored", "web"),
    "formats": ("checks", "commands"),
    "completion": ("stored", "parser"),
}
#: and those of leaves, each a module with `declare` and `run`
COMMANDS = (*_OURS, *offered("commands"))

#: what argparse says, and our sentence: its words are the same in every version we run on
_MISTAKES = (
    (r"the following arguments are required: (?P<names>.*)", "usage.missing"),
    (r"argument (?P<option>.+): expected .*argument.*", "usage.no_value"),
    (r"argument (?P<option>.+): ignored explicit argument '?(?P<value>.*?)'?", "usage.no_argument"),
    (r"argument (?P<a>.+): not allowed with argument (?P<b>.+)", "usage.not_together"),
    (r"ambiguous option: (?P<option>.+) could match (?P<options>.+)", "usage.ambiguous"),
    (r"argument (?P<option>.+?): (?P<sentence>.*)", "usage.of_option"),
)

#: options that were, of the question who else holds a passage
_GONE = ("--leave-out-common", "--common-share")


class Mistake(Exception):
    """The command line cannot be understood; the text of the error is the sentence for the user."""


class Parser(argparse.ArgumentParser):
    """A parser that says one sentence for a mistake, and what may have been meant.

    What a command takes is declared when its words are read: of all commands, one runs.
    """

    def __init__(self, t: Translate, **given: Any) -> None:
        super().__init__(add_help=False, formatter_class=partial(_Help, t), **given)
        self.t = t
        self.command = ""  # what is still to be declared
        self._positionals.title = t("cli.arguments")
        self._optionals.title = t("cli.options")

    def add_subparsers(self, **given: Any) -> Any:
        """Take a command of a command."""
        made: Any = partial(Parser, self.t)  # a class would not know the language
        return super().add_subparsers(parser_class=made, **given)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the words of one command; an option it does not have is said first."""
        self.complete()
        self._refuse_unknown(args or ())
        return super().parse_known_args(args, namespace)

    def complete(self) -> None:
        """Declare what the command takes, once."""
        command, self.command = self.command, ""
        if command in _OURS:
            declared = importlib.import_module(f".options.{_OURS[command][0]}", __package__)
            getattr(declared, command)(self, self.t)
        elif command:
            extension("commands", command).declare(self, self.t)

    def error(self, message: str) -> Never:
        """Raise the sentence for what argparse found wrong."""
        for pattern, key in _MISTAKES:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                raise Mistake(self.t(key, command=self.prog, **match.groupdict()))
        raise Mistake(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is none of the choices."""
        if action.choices is None or value in action.choices:
            return
        sentence = no_choice(self.t, value, action.choices)
        if action.option_strings:
            option = "/".join(action.option_strings)
            sentence = self.t("usage.of_option", option=option, sentence=sentence)
        raise Mistake(sentence)

    def _refuse_unknown(self, words: Sequence[str]) -> None:
        """Refuse a long option that is neither one of ours nor the beginning of one."""
        options = [name for name in self._option_string_actions if name.startswith("--")]
        for word in words:
            name = word.partition("=")[0]
            if word == "--" or (self._subparsers is not None and not word.startswith("-")):
                return  # what follows is no option, or the command's
            if not name.startswith("--") or " " in word:
                continue
            if name in _GONE:
                raise Mistake(self.t("usage.gone", option=name))
            if not any(option.startswith(name) for option in options):
                raise Mistake(no_option(self, name))


class _Help(argparse.HelpFormatter):
    """Help whose headings are in the user's language."""

    def __init__(self, t: Translate, prog: str, **given: Any) -> None:
        super().__init__(prog, **given)
        self._t = t

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Write the line of usage."""
        heading = self._t("cli.usage") if prefix is None else prefix
        super().add_usage(usage, actions, groups, heading)


def build(t: Translate, *, whole: bool = False) -> Parser:
    """Return the parser of the command line; `whole` where every command has to be known."""
    parser = Parser(t, prog=PROGRAM, description=t("cli.description"), epilog=t("cli.exit_codes"))
    common_options(parser, t, first=True)
    parser.add_argument(
        "--version", action="version", version=f"leitong {__version__}", help=t("cli.version")
    )
    commands = parser.add_subparsers(required=True, metavar=t("cli.command"))
    for name in COMMANDS:
        note = t(f"cli.{name}")
        added = commands.add_parser(name, help=note, description=note)
        common_options(added, t)
        added.command = name
        added.set_defaults(command=name, parser=added)
        if whole:
            added.complete()
    return parser


def runner(command: str) -> Run:
    """Return what runs a command."""
    if command in _OURS:
        module = importlib.import_module(f".{_OURS[command][1]}", __package__)
        run: Run = getattr(module, command)
    else:
        run = extension("commands", command).run
    return run


def parsed(parser: Parser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read a command line.

    Raises
    ------
    Mistake
        Nothing can be done; the sentence says why.
    SystemExit
        Help or version was asked for.
    """
    options: argparse.Namespace
    options, left = parser.parse_known_args(arguments)
    if left:
        owner: Parser = options.parser
        if left[0].startswith("-"):
            raise Mistake(no_option(owner, left[0].partition("=")[0]))
        raise Mistake(owner.t("usage.too_many", command=owner.prog, value=left[0]))
    return options


def no_option(parser: Parser, name: str) -> str:
    """Say that a command has no such option, and which one may be meant."""
    t, options = parser.t, list(parser._option_string_actions)
    if meant := nearest(name, options):
        return str(t("usage.no_option_meant", command=parser.prog, name=name, meant=meant))
    return str(t("usage.no_option", command=parser.prog, name=name))


# --------------------------------------------------------------------------- completion


def completion(options: argparse.Namespace, t: Translate) -> int:
    """`leitong completion SHELL`: what a shell has to run once.

    In bash, zsh and fish, at every tab the shell asks this program what may follow.
    """
    from argcomplete.shell_integration import shellcode

    print(shellcode([PROGRAM], shell=options.shell))
    return 0


def answer(t: Translate) -> None:
    """Write what may stand where the cursor is, and end the program.

    Options are offered behind a dash only: elsewhere files are what is looked for.
    """
    import argcomplete

    argcomplete.autocomplete(build(t, whole=True), always_complete_options=False)
