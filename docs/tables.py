"""Writes the pages of settings, formats, JSON and CSV in both languages, and the JSON Schema.

`python docs/build.py` runs this.

What each key of a result means stands in fields.csv and repost_fields.csv, once; a test compares the keys with real results.
"""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from simhash_core import schemas
from simhash_core.checking.sources import format_families, formats_with_advice
from simhash_core.i18n import Translate, catalogue, translator
from simhash_core.report.columns import IN_CSV, REPORT_TABLES
from simhash_core.report.csv import NOTES
from simhash_core.settings import FROM_PRESET, PRESETS, Settings

DOCS = Path(__file__).resolve().parent
FOLDERS = {"en": DOCS / "reference", "zh": DOCS / "zh" / "reference"}
#: files with the JSON Schema of a result, of reposts
CHECK_FILE, REPOST_FILE = (
    f"{name.replace('/', '-')}.schema.json" for name in (schemas.CHECK, schemas.REPOSTS)
)
SCHEMA_FILE, REPOST_SCHEMA_FILE = (FOLDERS["en"] / name for name in (CHECK_FILE, REPOST_FILE))

#: key, type, what it is in English, in Chinese; a key without a dot is one of the whole result
Field = tuple[str, str, str, str]


def _fields(name: str) -> tuple[Field, ...]:
    with (DOCS / name).open(encoding="utf-8", newline="") as file:
        return tuple((r[0], r[1], r[2], r[3]) for r in csv.reader(file))[1:]


CHECK = _fields("fields.csv")
REPOSTS = _fields("repost_fields.csv")

