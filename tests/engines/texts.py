"""Small collections: Chinese and English, copies, rewordings, and what is no text."""

from __future__ import annotations

import json
import random
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"


def rows(n: int, *, seed: int = 1) -> list[dict[str, str]]:
    """Return n texts of paragraphs of the samples, a tenth of them copies, and three bad ones."""
    draw = random.Random(seed)
    files = sorted(path for path in SAMPLES.rglob("*") if path.suffix in (".txt", ".md"))
    lines = [line for path in files for line in path.read_text("utf-8", "replace").split("\n")]
    paragraphs = [line for line in lines if len(line) > 60]
    made: list[dict[str, str]] = []
    for number in range(n):
        kind = draw.random()
        text = "\n".join(draw.choice(paragraphs) for _ in range(draw.randint(3, 9)))
        if made and kind < 0.1:
            text = draw.choice(made)["text"]
        elif made and kind < 0.3:
            half = draw.choice(made)["text"].split("\n")
            text = "\n".join([*half[: len(half) // 2 + 1], draw.choice(paragraphs)])
        made.append({"name": f"{draw.random():.6f}-{number}", "text": text})
    short = "如有雷同，纯属巧合。"
    bad = [("short a", short), ("short b", short), ("empty", "")]
    return [*made, *({"name": name, "text": text} for name, text in bad)]


def write(path: Path, texts: list[dict[str, str]]) -> Path:
    """Write texts as JSON Lines."""
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in texts), "utf-8")
    return path
