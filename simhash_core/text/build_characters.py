"""Make `characters.npz`: what each character needs and becomes, worked out once for everybody.

python -m simhash_core.text.build_characters

Only characters that the oldest supported version of Unicode has assigned: of those neither folding
nor composition ever changes. Others are learnt where they occur.
"""

from __future__ import annotations

import sys
import unicodedata

import numpy as np

from .flat import CHARACTERS, UNKNOWN, CharacterTable

MOST = 0x20000  # above lie Han of one form each, and what is dropped


def build_table() -> dict[str, np.ndarray]:
    """Return the arrays of the file: kinds, what differs from itself, and longer forms."""
    table = CharacterTable(known=False)
    points = [
        point for point in range(MOST) if unicodedata.category(chr(point)) not in ("Cn", "Cs")
    ]
    table.kinds(np.array(points, np.int32))
    kind = table.kind[:MOST]
    changed = np.flatnonzero((table.fold[:MOST] != np.arange(MOST)) & (kind != UNKNOWN))
    return {
        "kind": kind,
        "changed": changed.astype(np.int32),
        "fold": table.fold[changed],
        "longer": table.longer[: table.rows],
    }


if __name__ == "__main__":
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("made with Python 3.11, whose Unicode is the oldest that is supported")
    made = build_table()
    np.savez_compressed(
        CHARACTERS,
        kind=made["kind"],
        changed=made["changed"],
        fold=made["fold"],
        longer=made["longer"],
    )
