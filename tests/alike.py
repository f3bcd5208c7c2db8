"""Two texts of a class that say the same in other words, and what a check says of them.

Written for these tests. The sentences answer each other in this order; nothing is searched here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from bilingual import OTHER_CHINESE, OTHER_ENGLISH

from simhash_core import CheckResult, Document, check
from simhash_core.result import Meanings

#: (sentence of the first text, sentence of the second, closeness, of the next best)
Said = tuple[str, str, float, float]

CHINESE: list[Said] = [
    (
        "熟人之间，一个眼神、一声咳嗽就够了，写下来反而显得生分。",
        "在彼此熟悉的环境里，表情和动作已经把话说完，落在纸上倒像是见外。",
        0.78,
        0.41,
    ),
    (
        "费孝通说，文字是给隔着时间或者隔着地方的人准备的；天天见面的人，用不上它。",
        "只有人和人被年月或路程分开，书写才有用处，费孝通讲朝夕相处的人并不需要。",
        0.83,
        0.55,
    ),
    (
        "说他们“愚”，其实是拿城里的尺子去量乡下的脚。",
        "用都市的标准衡量农民，得出“没有知识”的结论，是量错了对象。",
        0.76,
        0.38,
    ),
    (
        "老人来寄东西，地址说不清，柜台却总知道要寄到谁家。",
        "集市上的人问路不必说门牌，只要提一句谁的姐夫，摊主就指得出来。",
        0.72,
        0.5,
    ),
    (
        "所以不识字不等于没见识，只是那里的生活不考这一门。",
        "不会写字并不说明头脑差，那样的日子本来就不考写字。",
        0.8,
        float("nan"),
    ),
]
CHINESE_TEXTS = (
    "乡村里的人不大用得着文字，这一点起初让我很不服气。{0}{1}我爷爷不识字，可是全村谁家几亩地他都背得出。"
    "{2}去年暑假我在镇上的邮局帮忙，{3}{4}",
    "为什么乡下人识字少？费老的回答让我意外。{0}{1}{2}我外公会看云，{3}这些都不是课本里的本事。{4}",
)
ENGLISH: list[Said] = [
    (
        "Among people who know each other a glance or a cough will do; putting it on paper seems "
        "cold.",
        "Where everyone is familiar, faces and gestures have already said it, and a written note "
        "feels like keeping a distance.",
        0.78,
        0.41,
    ),
    (
        "Fei wrote in 1947 that writing is for those kept apart by years or by miles; people who "
        "meet every day can do without.",
        "Only when time or distance divides us does script become useful, as Fei put it in 1947; "
        "those who live side by side have no need of it.",
        0.83,
        0.55,
    ),
    (
        "To call them ignorant is to measure a country foot with a city ruler.",
        "Judging farmers by urban standards and finding no knowledge means having tested the "
        "wrong thing.",
        0.76,
        0.38,
    ),
]
ENGLISH_TEXTS = (
    "That villagers have little use for writing annoyed me at first. {0} {1} My grandfather cannot "
    "read, yet he knows every field in the village. {2} Last summer I helped at the post office.",
    "Why do country people read so little? The answer surprised me. {0} {1} {2} My uncle can read "
    "clouds. None of this is in textbooks.",
)


def texts_of(said: Sequence[Said], frames: tuple[str, str]) -> tuple[str, str]:
    """Return both texts."""
    first, second = ([one[side] for one in said] for side in (0, 1))
    return frames[0].format(*first), frames[1].format(*second)


def unrelated(n: int = 5_000, highest: float = 0.71) -> np.ndarray:
    """Return how close sentences of unrelated texts come: a hill whose last value is known."""
    hill = np.sort(np.random.default_rng(7).normal(0.36, 0.1, n).clip(0.05, highest - 0.01))
    return np.append(hill[1:], highest).astype(np.float32)


def meanings_of(
    documents: Sequence[Document],
    found: dict[tuple[int, int], Sequence[Said]],
    beside: np.ndarray | None = None,
) -> Meanings:
    """Return the findings of some pairs of rows (left, right), one passage each."""
    rows, answers, sizes, near = [], [], [0], []
    for (left, right), said in sorted(found.items()):
        spans = [
            (*_span(documents[left].text, one[0]), *_span(documents[right].text, one[1]))
            for one in said
        ]
        columns = np.array(spans)
        low, high = columns.min(axis=0), columns.max(axis=0)
        rows.append((left, right, low[0], high[1], low[2], high[3], 10.0 + len(said)))
        answers += spans
        near += [one[2:] for one in said]
        sizes.append(sizes[-1] + len(said))
    table = np.array(rows).reshape(-1, 7)
    return Meanings(
        *(table[:, at].astype(np.int64) for at in (0, 1)),
        *(table[:, at].astype(np.int32) for at in (2, 3, 4, 5)),
        score=table[:, 6].astype(np.float32),
        chance=np.full(len(table), np.nan),
        by_words=np.zeros(len(table), np.bool_),
        compared=1,
        possible=1,
        first=np.array(sizes, np.int64),
        answers=np.array(answers, np.int32).reshape(-1, 4),
        closeness=np.array([one[0] for one in near], np.float32),
        next_best=np.array([one[1] for one in near], np.float32),
        unrelated=unrelated() if beside is None else beside,
    )


def _span(text: str, sentence: str) -> tuple[int, int]:
    at = text.index(sentence)
    return at, at + len(sentence)


#: rows of the pairs of a `checked` class: copied word for word, and of the same meaning
COPIED, ALIKE, ALIKE_TOO = (0, 1), (2, 3), (4, 5)


def checked(beside: np.ndarray | None = None) -> CheckResult:
    """Return a check of six texts: a copy, and in each language two that say the same."""
    chinese, english = texts_of(CHINESE, CHINESE_TEXTS), texts_of(ENGLISH, ENGLISH_TEXTS)
    texts = {
        "周一.txt": OTHER_CHINESE,
        "周二.txt": "开头是自己写的一句话，说明为什么要做面包。" + OTHER_CHINESE,
        "何嘉豪.txt": chinese[0],
        "李欣悦.txt": chinese[1],
        "murray.txt": english[0],
        "fraser.txt": english[1],
        "rivers.txt": OTHER_ENGLISH,
    }
    documents = [Document.from_text(text, name=name) for name, text in texts.items()]
    result = check(documents)
    found = {ALIKE: CHINESE, ALIKE_TOO: ENGLISH}
    return replace(result, meanings=meanings_of(result.documents, found, beside))
