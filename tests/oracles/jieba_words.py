"""Words as jieba itself cuts them: the judge of its port."""

from __future__ import annotations

import functools
import io
import re
import warnings

from simhash_core.text.segment import BEYOND, Segmenter
from simhash_core.text.tokenize import Tokenizer

#: where rjieba may cut otherwise: a character that stands three times in a row
REPEATED = re.compile(r"(.)\1\1")


@functools.cache
def jieba_segmenter(user_words: str = "") -> Segmenter:
    """Return jieba's cutter with a user dictionary in jieba's format."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42.1 looks for pkg_resources
        import jieba
    jieba.setLogLevel(60)
    model = jieba.Tokenizer()
    model.load_userdict(io.StringIO(user_words))

    def segment(runs: str) -> list[str]:
        parts = re.split(f"({BEYOND.pattern})", runs)
        return [word for part in parts if part for word in model.lcut(part)]

    return segment


class JiebaTokenizer(Tokenizer):
    """A tokenizer whose words are cut by jieba."""

    @functools.cached_property
    def segment(self) -> Segmenter:
        return jieba_segmenter("\n".join(self._arguments[0]))
