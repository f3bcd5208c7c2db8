"""Every command with what it takes. Nothing that runs a command is imported here."""

from __future__ import annotations

from collections.abc import Mapping

from ...extensions import list_offers
from ...i18n import LANGUAGES
from ...settings import PRESETS
from . import values
from .table import Command, Option, copy_without_defaults
from .values import numbers, one_of, output, share, some_of, whole

PROFILES = ("default", *list_offers("profiles"))
#: what every command takes, before the command and behind it
COMMON = (
    Option("--lang", "cli.lang", read=values.language, choices=LANGUAGES),
    Option("-q --quiet", "cli.quiet", flag=True),
)

# --------------------------------------------------------------------------- what several take
PORT = Option("--port", "cli.port", "N", whole(1, 65535))
JSON = Option("--json", "cli.json", flag=True)
LIBRARY = Option("--library", "cli.library_address", "ADDRESS")
OUTPUT = Option("-o --output", "cli.output", "FILE", output)
_TITLE = Option("--title", "cli.title", default="")
_ANONYMOUS = Option("--anonymous", "cli.anonymous", flag=True)
_CLASS_LIST = Option("--class-list", "cli.class_list", "FILE")
_TEXT = Option("file", "cli.text_file", "FILE")
_STDIN = {"name": "stdin.txt"}
_STDIN_NAME = Option(
    "--stdin-name", "cli.stdin_name", "NAME", default=_STDIN["name"], params=_STDIN
)
PATH = Option("paths", "cli.paths", "PATH", nargs="*")
LISTED = (
    Option("--files-from", "cli.files_from", "FILE"),
    Option("-0 --null", "cli.null", flag=True),
    _STDIN_NAME,
)
AGAINST = Option("--against", "cli.against", "PATH|LIBRARY[:COLLECTION]", repeated=True)
_PRESET = Option("--preset", "cli.preset", choices=tuple(PRESETS))
_SET = Option("--set", "cli.set", "NAME=VALUE", values.SETTINGS, repeated=True)
_READING = (
    Option("--encoding", "settings.encoding.label", "NAME", default=""),
    Option("--ocr", "settings.ocr.label", choices=("auto", "on", "off"), default="auto"),
)
_TABLES = "cli.engine_group"
_ENGINE = Option("--engine", "cli.engine", "NAME", group=_TABLES)
_OF_CHECK = one_of(tuple(list_offers("engines")), family="engines")
_OF_PAIRS = one_of(("local", *list_offers("pairs")))
_MASTER = Option("--master", "cli.master", "URL", default="local[*]", group=_TABLES)
_CLUSTER = (_MASTER,) if list_offers("pairs") else ()

