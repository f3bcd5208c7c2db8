"""python -m simhash_core = the command line."""

import sys

from .machine.isolation import import_path

if __name__ == "__main__":
    sys.path[:] = import_path()  # `python -m` put the current folder first
    from .cli import main

    sys.exit(main())
