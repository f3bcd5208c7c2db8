"""Write the golden files anew and print what changed: python tests/golden/regenerate.py"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    """Check every golden batch and keep what it lists."""
    sys.path[:0] = [str(Path(__file__).resolve().parents[level]) for level in (1, 2)]
    from golden import snapshot
    from golden.collection import SIZES, collection

    for size in SIZES:
        batch = collection(size)
        taken = snapshot.snapshot(batch, snapshot.checked(batch))
        changes = snapshot.differences(snapshot.load(size), taken)
        snapshot.save(size, taken)
        headline = f"{size} texts: {len(taken['pairs'])} pairs, {len(changes)} changes"
        print(headline, *changes, sep="\n")


if __name__ == "__main__":
    main()
