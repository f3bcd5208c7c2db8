"""What is typed: help that starts at once, mistakes in one sentence, names that exist."""

from __future__ import annotations

import argparse
import dataclasses
import re
import runpy
import subprocess
import sys

import pytest
from command_line import ROOT, leitong, walk_parsers
from leaves import complete

from simhash_core.cli.entry import run
from simhash_core.cli.options import values
from simhash_core.cli.options.commands import COMMANDS as OURS
from simhash_core.cli.parser import COMMANDS, build, runner
from simhash_core.i18n import translator
from simhash_core.metadata import SIMILARITIES, TERMS
from simhash_core.people.names import AUTOMATIC, PATTERNS
from simhash_core.report.content import KINDS
from simhash_core.report.formats import FORMATS
from simhash_core.settings import Settings
from simhash_core.text.zones import ZONE_KINDS
from simhash_core.version import __version__

#: what is not needed to say which options there are
HEAVY = ("numpy", "scipy", "babel", "rich.console", "jieba", "simhash_core.checking.pipeline")


def mistake(words: str, capsys: pytest.CaptureFixture[str], language: str = "en") -> str:
    """Run a command line that cannot be understood; return the one sentence about it."""
    assert run([*words.split(), "--lang", language]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert not said.out
    assert line.startswith("leitong: ")
    return line.removeprefix("leitong: ")


# --------------------------------------------------------------------------- the seam


@pytest.mark.parametrize("words", ["--version", "--help", "check --help", "library --help", "chek"])
def test_nothing_is_loaded_that_runs_no_command(words):
    code = (
        "import sys\n"
        "from simhash_core.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_declared_and_run_by_a_function_of_its_name(command):
    assert runner(command).__name__ == command


def test_names_are_known_and_check_has_few_options():
    assert values.SIMILARITIES == SIMILARITIES
    assert tuple(TERMS) == values.TERMS
    assert tuple(FORMATS) == values.REPORT_FORMATS
    assert values.REPORT_KINDS == KINDS
    assert (AUTOMATIC, values.NOBODY, *PATTERNS) == values.PEOPLE
    assert tuple(name.replace("-", "_") for name in values.ZONES) == ZONE_KINDS
    # check has few options
    every = walk_parsers(build(translator("en"), whole=True))
    (check,) = (one for one in every if one.prog == "leitong check")
    options = [action for action in check._actions if action.option_strings]
    assert len(options) <= 25  # with --help
    # translated is a setting among the others
    options = build(translator("en")).parse_args(["check", "x", "--set", "bits=64", "--translated"])
    assert options.set == [("bits", 64), ("translated", True)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_argument_of_every_command_has_a_help(language):
    for parser in walk_parsers(build(translator(language), whole=True)):
        for action in parser._actions:
            if not isinstance(action, argparse._SubParsersAction):
                assert action.help, (parser.prog, action.dest)
                assert not re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", action.help), action.help
        assert parser.format_help()


def test_help_speaks_chinese_throughout():
    shown = leitong("check", "--help", language="zh").stdout

    assert shown.startswith("用法：leitong check")
    for english in ("usage", "options:", "positional", "show this"):
        assert english not in shown


# --------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("chek x", "“chek” is unknown; did you mean check?"),
        ("library lst", "“lst” is unknown; did you mean list?"),
        ("check x --presett a", "leitong check has no option --presett; did you mean --preset?"),
        ("check --quiett", "leitong check has no option --quiett; did you mean --quiet?"),
        ("library list --jsn", "leitong library list has no option --jsn; did you mean --json?"),
        ("--vresion", "leitong has no option --vresion; did you mean --version?"),
        ("check x --preset esays", "--preset: “esays” is unknown; did you mean essays?"),
        ("check x --set weighting=tfifd", "--set weighting: “tfifd” is unknown; did you mean"),
        ("check x --exclude quotation", "--exclude: “quotation” is unknown; did you mean"),
        ("completion tcsh", "“tcsh” is not one of bash, zsh, fish"),
        ("compare a b c", "leitong compare takes fewer arguments: “c” is one too many"),
        ("compare a", "leitong compare needs B; leitong compare --help says more"),
        ("pairs x.npy", "leitong pairs needs -k; leitong pairs --help says more"),
        ("check x --title", "--title needs a value"),
        ("check x --anonymous=1", "--anonymous takes no value, and “1” was given"),
        ("check x --p 1", "--p is the beginning of several options"),
        ("compare no-such-file README.md", "no-such-file: No such file"),
        ("pairs missing.npy -k 3", "missing.npy: No such file"),
        ("check --null", "--null needs --files-from"),
        ("check", "nothing to read: name a file or a folder"),
        ("check - --template -", "standard input (-) can be read only once"),
        ("compare - -", "standard input (-) can be read only once"),
        ("check x --preset newspaper", "--preset: “newspaper” is not one of essays, reposts"),
        ("check x --set bits=100", "--set bits: “100” is not one of 8, 16, 32, 64, 128, 256"),
        ("check x --set threshold=999", "--set threshold: “999” is not between 0 and 256"),
        ("check x --set strength=many", "--set strength: “many” is not a number"),
        ("check x --set passages=no", "--set passages: “no” is not one of on, off"),
        ("check x --set bit=64", "--set: “bit=64” is not NAME=VALUE with a name among preset"),
        ("check x --set bits", "--set: “bits” is not NAME=VALUE with a name among preset, bits"),
        ("check x --fail-on 30", "--fail-on: “30” is not a share; thirty percent is written 0.3"),
        ("check x --fail-on nan", "--fail-on: “nan” is not a share"),
        ("check x --common-share 0.3", "--common-share is gone: write --template FILE"),
        ("check x --leave-out-common", "--leave-out-common is gone: write --template FILE"),
        ("compare x y --metadata mu=1.5", "--metadata mu: “1.5” is not a share"),
        ("check x --min-match 501", "--min-match: “501” is not between 0 and 500"),
        ("app --port 80000", "--port: “80000” is not between 1 and 65535"),
        ("desktop --port 0", "--port: “0” is not between 1 and 65535"),
        ("library search x --limit 0", "--limit: “0” is less than 1"),
        ("library resume first", "N: “first” is not a whole number"),
        ("library resume 1.5", "N: “1.5” is not a whole number"),
        ("report p --keep a", "--keep: “a” is not a list of numbers such as 3,7,12"),
        ("pairs x.npy -k=-1", "-k: “-1” is less than 0"),
    ],
)
def test_a_mistake_is_one_sentence_with_what_is_allowed(words, sentence, capsys):
    assert mistake(words, capsys).startswith(sentence)


@pytest.mark.parametrize("setting", [spec.name for spec in dataclasses.fields(Settings)])
def test_a_setting_that_is_no_flag_says_how_it_is_written(setting, capsys):
    name = setting.replace("_", "-")
    if name == "preset":
        return
    value = "on" if isinstance(getattr(Settings(), setting), bool) else "64"

    assert mistake(f"compare x y --{name} 64", capsys) == (
        f"--{name} is gone: write --set {name}={value}"
    )


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("check x --bits=64", "--set bits=64"),
        ("check x --no-passages", "--set passages=off"),
        ("check x --min-run", "--set min-run=VALUE"),
        ("check x --user-dictionary w.txt", "--set user-words=FILE"),
        ("check x --memory 4GB", "LEITONG_MEMORY=4GB leitong check"),
        ("check x --mu 0.5", "leitong compare A B --metadata NAME=VALUE"),
        ("compare x y --mu 0.5", "--metadata mu=0.5"),
        ("compare x y --metadata-csv t.csv", "--metadata table=FILE"),
    ],
)
def test_an_option_that_is_gone_says_what_to_write_instead(words, written, capsys):
    assert mistake(words, capsys).endswith(f" is gone: write {written}")


