"""The command line as a user meets it: real processes, real files."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import ESSAYS, ROOT, leitong, leitong_alone
from prose import english

from simhash_core.text.lengths import count_units


@pytest.fixture(scope="module")
def essays():
    done = leitong_alone("check", ESSAYS, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _truth(folder: Path) -> list[dict[str, str]]:
    path = folder.parent / "truth" / f"{folder.name}.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _found(result: dict) -> set[frozenset[str]]:
    return {frozenset((pair["a"], pair["b"])) for pair in result["pairs"]}


@pytest.mark.long
def test_check_finds_every_copy_of_the_class_in_the_agreed_shape(essays):
    truth = _truth(ESSAYS)
    related = {frozenset((row["a"], row["b"])) for row in truth}
    copies = {frozenset((row["a"], row["b"])) for row in truth if row["relation"] != "patchwork"}
    assert copies <= _found(essays)
    assert _found(essays) <= related | _closure(related)
    # json has the agreed shape
    assert essays["schema"] == "leitong.check/2"
    parts = {"settings", "documents", "skipped", "pairs", "clusters", "guarantees", "timings"}
    assert parts <= set(essays)
    for document in essays["documents"]:
        assert {"name", "id", "chars", "fingerprint", "total_overlap"} <= set(document)
        assert len(document["fingerprint"]) == 64
    for pair in essays["pairs"]:
        assert {"a", "b", "distance", "cosine", "coverage_a", "coverage_b", "longest"} <= set(pair)
        for passage in pair["passages"]:
            assert {"a_start", "a_end", "b_start", "b_end", "kind", "score"} <= set(passage)


def _closure(pairs: set[frozenset[str]]) -> set[frozenset[str]]:
    """Two copies of one text are copies of each other."""
    joined = set(pairs)
    for first in pairs:
        joined |= {first ^ second for second in pairs if len(first ^ second) == 2}
    return joined


def test_offsets_index_the_text_command(essays):
    """Identical passages read from `leitong text` at the reported places."""
    pair = next(p for p in essays["pairs"] if any(q["kind"] == "identical" for q in p["passages"]))
    texts = {side: leitong("text", ESSAYS / pair[side]).stdout for side in ("a", "b")}
    lengths = {document["name"]: document["chars"] for document in essays["documents"]}
    assert [len(texts[s]) for s in ("a", "b")] == [lengths[pair[s]] for s in ("a", "b")]
    passage = next(q for q in pair["passages"] if q["kind"] == "identical")
    for side in ("a", "b"):
        span = texts[side][passage[f"{side}_start"] : passage[f"{side}_end"]]
        assert span == span.strip() and span


def test_reposts_are_found_and_unrelated_chapters_are_not():
    folder = ESSAYS.parent / "reposts"
    done = leitong("check", folder, "--preset", "reposts", "--format", "json")

    assert done.returncode == 0, done.stderr  # nothing in a sample is unreadable
    related = {frozenset((row["a"], row["b"])) for row in _truth(folder)}
    found = _found(json.loads(done.stdout))
    assert found <= related
    assert len(found & related) >= 0.9 * len(related)


def test_against_compares_with_references_but_not_among_them(tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    for folder, names in (
        (new, ("02-林晓雨.txt", "06-赵一诺.txt")),
        (old, ("17-許文軒.docx", "01-陈思远.docx", "12-黄嘉怡.pdf")),
    ):
        folder.mkdir()
        for name in names:
            (folder / name).write_bytes((ESSAYS / name).read_bytes())

    done = leitong("check", new, "--against", old, "--format", "json")

    result = json.loads(done.stdout)
    assert _found(result) == {frozenset(("02-林晓雨.txt", "17-許文軒.docx"))}
    assert [d["reference"] for d in result["documents"]] == [False, False, True, True, True]


def test_template_text_counts_nowhere(tmp_path):
    """Two answers that share only the question stop sharing anything once it is given."""
    question = (ESSAYS / "21-郑可欣.txt").read_text("utf-8")[:300]
    (tmp_path / "question.txt").write_text(question, "utf-8")
    hand_ins = tmp_path / "hand-ins"
    hand_ins.mkdir()
    for name in ("02-林晓雨.txt", "19-孙浩然.txt"):
        body = (ESSAYS / name).read_text("utf-8")
        (hand_ins / name).write_text(question + "\n\n" + body, "utf-8")

    plain = json.loads(leitong("check", hand_ins, "--format", "json").stdout)
    given = ("--template", tmp_path / "question.txt", "--format", "json")
    told = json.loads(leitong("check", hand_ins, *given).stdout)

    assert plain["pairs"][0]["longest"] >= 0.97 * count_units(question)
    assert all(not pair["passages"] for pair in told["pairs"])
    notes = told["documents"][0]["notes"]
    assert any(note["code"] == "template" and note["start"] == 0 for note in notes)


def test_a_task_that_most_texts_hold_is_one_passage(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    task = english(99, 60)
    for number in range(8):
        given = task if number < 6 else ""
        (folder / f"{number}.txt").write_text(f"{given}\n\n{english(number, 150)}", "utf-8")

    done = leitong("--lang", "en", "check", str(folder))

    assert "1 passage stands in three or more texts" in done.stdout
    assert "  1  6 texts" in done.stdout
    assert "15 more pairs share no text that only two hold" in " ".join(done.stdout.split())


def test_bad_file_is_named_and_the_others_go_on(tmp_path):
    for name in ("02-林晓雨.txt", "06-赵一诺.txt"):
        (tmp_path / name).write_bytes((ESSAYS / name).read_bytes())
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 not a zip")

    done = leitong("check", tmp_path, "--format", "json")

    result = json.loads(done.stdout)
    assert done.returncode == 3
    assert {row["name"]: row["code"] for row in result["skipped"]} == {
        "empty.txt": "empty",
        "broken.docx": "damaged",
    }
    assert len(result["documents"]) == 2
    assert "empty.txt: It is empty" in done.stderr
    # messages speak the chosen language
    done = leitong("check", tmp_path, language="zh")
    assert "内容是空的" in done.stderr and "重合是线索" in done.stdout


@pytest.mark.parametrize(
    ("given", "words"), [("zh-TW", "純文字"), ("zh-CN", "纯文本"), ("en_GB", "plain text")]
)
def test_a_language_is_understood_by_the_name_that_systems_give(given, words):
    assert words in leitong("formats", language=given).stdout


@pytest.mark.long
def test_fail_on_findings(tmp_path):
    same, other = ESSAYS / "02-林晓雨.txt", ESSAYS / "06-赵一诺.txt"
    (tmp_path / "a.txt").write_bytes(same.read_bytes())
    (tmp_path / "b.txt").write_bytes(other.read_bytes())
    assert leitong_alone("check", tmp_path, "--fail-on", "0.5").returncode == 0

    (tmp_path / "c.txt").write_bytes(same.read_bytes())
    assert leitong_alone("check", tmp_path, "--fail-on", "0.5").returncode == 1


def test_compare_and_fingerprint_explain_every_bit():
    done = leitong("compare", ESSAYS / "02-林晓雨.txt", ESSAYS / "06-赵一诺.txt", "--json")
    found = json.loads(done.stdout)
    assert found["distance"] == len(found["differing_bits"])
    assert sum(block["differing"] for block in found["blocks"]) == found["distance"]
    assert sum(block["width"] for block in found["blocks"]) == found["bits"]
    # fingerprint explains every bit exactly
    how = ("--explain", "--json", "--set", "bits=64")
    done = leitong("fingerprint", ESSAYS / "02-林晓雨.txt", *how)
    (document,) = json.loads(done.stdout)["documents"]
    value = int(document["fingerprint"], 16)
    for bit in document["bits"]:
        assert sum(vote for _, vote in bit["words"]) == bit["sum"]
        assert bit["value"] == (bit["sum"] > 0) == (value >> (63 - bit["bit"]) & 1)


@pytest.mark.long
def test_pairs_reads_and_writes_arrays(tmp_path):
    words = np.array([0b0000, 0b0011, 0b0000, 0b1111], np.uint64)
    np.save(tmp_path / "prints.npy", words)

    done = leitong_alone("pairs", tmp_path / "prints.npy", "-k", "2", "-o", tmp_path / "pairs.npz")

    assert done.returncode == 0, done.stderr
    found = np.load(tmp_path / "pairs.npz")
    assert found["group"].tolist() == [0, 1, 0, 3]
    assert list(zip(found["left"], found["right"], found["distance"], strict=True)) == [
        (0, 1, 2),
        (1, 3, 2),
    ]


def test_csv_cells_never_start_a_formula(tmp_path):
    text = (ESSAYS / "02-林晓雨.txt").read_bytes()
    for name in ("=cmd.txt", "+1.txt"):
        (tmp_path / name).write_bytes(text)

    done = leitong("check", tmp_path, "--format", "csv", "-o", tmp_path / "pairs.csv")

    assert done.returncode == 0, done.stderr
    rows = list(csv.reader((tmp_path / "pairs.csv").open(encoding="utf-8-sig", newline="")))
    assert len(rows) == 2
    assert {rows[1][0], rows[1][1]} == {"'=cmd.txt", "'+1.txt"}


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_ends_at_once_and_leaves_no_process(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")
    for number in range(300):
        (tmp_path / f"{number}.txt").write_bytes((ESSAYS / "02-林晓雨.txt").read_bytes() * 30)
    process = subprocess.Popen(
        [sys.executable, "-m", "simhash_core", "check", str(tmp_path), "--lang", "en"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert "empty.txt" in process.stderr.readline()  # reading is over, the check has begun
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=10)

    assert process.returncode == 130
    assert "Traceback" not in errors
    with pytest.raises(ProcessLookupError):
        for _ in range(200):
            os.killpg(process.pid, 0)
            subprocess.run([sys.executable, "-c", ""], check=True)
