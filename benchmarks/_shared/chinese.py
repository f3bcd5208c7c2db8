"""The page of figures in Chinese: each phrase of a report, its numbers taken out."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d[\d,.]*\d|\d")

#: "#" stands for a number; where the order differs, "#2" is the second
PHRASES = {
    # questions
    "What do other programs find of the same copies and passages, and at what cost?": (
        "同样的副本和段落，别的程序找到多少，花多少？"
    ),
    "How many tokens a second become fingerprints, beside PyPI's simhash on the same tokens?": (
        "每秒能把多少个词变成指纹？与 PyPI 上的 simhash 用同样的词比较"
    ),
    "How long do all pairs within k bits take, from a thousand fingerprints of # bits upwards?": (
        "从一千个 # 位指纹起，找出相差 k 位以内的所有对要多久？"
    ),
    "How long does one question take against stored fingerprints of # bits?": (
        "拿一个指纹去查已存的 # 位指纹，要多久？"
    ),
    "How do time and memory of a check with passages grow with the number of documents?": (
        "文章多了，找共同段落的时间和内存怎样增长？"
    ),
    # titles
    "Near-duplicates of # files": "# 个文件中的近似副本",
    "Passages in a class of # essays, # of them planted": (
        "一个班 # 篇作文，其中 # 处是放进去的抄袭"
    ),
    "Token lists to #-bit fingerprints (with MD# ours equal simhash's bit for bit)": (
        "词表到 # 位指纹（用 MD# 时与 simhash 逐位相同）"
    ),
    "Parts alone": "单独各步",
    "The vote, # bits": "投票，# 位",
    "k = #": "k = #",
    "# fingerprints at larger k": "# 个指纹，k 更大时",
    "# stored, uniform (index built in # s, first compilation included)": (
        "存 # 个，均匀分布（建索引 # 秒）"
    ),
    "# stored, skewed (index built in # s, first compilation included)": (
        "存 # 个，分布不均（建索引 # 秒）"
    ),
    "All pairs within # of # bits": "#2 位中相差 #1 位以内的所有对",
    "A check with passages": "找共同段落的一次检查",
    "Memory of such a check": "这样一次检查的内存",
    # heads
    "CPU, s": "处理器时间（秒）",
    "times ours": "是雷同的几倍",
    "peak, MB": "内存峰值（MB）",
    "pairs": "对数",
    "planted edits": "放进去的改动",
    "recall": "召回",
    "precision": "精确",
    "listed": "列出",
    "planted, found": "放进去的找到几处",
    "million tokens a second": "每秒百万词",
    "million entries a second": "每秒百万项",
    "times the first": "是第一行的几倍",
    "fingerprints": "指纹",
    "kind": "分布",
    "ours, s": "雷同（秒）",
    "sort floors": "相当于几次排序",
    "DuckDB, times ours": "DuckDB 是雷同的几倍",
    "Polars, times ours": "Polars 是雷同的几倍",
    "faiss, times ours": "faiss 是雷同的几倍",
    "simhash, times ours": "simhash 是雷同的几倍",
    "k": "k",
    "plan": "方案",
    "all compared, times ours": "两两全比是雷同的几倍",
    "median, µs": "中位数（微秒）",
    "#th percentile, µs": "第 # 百分位（微秒）",
    "in a batch, µs a question": "成批时每问（微秒）",
    "documents": "篇数",
    "read": "读取",
    "tokens": "分词",
    "candidates": "选对",
    "align": "比对",
    "chance": "算巧合",
    "meaning": "按意思找",
    "rest": "其余",
    "pairs aligned": "比对的对数",
    "with passages": "有共同段落的对数",
    # names of rows
    "Leitong, near_duplicates": "雷同 near_duplicates",
    "Leitong, check": "雷同 check",
    "text-dedup's way": "text-dedup 的做法",
    "ours, XXH#": "雷同，XXH#",
    "ours, MD#": "雷同，MD#",
    "NumPy, a text at a time (text-dedup's way)": "NumPy，一次一篇（text-dedup 的做法）",
    "hashing the vocabulary, XXH#, # bits": "给词表算散列，XXH#，# 位",
    "background weights": "背景权重",
    "statistics": "统计",
    "in C": "C",
    "uniform": "均匀",
    "skewed": "不均",
    "ours, within #": "雷同，相差 # 位以内",
    "NumPy scan": "NumPy 逐个扫描",
    "#, all with one page": "#，都含同一页",
    # notes
    "Recall and precision: of the # pairs, among all that any program lists, whose shingles of"
    " five characters are alike by #% (Jaccard, counted). # light edits were planted. Ours are the"
    " pairs of its groups.": (
        "召回与精确：各程序列出的所有对里，五字片段的相似度（Jaccard，逐个数出）达到 #2% 的"
        "有 #1 对。其中 #3 处轻微改动是放进去的。雷同的对取自它给出的各组。"
    ),
    "# documents, # tokens, # entries (a word of a document), vocabulary #. MinHash makes another"
    " sketch of the same tokens; it stands here because the same jobs are done with it.": (
        "# 篇，# 个词，# 项（一篇里的一个词算一项），词表 #。MinHash 做的是另一种摘要，"
        "因为用途相同，也列在这里。"
    ),
    "A sort floor is what sorting four arrays of that many #-bit words costs; peers are asked up"
    " to the size that they answer in a minute. Comparing all pairs is computed from the rate of"
    " the scan on this machine, # billion pairs a second and processor.": (
        "“一次排序”指给同样多的 # 位数排序四遍所用的时间；别的程序只测到一分钟内能答完的规模。"
        "两两全比的时间由本机扫描速度推算：每个处理器每秒 # × 10⁹ 对。"
    ),
    "A question of its own goes through all checks and conversions of the public call; the flat"
    " scan reads # GB/s at most on this machine, which is its floor.": (
        "单独一问要经过公开接口的全部检查和转换；逐个扫描在本机每秒最多读 # GB，这是它的下限。"
    ),
    "No two texts repeat each other, but one in ten holds an edited stretch of another; in the"
    " rows that say so all hold one page.": (
        "各篇互不重复，但十篇里有一篇放进了另一篇改过的一段；写明“都含同一页”的几行，每篇都含同一页。"
    ),
    "From # to # documents, CPU time grows with exponent # and memory by # kB a document.": (
        "从 # 篇到 # 篇，处理器时间的增长指数是 #，每多一篇多用 # kB 内存。"
    ),
    "A million documents would take # CPU hours and # GB if every stage went on like this:"
    " computed, not run.": (
        "照此推算，一百万篇要 # 小时处理器时间和 # GB 内存：是算出来的，没有跑过。"
    ),
    # the machine
    "processor": "处理器",
    "processors": "处理器个数",
    "memory": "内存",
    "system": "系统",
}


def translate(phrase: str) -> str:
    """Return a phrase in Chinese.

    Raises
    ------
    KeyError
        It is not among `PHRASES`.
    """
    numbers = _NUMBER.findall(phrase)
    pattern, left = PHRASES[_NUMBER.sub("#", phrase)], iter(numbers)
    return re.sub(r"#(\d?)", lambda m: numbers[int(m[1]) - 1] if m[1] else next(left), pattern)


def translate_name(name: str) -> str:
    """Return the name of a row in Chinese; that of a program or a number stays."""
    return translate(name) if _NUMBER.sub("#", name) in PHRASES else name
