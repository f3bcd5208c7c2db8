"""Words and meaning together: which pairs are drawn, and what either finds."""

from __future__ import annotations

from pathlib import Path

from simhash_core.lab.measurements.meaning import drawn, union_table
from simhash_core.lab.measurements.pan import PanPair, Stretch, write_detections
from tests.prose import english


def test_no_text_is_drawn_twice() -> None:
    pairs = [PanPair("01", a, b) for a in ("a1", "a2", "a3") for b in ("b1", "b2")]
    pairs.append(PanPair("02", "a3", "b9"))

    assert [one[1:] for one in map(_ends, drawn(pairs, 5))] == [
        ("a1", "b1"),
        ("a2", "b2"),
        ("a3", "b9"),
    ]
    assert len(drawn(pairs, 1)) == 2


def _ends(pair: PanPair) -> tuple[str, str, str]:
    return pair.group, pair.suspicious, pair.source


def test_copies_are_found_by_words_and_clean_pairs_are_not(
    tmp_path: Path, sentence_vectors: None
) -> None:
    copied = english(9, 120)
    texts = {name: english(seed, 300) for seed, name in enumerate(("a", "b", "c", "d"))}
    start = {name: len(texts[name]) + 2 for name in ("a", "b")}
    for name in start:
        texts[name] += "\n\n" + copied
    for name, text in texts.items():
        folder = tmp_path / ("susp" if name in "ac" else "src")
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.txt").write_text(text, "utf-8")
    for group, a, b in (("01-clean", "c", "d"), ("02-copied", "a", "b")):
        pair = PanPair(group, f"{a}.txt", f"{b}.txt")
        case = Stretch(pair.suspicious, start["a"], start["a"] + len(copied), pair.source,
                       start["b"], start["b"] + len(copied))  # fmt: skip
        write_detections(tmp_path, pair, [case] if "copied" in group else [])
        (tmp_path / group / "pairs").write_text(f"{a}.txt {b}.txt\n", "utf-8")
        path = tmp_path / group / f"{a}-{b}.xml"
        path.write_text(path.read_text().replace("detected-plagiarism", "plagiarism"), "utf-8")

    clean, found = union_table([tmp_path], pairs=3, progress=lambda *_: None).rows

    assert clean[1:] == ("01-clean", 1, 0, 0, 0, 0, None, None, 0, 0)
    assert found[1:7] == ("02-copied", 1, 1, 1, 0, 1)
    assert found[7] == found[8] > 0.9
