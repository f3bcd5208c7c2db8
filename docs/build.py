"""Builds the documents in both languages; a warning is an error.

python docs/build.py [FOLDER]      the reference, then HTML into FOLDER (docs/_build)

It needs the extra `docs`. What is written depends on nothing but this checkout and fetches nothing.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
#: they write pages of docs/reference and docs/zh/reference, which are not committed
WRITERS = ("command_line.py", "python_reference.py", "tables.py")


def written() -> dict[Path, str]:
    """Return every file that is made from the code, with its content."""
    made: dict[Path, str] = {}
    for script in WRITERS:
        made |= runpy.run_path(str(DOCS / script))["written"]()
    return made


def main(folder: Path) -> int:
    """Write the reference, build English and then Chinese below it; return an exit code."""
    for path, content in written().items():
        path.write_text(content, "utf-8")
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