@pytest.mark.parametrize(
    ("written", "setting"),
    [
        ("bits=64", ("bits", 64)),
        ("min-run=20", ("min_run", 20)),
        ("min_run=2e1", ("min_run", 20)),
        ("expected-false=2", ("expected_false", 2.0)),
        ("skip-same-group=on", ("skip_same_group", True)),
        ("passages=off", ("passages", False)),
        ("meaning=off", ("meaning", "off")),
        ("encoding=gb18030", ("encoding", "gb18030")),
        ("levels=a=b.txt", ("levels", "a=b.txt")),
    ],
)
def test_a_setting_is_given_by_its_name(written, setting):
    for command in (["check", "x"], ["compare", "x", "y"], ["fingerprint", "x"]):
        options = build(translator("en")).parse_args([*command, "--set", written])
        assert options.set == [setting]
        assert type(options.set[0][1]) is type(setting[1])


def test_settings_are_listed_with_bounds_and_the_values_of_a_preset(capsys):
    assert run(["settings", "--preset", "classic", "--lang", "en"]) == 0

    lines = capsys.readouterr().out.splitlines()
    names = [line.partition("=")[0].replace("-", "_") for line in lines]
    assert names == [spec.name for spec in dataclasses.fields(Settings)]
    assert " ".join(lines[1].split()) == "bits=64 Fingerprint bits [8, 16, 32, 64, 128, 256]"
    assert "threshold=3 " in lines[7] and lines[7].endswith("[0–256 bits]")
    assert "passages=on" in lines[12] and lines[12].endswith("[on, off]")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("chek", "没有“chek”；您是否想用 check？"),
        ("check x --presett a", "leitong check 没有选项 --presett；您是否想用 --preset？"),
        ("app --port 80000", "--port：“80000”不在 1 到 65535 之间"),
        ("compare a", "leitong compare 缺少 B"),
    ],
)
def test_a_mistake_is_said_in_chinese(words, sentence, capsys):
    assert mistake(words, capsys, "zh").startswith(sentence)


