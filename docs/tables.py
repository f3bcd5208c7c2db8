"""Writes the pages of settings, formats, JSON and CSV in both languages, and the JSON Schema.

python docs/tables.py

What each key of a result means stands here, once; a test compares the keys with real results.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from simhash_core.checking.pipeline import format_families, formats_with_advice
from simhash_core.i18n import Translate, catalogue, translator
from simhash_core.report import csv as report_csv
from simhash_core.report import tables as report_tables
from simhash_core.report.json import COMPARE_SCHEMA, SCHEMA
from simhash_core.report.words import DEFINED
from simhash_core.settings import FROM_PRESET, PRESETS, Settings


DOCS = Path(__file__).resolve().parent
FOLDERS = {"en": DOCS / "reference", "zh": DOCS / "zh" / "reference"}
SCHEMA_FILE = FOLDERS["en"] / "leitong.check-1.schema.json"

#: key, type, what it is in English, in Chinese; a key without a dot is one of the whole result
Field = tuple[str, str, str, str]
_DIVISION = "counted, identical, reworded, moved, own, left_out"
CHECK: tuple[Field, ...] = (
    ("schema", "string", "name and version of this form", "格式名称与版本"),
    ("version", "string", "version of Leitong", "Leitong 的版本"),
    ("settings", "object", "every setting, and the recipe of the fingerprints", "全部设置，以及指纹的规则"),
    ("threshold.distance", "integer", "bits within which fingerprints count as close; -1: none", "多少位以内算相近；-1 表示没有"),
    ("threshold.batch_distance", "integer?", "the same for the signature without shared words", "去掉共有词的第二指纹的阈值"),
    ("threshold.expected_false_pairs", "number?", "unrelated pairs to expect within", "阈值内预计的误报对数"),
    ("threshold.complete_up_to", "integer", "bits up to which every pair was found", "多少位以内的对全部找到"),
    ("significance", "object", "how strong findings of chance are; `state` says whether it was measured", "偶然的结果有多强；`state` 说明是否测得"),
    ("combined", "object, optional", "rule of the score of content and metadata", "内容与元数据综合得分的规则"),
    ("documents[].name", "string", "relative to the folder given; of archives `archive.zip/member`", "相对于所给文件夹；压缩包为 `archive.zip/member`"),
    ("documents[].id", "string", "SHA-256 of the text", "文本的 SHA-256"),
    ("documents[].chars", "integer", "code points of the text", "文本的字符（码位）数"),
    ("documents[].length", "integer", "units of the text, as they are counted everywhere", "篇幅，各处都这样计"),
    ("documents[].unit", "string", "`words` or `characters` (of Han)", "`words` 词，或 `characters` 字"),
    ("documents[].tokens", "integer", "words that a fingerprint is made of", "构成指纹的词数"),
    ("documents[].format", "string", "what the file is", "文件格式"),
    ("documents[].encoding", "string", "how its bytes were read", "按哪种编码读入"),
    ("documents[].language", "string", "zh, en, mixed, other", "zh、en、mixed、other"),
    ("documents[].reference", "boolean", "it was compared with, and is none of the batch", "用来对照，不属于这批"),
    ("documents[].collection", "string, optional", "collection of a library", "来自文库的哪个文集"),
    ("documents[].fingerprint", "string?", "hexadecimal; null: too short", "十六进制；太短则为 null"),
    ("documents[].total_overlap", "number?", "share of what counts that any other text has", "总文字复制比"),
    ("documents[].identical_overlap", "number?", "of it, word for word", "其中一字不差的"),
    ("documents[].division", "object", f"units by class: {_DIVISION}; they sum to `length`", f"按类别的篇幅：{_DIVISION}；相加等于 `length`"),
    ("documents[].meta", "object", "what is known: author, person, number, class_name, group, date, title ...", "已知的资料：作者、学号、班级、小组、日期、标题等"),
    ("documents[].notes[]", "object", "`code`, `message`; of a place also `start`, `end`", "`code`、`message`；涉及某处时另有 `start`、`end`"),
    ("exclusions", "object, optional", "what was left out: `rules`, and of each text its spans and the share before", "不计入的内容：`rules`，以及每篇的区间和之前的占比"),
    ("missing[]", "object, optional", "members of the class list who handed nothing in", "名单上未交的人"),
    ("changes", "object, optional", "pairs that are `new` since an earlier check, and `gone`", "与较早的检测相比，新出现（`new`）和不再列出（`gone`）的对"),
    ("skipped[]", "object", "`name`, `code`, `message` of what was not read", "没有读入的：`name`、`code`、`message`"),
    ("pairs[].a", "string", "name of one text", "一篇的名称"),
    ("pairs[].b", "string", "name of the other", "另一篇的名称"),
    ("pairs[].evidence[]", "string", "fingerprint, passages, meaning, translation", "依据：fingerprint、passages、meaning、translation"),
    ("pairs[].distance", "integer?", "bits that differ", "相差的位数"),
    ("pairs[].batch_distance", "integer?", "the same without words that most texts share", "去掉共有词之后相差的位数"),
    ("pairs[].cosine", "number?", "estimated from the distance", "由距离估计的余弦"),
    ("pairs[].combined", "object?, optional", "score of content and metadata", "内容与元数据的综合得分"),
    ("pairs[].containment", "number?", "share of the smaller set of winnowed prints", "共有片段占较短一篇的比例"),
    ("pairs[].coverage_a", "number?", "share of what counts of a that b has", "甲计入的文字里见于乙的比例"),
    ("pairs[].coverage_b", "number?", "share of what counts of b that a has", "乙计入的文字里见于甲的比例"),
    ("pairs[].division_a", "object", f"units of a by class: {_DIVISION}", f"甲按类别的篇幅：{_DIVISION}"),
    ("pairs[].division_b", "object", f"units of b by class: {_DIVISION}", f"乙按类别的篇幅：{_DIVISION}"),
    ("pairs[].identical", "number?", "share of what is shared that is word for word", "重合里一字不差的比例"),
    ("pairs[].longest", "integer", "units of the longest identical run", "最长的一处相同"),
    ("pairs[].strength", "number?", "score of the strongest passage", "最强一处的得分"),
    ("pairs[].chance", "number?", "pairs as strong that chance would give; null below 50 texts", "偶然会给出多少对同样强的；不足 50 篇为 null"),
    ("pairs[].could_be_formula", "boolean", "chance gives such pairs: listed after the others", "偶然也会有，排在后面"),
    ("pairs[].passages[]", "object", "`a_start`, `a_end`, `b_start`, `b_end` (code points, half-open), `kind`, `score`, words of both sides and how many are shared, `changed`, `weak`", "`a_start`、`a_end`、`b_start`、`b_end`（码位，左闭右开）、`kind`、`score`、两边的词数和共有的词数、`changed`、`weak`"),
    ("clusters[]", "object", "`members`, `centre`, `links`, `density`, `weakest`, `bridges`", "`members` 成员、`centre` 中心、`links` 连接、`density`、`weakest`、`bridges`"),
    ("variant_groups[]", "object", "a passage of three texts or more: its `witnesses`", "三篇以上共有的一段：`witnesses`"),
    ("guarantees[]", "object", "what is certain of this result, by `code`", "这份结果可以担保的事，见 `code`"),
    ("timings", "object", "seconds by stage", "各步用时（秒）"),
)  # fmt: skip

_WORDS = {
    "en": {
        "settings": "Settings",
        "settings_lead": "What a check does. The name is the field of `leitong.Settings`; on the command line it is written with hyphens.",
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
        "settings_lead": "一次检测做什么。名称是 `leitong.Settings` 的字段；命令行里写成连字符。",
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
        f"`{SCHEMA}`. [leitong.check-1.schema.json](leitong.check-1.schema.json) is the JSON Schema. "
        "Keys are added within a version, never renamed or removed. A type with `?` can be null: not "
        "known, or not computed. Offsets index the text that `leitong text FILE` prints.",
        "## A check",
        "A row of `passages` of the kind `meaning` or `translated` is part of no share.",
        f"`leitong compare A B --json` writes `{COMPARE_SCHEMA}`: the keys of one pair, both texts, "
        "`cosine_interval`, `differing_bits` and the `blocks` of the index. `leitong reposts --json` "
        "writes `leitong.reposts/2`: [Who was first](../explanation/order-of-versions.md#what-it-reads-like-in-json).",
        "## The table of pairs (CSV)",
        "`leitong check --format csv`. On standard output the heads are these keys; a file begins with "
        "a byte order mark and has heads for people.",
        "## A report (CSV, XLSX, JSON)",
        f"`leitong report --format csv|xlsx|json`, schema `{report_csv.SCHEMA}`: one table each.",
    ),
    "zh": (
        "`leitong check --format json`、`Result.to_json()` 和“完整结果（JSON）”写的是 "
        f"`{SCHEMA}`。[leitong.check-1.schema.json](../../reference/leitong.check-1.schema.json) 是它的 JSON Schema。"
        "同一版本里只增加键，不改名也不删去。类型带 `?` 的可以是 null：不知道，或没有计算。"
        "位置以 `leitong text 文件` 输出的文本为准。",
        "## 一次检测",
        "`passages` 里 `meaning` 和 `translated` 两种，不算进任何比例。",
        f"`leitong compare A B --json` 写的是 `{COMPARE_SCHEMA}`：一对的各个键、两篇文本、`cosine_interval`、"
        "`differing_bits` 和索引的 `blocks`。`leitong reposts --json` 写的是 `leitong.reposts/2`，见 "
        "[Who was first](../../explanation/order-of-versions.md#what-it-reads-like-in-json)（英文）。",
        "## 文本对的表（CSV）",
        "`leitong check --format csv`。标准输出用这些键作列名；文件开头有字节顺序标记，列名写给人看。",
        "## 报告（CSV、XLSX、JSON）",
        f"`leitong report --format csv|xlsx|json`，格式 `{report_csv.SCHEMA}`：每张表一份。",
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
    lead, check, apart, other, pairs, pairs_lead, report, report_lead = _JSON_TEXT[language]
    place = 2 if language == "en" else 3
    keys = [(f"`{field[0]}`", field[1], field[place]) for field in CHECK]
    columns = [(f"`{name}`", t(f"cli.csv_{name}")) for name in (*report_csv.COLUMNS, *report_csv.NOTES)]  # fmt: skip
    parts = [f"# {words['json']}\n", lead, check, table(words["key_heads"], keys), apart, other]
    parts += [pairs, pairs_lead, table(words["csv_heads"], columns), report, report_lead]
    for code, names in _REPORT_TABLES.items():
        rows = [(f"`{name}`", _head(t, code, name)) for name in names]
        parts += [f"### {t(f'report.table.sheet_{code}')}", table(words["csv_heads"], rows)]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


_REPORT_TABLES = {
    "texts": report_tables._TEXTS,
    "persons": report_tables._PERSONS,
    "pairs": report_tables._PAIRS,
    "passages": report_tables._PASSAGES,
    "translations": report_tables._TRANSLATIONS,
    "meanings": report_tables._MEANINGS,
}


def _head(t: Translate, code: str, column: str) -> str:
    indicator = column in DEFINED and column not in ("passages", "a_in_b")
    indicator = indicator and (code, column) != ("pairs", "identical")
    return t(f"report.{'indicator' if indicator else 'table'}.{column}")


_TYPES = ("string", "integer", "number", "boolean", "object")


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a check."""
    root: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "type": "object",
        "properties": {},
        "required": [],
    }
    for key, kind, about, _ in CHECK:
        _place(root, key.split("."), kind, about)
    root["properties"]["schema"]["const"] = SCHEMA
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
    return {**pages, SCHEMA_FILE: json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"}


if __name__ == "__main__":
    for path, content in written().items():
        path.write_text(content, "utf-8")