# --------------------------------------------------------------------------- checks
_PEOPLE = {"names": ", ".join(values.PEOPLE)}
_EXCLUDED, _ZONES = some_of(values.ZONES), {"kinds": ", ".join(values.ZONES)}
_SCOPE = "cli.scope_group"
_CHECK = (
    *(PATH, *LISTED, AGAINST),
    Option("--only-against", "cli.only_against", flag=True),
    Option("--template", "cli.template", "FILE", repeated=True),
    Option("--format", "cli.format", choices=values.CHECK_FORMATS),
    *(OUTPUT._replace(key="cli.output_check"), _TITLE, _ANONYMOUS),
    Option("--fail-on", "cli.fail_on", "SHARE", share),
    Option("--project", "cli.project", "FILE"),
    Option("--from", "cli.from", "FILE", dest="stored_check"),
    *(_PRESET, _SET),
    Option("--translated", "settings.translated.label", const=("translated", True), dest="set"),
    Option("--people", "cli.people", "PATTERN", group=_SCOPE, params=_PEOPLE),
    _CLASS_LIST._replace(group=_SCOPE),
    Option("--exclude", "cli.exclude", "LIST", _EXCLUDED, (), group=_SCOPE, params=_ZONES),
    Option("--min-match", "cli.min_match", "N", whole(0, 500), default=0, group=_SCOPE),
    *(_ENGINE._replace(read=_OF_CHECK), *_CLUSTER),
)
_COMPARE = (
    Option("a", "cli.text_file", "A"),
    Option("b", "cli.text_file", "B"),
    *(_STDIN_NAME, JSON, _PRESET, _SET),
    Option("--metadata", "cli.metadata", "NAME=VALUE", values.METADATA, repeated=True),
)
_FINGERPRINT = (
    *(PATH, *LISTED),
    Option(
        "--profile", "cli.profile", choices=("default", *list_offers("profiles")), default="default"
    ),
    Option("--explain", "cli.explain", flag=True),
    *(JSON, _PRESET, _SET),
)
_PAIRS = (
    Option("fingerprints", "cli.fingerprints", "FINGERPRINTS.npy"),
    Option("-k", "cli.k", "K", whole(0), required=True),
    *(OUTPUT._replace(metavar="PAIRS.npz"), _ENGINE._replace(read=_OF_PAIRS), *_CLUSTER),
)
#: options that were no settings, and what is written instead
_GONE = {"--user-dictionary": "--set user-words=FILE"}
_GONE_COMPARE = _GONE | {
    "--metadata-csv": "--metadata table=FILE",
    "--name-pattern": "--metadata names=REGEX",
}
#: what most people need of the options of a check
_SHOWN = (
    *("--against", "--only-against", "--template", "--class-list", "--exclude"),
    *("--preset", "--set", "--translated", "--fail-on"),
    *("--format", "--output", "--anonymous", "--project", "--from"),
)
_EXAMPLES = ("leitong check essays/", "leitong check class.zip --template task.docx -o report.html")
_GONE_CHECK = _GONE | {
    "--add": "--from FILE",
    "--memory": "LEITONG_MEMORY=4GB leitong check",
    **dict.fromkeys(("--common-share", "--leave-out-common"), "--template FILE"),
    **dict.fromkeys(
        ("--metadata", "--metadata-csv", "--name-pattern", "--mu", "--term"),
        "leitong compare A B --metadata NAME=VALUE",
    ),
}

# --------------------------------------------------------------------------- stored checks
_APP = (Option("files", "cli.app_file", "FILE", nargs="*"), PORT)
_BACKUP = (Option("file", "cli.backup_file", "FILE"),)
_PROJECT = Option("project", "cli.project_id", "ID")
_PROJECTS: Mapping[str, tuple[Option, ...]] = {
    "list": copy_without_defaults(JSON),
    "verify": (Option("projects", "cli.projects_some", "PROJECT", nargs="*"),),
    "rename": (_PROJECT, Option("name", "cli.project_name", "NAME")),
    "duplicate": (_PROJECT,),
    "delete": (_PROJECT,),
    "forget": (
        Option("person", "cli.forget_person", "NAME"),
        Option("--number", "cli.forget_number", "N", default=""),
        Option("--class", "cli.forget_class", "NAME", dest="group", exclusive=True),
        Option("--project", "cli.forget_project", "PROJECT", exclusive=True),
    ),
}
_REPORT = (
    Option("project", "cli.report_project", "PROJECT"),
    Option("--kind", "cli.report_kind", choices=values.REPORT_KINDS, default="class"),
    Option("--text", "cli.report_text", "NAME", repeated=True),
    Option("--format", "cli.format", choices=values.REPORT_FORMATS),
    *(OUTPUT._replace(key="cli.output_report"), _TITLE),
    Option("--class", "cli.report_class", "NAME", dest="group"),
    Option("--task", "cli.report_task", "NAME"),
    Option("--teacher", "cli.report_teacher", "NAME"),
    _ANONYMOUS,
    Option("--preview", "cli.preview", flag=True),
    Option("--keep", "cli.preview_keep", "N,...", numbers, default=()),
    Option("--replace", "cli.preview_replace", "N,...", numbers, default=()),
)

