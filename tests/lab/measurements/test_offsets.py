"""Every range that the engine gives holds the text that was compared, in both documents."""

import numpy as np
import pytest

from simhash_core.lab.measurements.pan import read_pairs, read_text
from simhash_core.passages.align import align
from simhash_core.passages.tokenized import tokenize
from simhash_core.text.normalize import normalize


def tokens_inside(seen, start, end):
    first = np.searchsorted(seen.start, start)
    last = np.searchsorted(seen.end, end, side="right")
    return seen.token[first:last].tolist()


@pytest.mark.corpora
@pytest.mark.slow
@pytest.mark.parametrize("name", ["pan13_dev", "zh_pan_constructed"])
def test_the_text_at_every_range_is_the_text_that_was_compared(corpora, name):
    """Not a sample: every passage of every pair, weak ones included."""
    root = corpora / name
    texts, tokenized, passages_seen = {}, {}, 0
    for pair in read_pairs(root):
        for folder, file in (("susp", pair.suspicious), ("src", pair.source)):
            if file not in texts:
                texts[file] = read_text(root / folder / file)
                tokenized[file] = tokenize(normalize(texts[file]), texts[file])
        found = align(tokenized[pair.suspicious], tokenized[pair.source])
        for row in range(len(found)):
            passages_seen += 1
            for file, start, end in (
                (pair.suspicious, found.a_start[row], found.a_end[row]),
                (pair.source, found.b_start[row], found.b_end[row]),
            ):
                shown = texts[file][start:end]
                assert shown == shown.strip()
                assert tokenize(normalize(shown), shown).token.tolist() == tokens_inside(
                    tokenized[file], start, end
                )
    assert passages_seen > 200
