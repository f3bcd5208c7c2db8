"""The lines of Python that a page offers give what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from simhash_core import Settings, at_threshold, check, gather, read
from simhash_core.lab.laboratories import sweep, sweep_csv, traces
from simhash_core.report import cluster_lines, fingerprint_lines, threshold_lines
from simhash_core.report.python import settings_call
from simhash_core.seen import expected_false
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
def test_settings_are_written_as_the_call_that_makes_them(settings: Settings) -> None:
    assert eval(settings_call(settings), {"Settings": Settings}) == settings


def test_a_plain_call_is_short() -> None:
    assert settings_call(Settings()) == "Settings(preset='essays')"


def test_fingerprints_are_those_of_the_laboratory(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["岁月像一把'刻刀'，\n刻在脸上。", 'the cat """sat""" on the mat']
    settings = Settings(bits=64, min_tokens=1)
    printed = run(fingerprint_lines(texts, settings), capsys)
    wanted = [
        "".join("1" if bit else "0" for bit in one.explanation.bits)
        for one in traces(texts, settings=settings)
    ]
    assert printed[:2] == wanted
    assert "distance=" in printed[2]
    assert run(fingerprint_lines(texts[:1], settings), capsys) == wanted[:1]


def test_clusters_and_thresholds_are_those_of_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    for n in range(6):
        text = english(n // 2, 200) + english(50 + n, 20 * n)
        (tmp_path / "texts" / f"{n}.txt").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    documents, _ = read(gather([tmp_path / "texts"])[0])
    result = check(documents)
    k = result.threshold
    groups = at_threshold(result, k).clusters
    assert run(cluster_lines(result.settings, k), capsys) == [
        " ".join(documents[row].name for row in group.members) for group in groups
    ]
    top, swept = min(result.complete_up_to, 90), sweep(result)
    printed = [line.split() for line in run(threshold_lines(result.settings, top), capsys)]
    assert [(int(k), int(pairs), int(groups)) for k, pairs, groups, _ in printed] == [
        (k, int(swept.pairs[k]), int(swept.clusters[k])) for k in range(top + 1)
    ]
    written = sweep_csv(result, swept, top).split("\r\n")
    assert len(written) == top + 3
    assert written[k + 1].split(",")[:2] == [str(k), str(int(swept.pairs[k]))]
    assert float(written[k + 1].split(",")[4]) == pytest.approx(expected_false(result, k), rel=1e-5)