_WORDS = {
    "en": {
        "settings": "Settings",
        "settings_lead": "What a check does. The name is the field of `leitong.Settings`; the command line takes `--set NAME=VALUE`, with hyphens or underscores, and `leitong settings` prints them.",
        "settings_heads": ("setting", "what it does", "allowed", "by default"),
        "of_preset": "of the preset",
        "presets": "Presets",
        "formats": "Formats",
        "formats_lead": "What `leitong formats` prints.",
        "formats_heads": ("kind", "endings"),
        "told_heads": ("endings", "what to do"),
        "json": "JSON and CSV",
        "key_heads": ("key", "type", "what it is"),
        "csv_heads": ("head", "in a spreadsheet"),
    },
    "zh": {
        "settings": "设置",
        "settings_lead": "一次检测做什么。名称是 `leitong.Settings` 的字段；命令行里写 `--set 名称=值`，连字符或下划线都可以，`leitong settings` 会列出全部。",
        "settings_heads": ("设置", "做什么", "允许的值", "默认"),
        "of_preset": "由比对方式定",
        "presets": "比对方式",
        "formats": "格式",
        "formats_lead": "与 `leitong formats` 的输出相同。",
        "formats_heads": ("种类", "扩展名"),
        "told_heads": ("扩展名", "怎么办"),
        "json": "JSON 与 CSV",
        "key_heads": ("键", "类型", "含义"),
        "csv_heads": ("列名", "在表格软件里"),
    },
}  # fmt: skip
_JSON_TEXT = {
    "en": (
        "`leitong check --format json`, `Result.to_json()` and *Complete result (JSON)* write schema "
        f"`{schemas.CHECK}`. [{CHECK_FILE}]({CHECK_FILE}) is the JSON Schema. "
        "Keys are added within a version, never renamed or removed. A type with `?` can be null: not "
        "known, or not computed. Offsets index the text that `leitong text FILE` prints.",
        "## A check",
        "A row of `passages` of the kind `meaning` or `translated` is part of no share.",
        f"`leitong compare A B --json` writes `{schemas.COMPARE}`: the keys of one pair, both texts, "
        "`cosine_interval`, `differing_bits` and the `blocks` of the index.",
        "## Reposts",
        f"`leitong reposts --json`, the desk's export and `Reposts.to_json()` write `{schemas.REPOSTS}`: "
        f"[{REPOST_FILE}]({REPOST_FILE}) is the JSON Schema, "
        "[Which version was first](../explanation/order-of-versions.md#what-it-reads-like-in-json) explains it.",
        "## The table of pairs (CSV)",
        "`leitong check --format csv`. On standard output the heads are these keys; a file begins with "
        "a byte order mark and has heads for people. A row is a line: in a name, a control character, a line "
        "end or a mark of direction is written out, as `[U+202E]`, and `'` stands before what a spreadsheet "
        "would take for a formula. To join by names take the JSON, which has them exactly (there such a "
        "character is escaped, as `\\u202e`).",
        "## A report (CSV, XLSX, JSON)",
        f"`leitong report --format csv|xlsx|json`, schema `{schemas.REPORT}`: one table each.",
    ),
    "zh": (
        "`leitong check --format json`、`Result.to_json()` 和“完整结果（JSON）”写的是 "
        f"`{schemas.CHECK}`。[{CHECK_FILE}](../../reference/{CHECK_FILE}) 是它的 JSON Schema。"
        "同一版本里只增加键，不改名也不删去。类型带 `?` 的可以是 null：不知道，或没有计算。"
        "位置以 `leitong text 文件` 输出的文本为准。",
        "## 一次检测",
        "`passages` 里 `meaning` 和 `translated` 两种，不算进任何比例。",
        f"`leitong compare A B --json` 写的是 `{schemas.COMPARE}`：一对的各个键、两篇文本、`cosine_interval`、"
        "`differing_bits` 和索引的 `blocks`。",
        "## 转载",
        f"`leitong reposts --json`、转载页的导出和 `Reposts.to_json()` 写的是 `{schemas.REPOSTS}`，"
        f"[{REPOST_FILE}](../../reference/{REPOST_FILE}) 是它的 JSON Schema；说明见 "
        "[Which version was first](../../explanation/order-of-versions.md#what-it-reads-like-in-json)（英文）。",
        "## 文本对的表（CSV）",
        "`leitong check --format csv`。标准输出用这些键作列名；文件开头有字节顺序标记，列名写给人看。"
        "一对一行：名称里的控制字符、换行和方向标记写成 `[U+202E]` 这样；表格软件会当成公式的，前面加 `'`。"
        "要按名称对应，请用 JSON，那里的名称一字不差（这些字符写成 `\\u202e`）。",
        "## 报告（CSV、XLSX、JSON）",
        f"`leitong report --format csv|xlsx|json`，格式 `{schemas.REPORT}`：每张表一份。",
    ),
}  # fmt: skip


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def settings_page(language: str) -> str:
    """Every setting with its bounds, and what the presets are called."""
    t, words = translator(language), _WORDS[language]
    known = catalogue(language)
    rows = []
    for spec in dataclasses.fields(Settings):
        help_key = f"settings.{spec.name}.help"
        about = t(f"settings.{spec.name}.label")
        about += f". {t(help_key)}" if help_key in known and language == "en" else ""
        about += f"。{t(help_key)}" if help_key in known and language == "zh" else ""
        default = words["of_preset"] if spec.default is FROM_PRESET else f"`{spec.default!r}`"
        rows.append((f"`{spec.name}`", about, _allowed(spec), default))
    presets = [(f"`{name}`", t(f"settings.preset.{name}"), _short(name, t)) for name in PRESETS]
    return "\n".join(
        [
            f"# {words['settings']}\n",
            f"{words['settings_lead']}\n",
            table(words["settings_heads"], rows),
            f"## {words['presets']}\n",
            table(("", "", ""), presets),
        ]
    )


def _short(name: str, t: Translate) -> str:
    return t(f"settings.preset_short.{name}")


