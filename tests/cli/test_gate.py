"""Files given beside the texts, and patterns: whatever they are, one line and an exit code."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from command_line import ESSAYS, ROOT, leitong

from simhash_core.cli.parser import COMMANDS
from simhash_core.errors import BadInput
from simhash_core.people.names import PATTERNS, guess_authors, guess_pattern
from simhash_core.policy import PATTERN_SECONDS

A, B = sorted(ESSAYS.glob("*.txt"))[:2]
#: every option and argument that takes a file which is no text to be compared
BESIDE = [
    ("check", A, B, "--class-list", "{}"),
    ("compare", A, B, "--metadata", "table={}"),
    ("check", A, B, "--set", "levels={}"),
    ("check", A, B, "--set", "user-words={}"),
    ("fingerprint", A, "--set", "user-words={}"),
    ("check", A, B, "--template", "{}"),
    ("check", A, B, "--project", "{}"),
    ("report", "{}"),
    ("pairs", "{}", "-k", "3"),
    *([("evaluate", "labels", "{}")] if "evaluate" in COMMANDS else []),
    ("text", "{}"),
    ("library", "add", "c", A, "--class-list", "{}"),
    ("library", "add", "c", "{}"),
]
#: those of them that are read in a worker, to a limit
LIMITED = [
    ("check", A, B, "--class-list", "{}"),
    ("compare", A, B, "--metadata", "table={}"),
    ("check", A, B, "--set", "levels={}"),
]
IDS = ["-".join(str(word) for word in words if str(word)[:1] != "/") for words in BESIDE]


@pytest.fixture
def pipe(tmp_path):
    """A pipe that nobody writes to; its name is one of every kind of file."""
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    return path


def one_line(done: subprocess.CompletedProcess[str], *, code: int = 4) -> str:
    assert done.returncode == code, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("leitong: ") and "Traceback" not in line
    return line


@pytest.mark.parametrize("words", BESIDE, ids=IDS)
def test_a_pipe_is_not_waited_for(words, pipe):
    done = leitong(*(str(word).format(pipe) for word in words))

    line = one_line(done)
    assert pipe.name in line
    assert "ordinary file" in line or "cannot be read" in line


@pytest.mark.parametrize("words", LIMITED, ids=str)
def test_devices_large_and_missing_files_are_said(words, tmp_path):
    line = one_line(leitong(*(str(word).format("/dev/zero") for word in words)))
    assert "ordinary file" in line
    # a file that is too large is said
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(30 * 2**20)
    line = one_line(leitong(*(str(word).format(large) for word in words)))
    assert "large.csv" in line and "Larger than" in line
    # a file that is missing is said
    missing = tmp_path / "none.csv"
    line = one_line(leitong(*(str(word).format(missing) for word in words)), code=2)
    assert "none.csv" in line and "No such file" in line


def test_a_pipe_among_the_references_is_a_named_row(pipe):
    done = leitong("check", A, B, "--against", pipe)

    assert done.returncode == 3
    assert "ordinary file" in done.stderr


@pytest.mark.slow
def test_a_table_that_fills_memory_ends_its_worker_alone(tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text("name,a\n" + "x,y\n" * (5 * 2**20 - 3), "utf-8")

    limited = subprocess.run(
        [
            *(sys.executable, "-m", "simhash_core", "compare", A, B),
            *("--metadata", f"table={table}", "--lang", "en"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    line = one_line(limited)
    assert "rows.csv" in line and ("memory" in line or "unread" in line)


def test_words_and_levels_are_read_in_any_encoding_and_a_bad_line_is_named(tmp_path):
    words, levels = tmp_path / "words.txt", tmp_path / "levels.txt"
    words.write_bytes("机器学习\n数据挖掘\n".encode("gb18030"))
    levels.write_bytes("机器\t3\n学习\t2\n".encode("utf-16"))
    done = leitong("compare", A, B, "--set", f"user-words={words}", "--set", f"levels={levels}")
    assert done.returncode == 0, done.stderr
    # a line that is no level is named
    levels = tmp_path / "levels.txt"
    levels.write_text("机器\t3\nno level\n", "utf-8")
    line = one_line(leitong("compare", A, B, "--set", f"levels={levels}"))
    assert "levels.txt" in line and "no level" in line


# --------------------------------------------------------------------------- patterns

NAMES = [f"{'a' * 200}{number:04d}" for number in range(2_000)]
SLOW = {
    "slow together": r"(?P<person>(a+)+)$",
    "never ends": r"^(?P<person>(x+x+)+y)$|^(a|aa|(x|x)*)*$",
    "alternatives": "(?P<person>" + "|".join(f"{n:04d}" + "b" * 1_496 for n in range(3_000)) + ")",
}


@pytest.mark.long
@pytest.mark.parametrize("pattern", SLOW.values(), ids=SLOW)
def test_one_limit_holds_for_a_pattern_and_all_names(pattern):
    guess_authors(["a"], "(?P<person>.)")  # the workers have started
    begun = time.monotonic()
    with pytest.raises(BadInput) as caught:
        guess_authors(NAMES, pattern)

    assert caught.value.code == "people_slow"
    assert len(str(caught.value.params["pattern"])) <= 80
    assert time.monotonic() - begun < 4 * PATTERN_SECONDS  # a busy machine


@pytest.mark.parametrize("depth", [3_000, 100_000])
def test_a_pattern_that_is_nested_too_deep_is_refused(depth):
    with pytest.raises(BadInput) as caught:
        guess_authors(["a"], "(?P<person>" + "(" * depth + "a" + ")" * depth + ")")

    assert caught.value.code in ("people_pattern", "people_slow")


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("check", ("--people", SLOW["never ends"])),
        ("compare", ("--metadata", r"names=^(?P<name>(a|aa|(x|x)*)*)$")),
    ],
)
def test_the_command_line_says_it_in_one_sentence(command, option, tmp_path):
    paths = [tmp_path / f"{'x' * 60}{number}.txt" for number in range(2)]
    for path, source in zip(paths, (A, B), strict=True):
        path.write_bytes(source.read_bytes())

    assert "make it simpler" in one_line(leitong(command, *paths, *option))


def test_nested_brackets_on_the_command_line():
    pattern = "(?P<person>" + "(" * 3_000 + "a" + ")" * 3_000 + ")"

    line = one_line(leitong("check", A, B, "--people", pattern), code=2)

    assert len(line) < 300


@pytest.mark.long
def test_long_names_are_recognised_or_left_alone_in_time():
    long = ["一" * 60_000 + f"_{number}.txt" for number in range(20)]
    begun = time.monotonic()

    assert guess_pattern(long) in ("", *PATTERNS)
    assert len(guess_authors(long)) == len(long)
    assert time.monotonic() - begun < 8 * PATTERN_SECONDS
