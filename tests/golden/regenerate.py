"""Write the golden files anew and print what changed: python tests/golden/regenerate.py [RUN...]"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    """Make every golden run, or those named, and keep what it lists."""
    sys.path[:0] = [str(Path(__file__).resolve().parents[level]) for level in (1, 2)]
    from golden import snapshot, written
    from golden.runs import RUNS, run

    for name in sys.argv[1:] or [*RUNS, *written.WRITTEN]:
        if name in written.WRITTEN:
            lines = written.write(name)
            print(f"{name}: {len(lines)} lines", *written.differences(written.load(name), lines),
                  sep="\n")  # fmt: skip
            written.save(name, lines)
            continue
        taken = snapshot.snapshot(*run(name))
        changes = snapshot.differences(snapshot.load(name), taken)
        snapshot.save(name, taken)
        print(f"{name}: {len(taken['pairs'])} pairs, {len(changes)} changes", *changes, sep="\n")


if __name__ == "__main__":
    main()
