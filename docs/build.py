"""Builds the documents in both languages; a warning is an error.

python docs/build.py [FOLDER]      the reference, then HTML into FOLDER (docs/_build)

It needs the extra `docs`. What is written depends on nothing but this checkout and fetches nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
#: they write pages of docs/reference and docs/zh/reference
WRITERS = ("command_line.py", "python_reference.py", "tables.py")


def main(folder: Path) -> int:
    """Write the reference, build English and then Chinese below it; return an exit code."""
    for script in WRITERS:
        subprocess.run([sys.executable, DOCS / script], check=True)
    for language, source, target in (("en", DOCS, folder), ("zh_CN", DOCS / "zh", folder / "zh")):
        built = subprocess.run(
            [
                *(sys.executable, "-m", "sphinx", "-b", "html", "-c", DOCS),
                *("-W", "--keep-going", "-q", "-d", folder / ".doctrees" / language),
                *(source, target),
            ],
            env={**os.environ, "LEITONG_DOCS_LANGUAGE": language},
            check=False,
        )
        if built.returncode:
            return built.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else DOCS / "_build"))
