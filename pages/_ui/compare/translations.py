"""The view of a pair whose texts may be translations of each other."""

from __future__ import annotations

from simhash_core import CheckResult
from simhash_core.numbers import expected_translations
from simhash_core.translations import TranslatedPassage, translated_passages

from ..components.translated import translated
from ..shared import session
from ..shared.formatting import notation, text_language
from ..shared.session import t
from ..shared.widgets import caution, note


def rows_of(result: CheckResult, a: int, b: int) -> list[int]:
    """Return the rows of the possible translations of two documents."""
    return [] if result.translations is None else result.translations.of_pair(a, b).tolist()


def show(result: CheckResult, a: int, b: int, names: tuple[str, str]) -> None:
    """Draw both texts paragraph by paragraph, with the words that answer each other."""
    documents = result.documents[a], result.documents[b]
    translations, rows = result.translations, rows_of(result, a, b)
    assert translations is not None
    passages = session.memo(
        ("translated", a, b),
        lambda: translated_passages(*documents, translations, rows, turned=a > b),
    )
    caution(t("compare.translated.lead"), t("compare.translated.limits"))
    translated(
        (documents[0].text, documents[1].text),
        passages,
        names=names,
        languages=(text_language(documents[0].text), text_language(documents[1].text)),
        facts=[_facts(result, one) for one in passages],
        words={
            name: t(f"compare.translated.{name}")
            for name in ("hint", "passage", "through", "nothing")
        },
        key="translated",
    )
    for fact in result.guarantees:
        if fact.code == "translated_by":
            note(t("guarantee.translated_by", **fact.params))


def _facts(result: CheckResult, one: TranslatedPassage) -> str:
    parts = [t("compare.translated.words", n=len(one.words))]
    expected = expected_translations(result, one.chance)
    if expected is not None:
        pairs = notation().expected_pairs(expected)
        parts.append(t("compare.translated.chance", pairs=pairs))
    return t("check.comma").join(parts)