# --------------------------------------------------------------------------- libraries
_COLLECTION = Option("collection", "cli.library_collection", "COLLECTION", nargs=1)
_COLLECTIONS = Option("--collection", "cli.library_collection", "COLLECTION", repeated=True)
_JOB = Option("job", "cli.library_job", "N", whole(1))
_IMPORTING = (
    Option("--people", "cli.library_people", "PATTERN"),
    _CLASS_LIST,
    Option("--metadata", "cli.library_metadata", "FILE"),
    Option("--whole-pages", "cli.library_whole_pages", flag=True),
    *_READING,
)
_REMOVE_GONE = Option("--remove-gone", "cli.library_remove_gone", flag=True)
_UPDATED = PATH._replace(key="cli.library_update_paths")
_LIBRARY_ACTIONS: Mapping[str, tuple[Option, ...]] = {
    "add": (_COLLECTION, PATH._replace(key="cli.library_paths"), *LISTED, *_IMPORTING),
    "update": (_COLLECTION, _UPDATED, *LISTED, *_IMPORTING, _REMOVE_GONE),
    "watch": (_COLLECTION, Option("folder", "cli.library_folder", "FOLDER"), *_IMPORTING),
    "list": (_COLLECTION._replace(nargs="?"),),
    "search": (
        Option("words", "cli.library_words", "WORDS"),
        Option("--text", "cli.library_text", flag=True),
        Option("--limit", "cli.library_limit", "N", whole(1), default=50),
        _COLLECTIONS,
    ),
    "remove": (Option("what", "cli.library_removable", "COLLECTION [N ...]", nargs="+"),),
    "purge": (
        _COLLECTION._replace(nargs="?"),
        Option("--checks", "cli.library_purge_checks", flag=True),
    ),
    "verify": (),
    "export": (Option("folder", "cli.library_export_folder", "FOLDER"), _COLLECTIONS),
    "import": (Option("folder", "cli.library_import_folder", "FOLDER"),),
    "backup": (Option("file", "cli.library_backup_file", "FILE"),),
    "reindex": (_PRESET._replace(key="settings.preset.label", default="essays"),),
    "sentences": (),
    "jobs": (),
    "resume": (_JOB,),
    "cancel": (_JOB,),
    "stats": (),
}

#: every command in the order of the help; its own stands under the key `cli.<command>`, that of an
#: action under `cli.<command>_<action>`
COMMANDS: Mapping[str, Command] = {
    "check": Command("commands", _CHECK, gone=_GONE_CHECK, shown=_SHOWN, examples=_EXAMPLES),
    "compare": Command(
        "commands", _COMPARE, gone=_GONE_COMPARE, examples=("leitong compare a.docx b.pdf",)
    ),
    "text": Command("commands", (_TEXT, _STDIN_NAME, *_READING)),
    "fingerprint": Command(
        "commands", _FINGERPRINT, gone=_GONE, examples=("leitong fingerprint a.txt --explain",)
    ),
    "settings": Command("commands", (_PRESET,)),
    "pairs": Command("commands", _PAIRS),
    "app": Command("commands", _APP),
    "desktop": Command("commands", _APP),
    "backup": Command("projects", _BACKUP),
    "restore": Command("projects", _BACKUP),
    "projects": Command("projects", (JSON,), _PROJECTS, action_optional=True),
    "report": Command(
        "reports", _REPORT, examples=("leitong report class.leitong --kind confirmed -o cases.pdf",)
    ),
    "library": Command(
        *("library", (LIBRARY, JSON)),
        {
            name: (*copy_without_defaults(LIBRARY, JSON), *own)
            for name, own in _LIBRARY_ACTIONS.items()
        },
    ),
    "formats": Command("commands", (JSON,)),
    "help": Command("parser", (Option("topic", "cli.topic", "COMMAND", nargs="*"),)),
    "version": Command("parser"),
    "completion": Command("parser", (Option("shell", "cli.shell", choices=values.SHELLS),)),
}
