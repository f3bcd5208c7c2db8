"""What the bundle runs: the command line, the window, and the children of both."""

import os
import sys
from pathlib import Path

from simhash_core.machine.isolation import CHILD, call


def main() -> int:
    """Run a child's function, or the command line; without a command, show the window."""
    _forget_libraries()
    arguments = sys.argv[1:]
    if arguments[:1] == [CHILD]:
        call(*arguments[1:])
        return 0
    from simhash_core.cli import main as command_line
    from simhash_core.cli.parser import COMMANDS

    # a double click gives nothing, files dropped on the program give their paths
    if not arguments or (arguments[0] not in COMMANDS and Path(arguments[0]).exists()):
        arguments = ["desktop", *arguments]
    return command_line(arguments)


def _forget_libraries() -> None:
    """Let other programs, such as a browser, load the libraries of their system.

    The bundle is started with a search path for its own, which this process has read by now; a
    child is told to make one for itself.
    """
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    for name in ("LD_LIBRARY_PATH", "LIBPATH"):
        os.environ.pop(name, None)
        if before := os.environ.pop(f"{name}_ORIG", None):
            os.environ[name] = before


if __name__ == "__main__":
    sys.exit(main())
