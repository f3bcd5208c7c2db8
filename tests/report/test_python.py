"""The lines of Python that a page offers give what the page shows."""

from __future__ import annotations

import pytest

from simhash_core import Settings, check, gather, read, view_at_threshold
from simhash_core.report import cluster_lines, threshold_lines
from simhash_core.report.python import settings_call
from tests.prose import english


def run(lines: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    exec(compile(lines, "lines", "exec"), {})
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings.of("strict", bits=64),
        Settings(bits=32, weighting="uniform", min_tokens=1, user_words=("鲁迅'\"",)),
        Settings(preset="classic", threshold=5, levels=(("词", 3),)),
    ],
)
def test_settings_are_written_as_the_call_that_makes_them(settings):
    assert eval(settings_call(settings), {"Settings": Settings}) == settings


def test_a_plain_call_is_short():
    assert settings_call(Settings()) == "Settings(preset='essays')"


def test_clusters_and_thresholds_are_those_of_the_check(tmp_path, monkeypatch, capsys):
    (tmp_path / "texts").mkdir()
    for n in range(6):
        text = english(n // 2, 200) + english(50 + n, 20 * n)
        (tmp_path / "texts" / f"{n}.txt").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    documents, _ = read(gather([tmp_path / "texts"])[0])
    result = check(documents)
    k = result.threshold
    groups = view_at_threshold(result, k).clusters
    assert run(cluster_lines(result.settings, k), capsys) == [
        " ".join(documents[row].name for row in group.members) for group in groups
    ]
    top = min(result.complete_up_to, 90)
    printed = [line.split() for line in run(threshold_lines(result.settings, top), capsys)]
    views = [view_at_threshold(result, k) for k in range(top + 1)]
    assert [(int(k), int(pairs), int(groups)) for k, pairs, groups, _ in printed] == [
        (k, int(view.within.sum()), len(view.clusters)) for k, view in enumerate(views)
    ]
