"""The command line: `leitong` = `python -m simhash_core`.

Exit codes: 0 done, 1 findings (only with --fail-on), 2 usage, 3 done but some files were
skipped, 4 failed, 70 an unexpected error, 129, 130 and 131 ended by a signal, 141 whoever read the
output left. Data goes to standard output, progress and errors to standard error.
"""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Sequence

from ..errors import (
    BadInput,
    Cancelled,
    InvalidSettings,
    LeitongError,
    StoreError,
    Unreadable,
    WorkerFailed,
)
from ..i18n import Translate, negotiate, translator
from ..signs import make_printable
from .output import STANDARD_OUTPUT, finish_output, fit_name
from .parser import Mistake, answer, build, parse_arguments, runner

USAGE, FAILED, INTERRUPTED = 2, 4, 130
UNEXPECTED = 70  # EX_SOFTWARE of sysexits.h; 1 would mean findings

COMPLETING = "_ARGCOMPLETE"  # environment: a shell asks what may stand at the cursor

#: what contradicts itself or names something that is not there: the command line is wrong, and
#: nothing was tried
_USAGE_CODES = frozenset(
    (
        *("anonymous_format", "report_ending"),
        *("engine_options", "engine_output", "exclusion", "exclusion_range"),
        *("library_alone", "memory", "name_pattern", "no_collection", "no_collection_meant"),
        *(
            "import_again",
            "no_import",
            "no_library",
            "no_paths",
            "no_text",
            "no_texts",
            "nobody",
            "nobody_in_check",
            "null_alone",
        ),
        *("only_against", "people_pattern", "phrase_short", "preview_numbers", "report_rows"),
        "secret_open",
        "from_elsewhere",
        "remove_from",
        *("server_logins", "server_missing", "server_open", "server_tls", "server_toml"),
        *("server_unknown", "server_value", "backup_exists", "backup_foreign", "backup_full"),
        *("standard_input_once", "store_missing", "watch_against", "watch_folder"),
        *("which_check", "which_one", "which_person", "which_text"),
        *("web_none", "web_number", "web_off", "web_service", "web_unseen"),
    )
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; Ctrl-C is the caller's to handle."""
    _plain_pipes()
    words = sys.argv[1:] if arguments is None else arguments
    language = _language(words)
    t = translator(language)
    if COMPLETING in os.environ:
        answer(t)
    try:
        try:
            options = parse_arguments(build(t), words)
            options.language = language
            return runner(options.command)(options, t)
        finally:
            sys.stdout.flush()
    except Mistake as error:
        return _fail(make_printable(str(error)), USAGE)
    except InvalidSettings as error:
        return _fail(t("error.invalid_settings", problems=str(error)), USAGE)
    except Cancelled:
        return _fail(t("error.cancelled"), INTERRUPTED)
    except Unreadable as error:
        reason = t(f"notes.{error.code}", **error.params)
        return _fail(t("error.unreadable", name=fit_name(error.file), reason=reason), FAILED)
    except WorkerFailed as error:
        return _fail(t(f"error.{error.code}", **error.params), UNEXPECTED)
    except (BadInput, StoreError) as error:
        code = USAGE if error.code in _USAGE_CODES else FAILED
        return _fail(make_printable(t(f"error.{error.code}", **error.params)), code)
    except LeitongError as error:
        return _fail(make_printable(t(f"error.{error.code}", **error.params)), FAILED)
    except BrokenPipeError:
        raise
    except (FileNotFoundError, NotADirectoryError) as error:
        return _fail(_not_there(error, t), USAGE)
    except OSError as error:
        if error.filename == STANDARD_OUTPUT:
            finish_output()
        return _fail(_of_system(error, t), FAILED)


def say(arguments: Sequence[str] | None, key: str, **params: object) -> None:
    """Print a sentence about a command that did not come to its end."""
    finish_output()
    words = sys.argv[1:] if arguments is None else arguments
    _fail(translator(_language(words))(key, **params), FAILED)


def _of_system(error: OSError, t: Translate) -> str:
    """Say what the system reports, and of which file where it names one."""
    reason = make_printable(error.strerror or str(error)) or type(error).__name__
    if error.filename == STANDARD_OUTPUT:
        return t("error.file", name=t("cli.standard_output"), reason=reason)
    name = make_printable(_name_error(error))
    return t("error.file", name=name, reason=reason) if name else t("error.system", reason=reason)


def _name_error(error: OSError) -> str:
    """Return the file that an error names, "" where it names none, or only a number."""
    name = error.filename
    return os.fsdecode(name) if isinstance(name, str | bytes | os.PathLike) else ""


def _not_there(error: OSError, t: Translate) -> str:
    """Say which file is missing, and which one beside where it should be has a name like it."""
    from pathlib import Path

    from .options.values import find_nearest

    name, sentence = _name_error(error), _of_system(error, t)
    if not name:
        return sentence
    try:
        beside = [path.name for path in Path(name).parent.iterdir()]
    except OSError:
        return sentence
    meant = find_nearest(Path(name).name, beside)
    return (
        t("usage.file_meant", sentence=sentence, meant=make_printable(meant)) if meant else sentence
    )


def _language(words: Sequence[str]) -> str:
    """Find the language before the parser that needs it is built."""
    given = ""
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == "--lang":
            given = value if equals else "".join(words[place + 1 : place + 2])
    system = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0]
    return negotiate(given or system)


def _plain_pipes() -> None:
    """Write UTF-8 whatever the console's code page; names may hold what UTF-8 cannot."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _fail(message: str, code: int) -> int:
    print(f"leitong: {message}", file=sys.stderr)
    return code
