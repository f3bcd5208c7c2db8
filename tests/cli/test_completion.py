"""Completion as the shells themselves do it; a shell that is not installed is skipped."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time

import pytest
from command_line import ROOT

#: asks bash for what it would insert behind a line, as its own key would
BASH = r"""
eval "$(leitong completion bash)"
COMP_LINE="$1" COMP_POINT=${#1} COMP_TYPE=9
read -ra COMP_WORDS <<< "$1"
[[ "$1" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
complete -p leitong >&2
_python_argcomplete leitong
printf '%s\n' "${COMPREPLY[@]}"
"""
FISH = "leitong completion fish | source; complete -C $argv[1]"
#: line -> some of what must be offered, and what must not
CASES = {
    "leitong c": ({"check", "compare", "completion"}, {"library"}),
    "leitong library re": ({"reindex", "remove", "resume"}, {"check"}),
    "leitong check --pre": ({"--preset"}, {"--project"}),
    "leitong check --preset ": ({"essays", "classic"}, {"--project"}),
    "leitong check sample_docs/READ": ({"sample_docs/README.md"}, {"--preset"}),
    "leitong library list --js": ({"--json"}, {"--lang"}),
}


@pytest.fixture
def shell(tmp_path):
    """An environment in which `leitong` is this checkout."""
    program = tmp_path / "bin" / "leitong"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m simhash_core "$@"\n', "utf-8")
    program.chmod(0o755)
    path = os.pathsep.join((str(program.parent), os.environ["PATH"]))
    given = os.environ.get("PYTHONPATH", "")
    paths = os.pathsep.join(filter(None, (str(ROOT), given)))
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "LANG": "C.UTF-8"}
    return {**os.environ, **home, "PATH": path, "PYTHONPATH": paths, "TERM": "xterm"}


def needs(name: str) -> str:
    """Return a shell; without it the test is skipped, but bash must be there where CI runs."""
    found = shutil.which(name)
    if found is None and not (os.environ.get("CI") and name == "bash"):
        pytest.skip(f"{name} is not installed")
    assert found, f"{name} is not installed"
    return found


def offered(command: list[str], environment: dict[str, str]) -> set[str]:
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return {line.split("\t")[0].strip() for line in done.stdout.splitlines()}


@pytest.mark.parametrize("line", CASES)
@pytest.mark.parametrize(
    "words",
    [("bash", "--norc", "-c", BASH, "-"), ("fish", "--no-config", "-c", FISH)],
    ids=lambda words: words[0],
)
def test_a_shell_completes(words, line, shell):
    found = offered([needs(words[0]), *words[1:], line], shell)

    expected, absent = CASES[line]
    assert expected <= found and not absent & found


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [("leitong lib\t", "leitong library "), ("leitong check --pres\t", "leitong check --preset ")],
)
def test_zsh_completes_what_is_typed(typed, becomes, shell):
    zsh = needs("zsh")
    start = 'autoload -Uz compinit; compinit -u -D; eval "$(leitong completion zsh)"; PS1=; echo up'
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [zsh, "-f", "-i"], cwd=ROOT, env=shell, stdin=child, stdout=child, stderr=child
    )
    os.close(child)
    try:
        os.write(parent, f"{start}\n".encode())
        assert "\nup" in shown(parent, until="\nup")
        os.write(parent, typed.encode())
        plain = shown(parent, until=becomes.strip().split()[-1])
    finally:
        process.kill()
        process.wait()
        os.close(parent)

    assert becomes.strip() in plain


def shown(terminal: int, *, until: str) -> str:
    """Read a terminal until it shows something, for at most a minute."""
    text, end = "", time.monotonic() + 60
    while until not in text and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 4096).decode(errors="replace").replace("\r", "")
    return text
