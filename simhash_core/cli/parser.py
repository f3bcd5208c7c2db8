"""The parser of the command line: help in the user's language, one sentence for a mistake.

What a command takes and which module runs it is a row of the table in `options.commands`; nothing
that runs a command is imported before it runs.
"""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Never

from ..extensions import extension, list_offers
from ..i18n import Translate
from ..version import __version__
from .options.commands import COMMANDS as OURS
from .options.commands import COMMON
from .options.table import Command, copy_without_defaults, declare
from .options.values import Named, WrongValue, find_nearest, refuse_choice

PROGRAM = "leitong"
#: names of all commands, those of leaves last
COMMANDS = (*OURS, *list_offers("commands"))

Run = Callable[[argparse.Namespace, Translate], int]

#: what argparse says, and our sentence: its words are the same in every version we run on
_MISTAKES = (
    (r"the following arguments are required: (?P<names>.*)", "usage.missing"),
    (r"argument (?P<option>.+): expected .*argument.*", "usage.no_value"),
    (r"argument (?P<option>.+): ignored explicit argument '?(?P<value>.*?)'?", "usage.no_argument"),
    (r"argument (?P<a>.+): not allowed with argument (?P<b>.+)", "usage.not_together"),
    (r"ambiguous option: (?P<option>.+) could match (?P<options>.+)", "usage.ambiguous"),
    (r"argument (?P<option>.+?): (?P<sentence>.*)", "usage.of_option"),
)


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
        self.whole = False  # help shows every option
        self.gone: Mapping[str, str] = {}
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
        name, self.command = self.command, ""
        if not name:
            return
        command = command_of(name)
        self.gone = command.gone
        declare(self, command.options, self.t)
        self._shorten_help(command)
        if command.actions:
            heading = self.t(f"cli.{command.action}")
            kinds = self.add_subparsers(
                required=not command.action_optional, dest=command.action, metavar=heading
            )
            for action, options in command.actions.items():
                _add_command(kinds, action, f"cli.{name}_{action}", self.t)
                declare(kinds.choices[action], options, self.t)

    def _shorten_help(self, command: Command) -> None:
        """Leave to `leitong help` the options that few need, and end the help with examples."""
        options = [one for one in self._actions if one.option_strings]
        left = [one for one in options if not set(command.shown) & set(one.option_strings)]
        lines = [self.t("cli.examples"), *(f"  {one}" for one in command.examples)]
        if command.shown and not self.whole:
            for action in left:
                action.help = argparse.SUPPRESS
            lines += ["", self.t("cli.more_options", n=len(left), command=self.prog.split()[-1])]
        if command.examples:
            self.epilog = "\n".join(lines)

    def error(self, message: str) -> Never:
        """Raise the sentence for what argparse found wrong."""
        for pattern, key in _MISTAKES:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                raise Mistake(self.t(key, command=self.prog, **match.groupdict()))
        raise Mistake(message)

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """Read a value; of what cannot be read the sentence is said."""
        try:
            return super()._get_value(action, text)
        except WrongValue as wrong:
            self._refuse(action, wrong)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is none of the choices."""
        if action.choices is not None and value not in action.choices:
            self._refuse(action, refuse_choice(value, action.choices))

    def _refuse(self, action: argparse.Action, wrong: WrongValue) -> Never:
        """Raise the sentence on a value, behind what it is of; a name to choose from says that."""
        sentence = self.t(wrong.key, **wrong.params)
        if action.choices is not None and not action.option_strings:
            raise Mistake(sentence)
        option = "/".join(action.option_strings) or str(action.metavar or action.dest)
        named = f"{option} {wrong.name}".rstrip()
        raise Mistake(self.t("usage.of_option", option=named, sentence=sentence))

    def _refuse_unknown(self, words: Sequence[str]) -> None:
        """Refuse a long option that is neither one of ours nor the beginning of one."""
        options = [name for name in self._option_string_actions if name.startswith("--")]
        for place, word in enumerate(words):
            name, _, value = word.partition("=")
            if word == "--" or (self._subparsers is not None and not word.startswith("-")):
                return  # what follows is no option, or the command's
            if not name.startswith("--") or " " in word:
                continue
            if any(option.startswith(name) for option in options):
                continue
            if instead := self._find_replacement(name, value or "".join(words[place + 1 :][:1])):
                raise Mistake(self.t("usage.gone", option=name, instead=instead))
            raise Mistake(say_no_option(self, name))

    def _find_replacement(self, name: str, value: str) -> str:
        """Return what is written for an option that is gone or a setting, "" for any other."""
        if name in self.gone:
            return self.gone[name]
        for action in self._actions:
            if isinstance(action.type, Named):
                named = action.type.find_replacement(name, "" if value.startswith("-") else value)
                if named:
                    return f"{action.option_strings[-1]} {named}"
        return ""


class _Help(argparse.HelpFormatter):
    """Help whose headings are in the user's language."""

    def __init__(self, t: Translate, prog: str, **given: Any) -> None:
        super().__init__(prog, **given)
        self._t = t

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Write the line of usage."""
        heading = self._t("cli.usage") if prefix is None else prefix
        super().add_usage(usage, actions, groups, heading)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wrap each line of a description or an end; those that are set in stay as they are."""
        fill, lines = super()._fill_text, text.split("\n")
        return "\n".join(one if one[:1] == " " else fill(one, width, indent) for one in lines)


