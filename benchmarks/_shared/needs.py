"""What a benchmark needs and this machine may lack: one line says what, and where it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType

PEERS = "pip install -r benchmarks/requirements.txt"


class Missing(SystemExit):
    """A package or data that a benchmark needs is not here; the message is one line."""


def package(name: str, *, install: str = PEERS) -> ModuleType:
    """Import a package, or say how it is installed."""
    try:
        return import_module(name)
    except ImportError:
        raise Missing(f"needs the package {name}: {install}") from None


def is_here(name: str) -> bool:
    """Return whether a peer can be imported: without it its column stays empty."""
    try:
        import_module(name)
    except ImportError:
        return False
    return True


def corpora() -> Path:
    """Return the folder of the development corpora."""
    return Path(os.environ.get("LEITONG_CORPORA", "../shared/data"))


def corpus_files(*patterns: str) -> list[Path]:
    """Return the files of the development corpora that match any of some patterns."""
    root = corpora()
    paths = [path for pattern in patterns for path in sorted(root.glob(pattern)) if path.is_file()]
    if not paths:
        raise Missing(
            f"needs texts: set LEITONG_CORPORA to a folder that holds {' or '.join(patterns)}"
        )
    return paths


def text_files(folder: Path, *, least: int = 1) -> list[Path]:
    """Return the files of a folder, at all depths."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    if len(paths) < least:
        raise Missing(f"needs a folder of at least {least} texts: {folder} holds {len(paths)}")
    return paths


def labelled(root: Path) -> Path:
    """Return a collection in PAN layout."""
    if not (root / "pairs").exists():
        raise Missing(f"needs a collection in PAN layout (pairs, src, susp): {root} is none")
    return root


def enough(texts: Iterable[str], characters: int) -> str:
    """Join texts, which must have so many characters."""
    joined = "".join(texts)
    if len(joined) < characters:
        raise Missing(f"needs {characters:,} characters of text, got {len(joined):,}")
    return joined
