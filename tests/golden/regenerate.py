"""Write the golden files anew and print what changed: python tests/golden/regenerate.py"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[level]) for level in (1, 2)]

from golden import snapshot  # noqa: E402  found by the line above
from golden.collection import SIZES, collection  # noqa: E402


def main() -> None:
    """Check every golden batch and keep what it lists."""
    for size in SIZES:
        batch = collection(size)
        taken = snapshot.snapshot(batch, snapshot.checked(batch))
        changes = snapshot.differences(snapshot.load(size), taken)
        snapshot.save(size, taken)
        print(
            f"{size} texts: {len(taken['pairs'])} pairs, {len(changes)} changes", *changes, sep="\n"
        )


if __name__ == "__main__":
    main()