def _allowed(spec: dataclasses.Field[Any]) -> str:
    bounds = spec.metadata
    if bounds["choices"]:
        return ", ".join(f"`{one}`" for one in bounds["choices"])
    if bounds["low"] is not None:
        return f"{bounds['low']}–{bounds['high']} {bounds['unit']}".strip()
    return str(spec.type).replace("|", "\\|")


def formats_page(language: str) -> str:
    """What is read, and what to do about the rest."""
    t, words = translator(language), _WORDS[language]
    families = [(t(f"formats.{name}"), " ".join(ends)) for name, ends in format_families().items()]
    told = [(" ".join(ends), t(f"notes.{code}")) for code, ends in formats_with_advice().items()]
    return "\n".join(
        [
            f"# {words['formats']}\n",
            f"{words['formats_lead']}\n",
            table(words["formats_heads"], families),
            f"{t('formats.by_content')}\n",
            f"## {t('formats.unread')}\n",
            table(words["told_heads"], told),
        ]
    )


def json_page(language: str) -> str:
    """The keys of a result, and the columns of its tables."""
    t, words = translator(language), _WORDS[language]
    lead, check, apart, other, *reposts, pairs, pairs_lead, report, report_lead = _JSON_TEXT[
        language
    ]
    place = 2 if language == "en" else 3
    keys, repost_keys = (
        [(f"`{field[0]}`", field[1], field[place]) for field in fields]
        for fields in (CHECK, REPOSTS)
    )
    heads = (*(column.name for column in IN_CSV), *NOTES)
    in_csv = [(f"`{name}`", t(f"cli.csv_{name}")) for name in heads]
    parts = [f"# {words['json']}\n", lead, check, table(words["key_heads"], keys), apart, other]
    parts += [*reposts, table(words["key_heads"], repost_keys)]
    parts += [pairs, pairs_lead, table(words["csv_heads"], in_csv), report, report_lead]
    for code, columns in REPORT_TABLES.items():
        rows = [(f"`{column.name}`", t(column.label)) for column in columns]
        parts += [f"### {t(f'report.table.sheet_{code}')}", table(words["csv_heads"], rows)]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


_TYPES = ("string", "integer", "number", "boolean", "object")


def schema(title: str, fields: Sequence[Field]) -> dict[str, Any]:
    """Return the JSON Schema of a result with such fields."""
    root: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": {},
        "required": [],
    }
    for key, kind, about, _ in fields:
        _place(root, key.split("."), kind, about)
    root["properties"]["schema"]["const"] = title
    return root


def _place(node: dict[str, Any], path: list[str], kind: str, about: str) -> None:
    """Put one key below a node of the schema."""
    name, *rest = path
    many = name.endswith("[]")
    name = name.removesuffix("[]")
    new = name not in node["properties"]
    entry = node["properties"].setdefault(name, {})
    if new and "optional" not in kind:
        node["required"].append(name)
    if many:
        entry.setdefault("type", "array")
        entry = entry.setdefault("items", {})
    if rest:
        entry.setdefault("type", "object")
        entry.setdefault("properties", {})
        entry.setdefault("required", [])
        _place(entry, rest, kind, about)
        return
    plain = kind.removesuffix(", optional")
    entry["type"] = [plain.removesuffix("?"), "null"] if plain.endswith("?") else plain
    entry["description"] = about


PAGES: dict[str, Callable[[str], str]] = {
    "settings.md": settings_page,
    "formats.md": formats_page,
    "json-and-csv.md": json_page,
}


def written() -> dict[Path, str]:
    """Return every file that this script writes, with its content."""
    pages = {
        folder / name: page(language)
        for language, folder in FOLDERS.items()
        for name, page in PAGES.items()
    }
    made = {
        SCHEMA_FILE: schema(schemas.CHECK, CHECK),
        REPOST_SCHEMA_FILE: schema(schemas.REPOSTS, REPOSTS),
    }
    texts = {
        path: json.dumps(one, ensure_ascii=False, indent=1) + "\n" for path, one in made.items()
    }
    return {**pages, **texts}