def build(t: Translate, *, whole: bool = False) -> Parser:
    """Return the parser of the command line; `whole` where every command has to be known."""
    parser = Parser(t, prog=PROGRAM, description=t("cli.description"), epilog=t("cli.exit_codes"))
    parser.add_argument("-h", "--help", action="help", help=t("cli.help_option"))
    declare(parser, COMMON, t)
    parser.add_argument(
        "--version", action="version", version=f"leitong {__version__}", help=t("cli.version")
    )
    commands = parser.add_subparsers(required=True, metavar=t("cli.command"))
    for name in COMMANDS:
        added = _add_command(commands, name, f"cli.{name}", t)
        added.command, added.whole = name, whole
        added.set_defaults(command=name, parser=added)
        if whole:
            added.complete()
    return parser


def _add_command(commands: Any, name: str, key: str, t: Translate) -> Parser:
    """Add a command, or a command of one, that takes what all of them take."""
    note = t(key)
    added: Parser = commands.add_parser(name, help=note, description=note)
    added.add_argument("-h", "--help", action="help", help=t("cli.help_option"))
    declare(added, copy_without_defaults(*COMMON), t)
    return added


def command_of(name: str) -> Command:
    """Return what a command takes and what runs it, ours or that of a leaf."""
    command: Command = OURS.get(name) or extension("commands", name)
    return command


def runner(command: str) -> Run:
    """Return what runs a command."""
    name = command_of(command).module
    module = importlib.import_module(name if "." in name else f".{name}", __package__)
    run: Run = getattr(module, command)
    return run


def parse_arguments(parser: Parser, arguments: Sequence[str] | None) -> argparse.Namespace:
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
            raise Mistake(say_no_option(owner, left[0].partition("=")[0]))
        raise Mistake(owner.t("usage.too_many", command=owner.prog, value=left[0]))
    return options


def say_no_option(parser: Parser, name: str) -> str:
    """Say that a command has no such option, and which one may be meant."""
    t, options = parser.t, list(parser._option_string_actions)
    if meant := find_nearest(name, options):
        return str(t("usage.no_option_meant", command=parser.prog, name=name, meant=meant))
    return str(t("usage.no_option", command=parser.prog, name=name))


# --------------------------------------------------------------------------- help, completion


def help(options: argparse.Namespace, t: Translate) -> int:
    """`leitong help [COMMAND]`: every option, also those that `--help` leaves out."""
    parser: argparse.ArgumentParser = build(t, whole=True)
    for word in options.topic:
        groups = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        choices: dict[str, argparse.ArgumentParser] = groups[0].choices if groups else {}
        if word not in choices:
            wrong = refuse_choice(word, choices)
            raise Mistake(t(wrong.key, **wrong.params))
        parser = choices[word]
    parser.print_help()
    return 0


def version(options: argparse.Namespace, t: Translate) -> int:
    """`leitong version`, as `--version`."""
    print(f"leitong {__version__}")
    return 0


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