def test_a_missing_file_is_named_with_one_that_is_there(tmp_path, capsys):
    (tmp_path / "essays").mkdir()

    said = mistake(f"check {tmp_path}/esays", capsys)

    assert said.endswith("No such file or directory; did you mean essays?")

    assert run(["--lang", "en", "text", "--", "--presett"]) == 2
    assert "--presett: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["check {}", "fingerprint {}", "check {} --against {}"])
def test_a_folder_without_a_text_is_no_finished_check(words, tmp_path, capsys):
    (tmp_path / "empty").mkdir()

    said = mistake(words.format(*[tmp_path / "empty"] * 2), capsys)

    assert said.endswith("empty: there is no text in it")


@pytest.mark.parametrize(
    ("given", "share"), [("30%", 0.3), ("0.3", 0.3), ("３０％", 0.3), ("1", 1)]
)
def test_a_share_is_written_in_two_ways(given, share):
    parser = build(translator("en"))

    assert parser.parse_args(["check", "x", "--fail-on", given]).fail_on == pytest.approx(share)


@complete
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_stands_on_the_page_of_the_command_line(language):
    made = runpy.run_path(str(ROOT / "docs" / "command_line.py"))["commands"](language)

    for command in COMMANDS:
        assert f"\n### `leitong {command}" in made


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_of_check_shows_what_most_people_need(language, capsys):
    """Fourteen options and two examples; `leitong help check` has every option and the others."""
    with pytest.raises(SystemExit):
        run(["check", "--help", "--lang", language])
    short = capsys.readouterr().out
    assert run(["help", "check", "--lang", language]) == 0
    whole = capsys.readouterr().out

    assert len(re.findall(r"(?m)^  -", short)) == 14
    assert len(re.findall(r"(?m)^  leitong check ", short)) == 2
    assert "leitong help check" in short
    every = {name for option in OURS["check"].options for name in option.names.split()}
    assert {name for name in every if name.startswith("-")} <= set(re.findall(r"--?[\w-]+", whole))


def test_help_and_version_are_commands_too(capsys):
    assert run(["version"]) == 0
    assert capsys.readouterr().out == f"leitong {__version__}\n"
    assert run(["help", "library", "add", "--lang", "en"]) == 0
    assert "Usage: leitong library add" in capsys.readouterr().out
    assert run(["help", "chek", "--lang", "en"]) == 2
    assert "did you mean check?" in capsys.readouterr().err
