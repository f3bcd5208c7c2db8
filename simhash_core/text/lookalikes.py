"""Words and characters that recognition takes for each other.

The words of a recognised text are compared as those of other texts that they resemble; these are
the rules of resemblance. They say nothing of who wrote what: only the picture does.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import xxhash

ONE_EDIT_FROM = 6  # letters of a word that may have one letter more, less or another
TWO_EDITS_FROM = 10
LETTERS_A_SLIP = 4  # of a word that is another word as it was read
SLIP_FROM = 3  # letters of a word that is in no dictionary and may have one more or less

#: Latin letters by what they look like, then pairs of letters, as those by then look
_LETTERS = str.maketrans("01lj|5896hcatqyu2", "oiiiisbgbbeofgvvz")
_PAIRS = (("rn", "m"), ("nn", "m"), ("vv", "w"), ("ei", "d"), ("ri", "n"), ("ii", "v"))
#: simplified characters that differ in a stroke or a part; kana and signs among them
_HAN = """
己已巳 未末 土士 日曰目 人入八 大太犬 天夭无 千干于 戊戌戍戎 间问闻 侯候 今令 王玉主 刀力刁
几儿九 木本术 拔拨 折拆析 治冶 晴睛 清请情 很恨 住往 代伐 午牛 贝见 免兔 鸟乌 历厉 辨辩辫
竞竟 壁璧 徒徙 即既 冷泠 杨扬 科料 各名 同问 沮泪 洒酒 侍待持 衰哀衷 茶荼 享亨 地他她
的旳 一-ー 口囗 了丁 工エ 卜ト 二ニ 力カ 夕タ 这违 没设 时对 个今 全金 自白 由田甲申 子予孑
学字 乎平 失矢 办为 万方 风凤 毛手 车东 仑仓 抢抡 沧沦 赢羸嬴 斥斤 爪瓜 币巾 候喉猴 坐座
幻幼 免晚 喝渴 噪躁燥 梁粱 栗粟 买卖 处外 去法 两雨 兑说 讯迅 论轮 倍陪 暮幕慕墓 暖缓 援暖
蓝篮 练炼 密蜜 拣炼 拍柏 抱饱 跑炮泡 材村 析祈 板扳 枚枝 技枝 扑朴 仿妨 坊防 陷焰 拾抬 捡检
险验 稿搞 橘桔 复夏 直真 且具 宣宜 巨臣 史吏 更便 使便 但位 作做 低底 抵低 泻写 竖坚 监临
免勉 形刑 仅汉 权杈 双汉 灭火 炎灾 丰半 羊半 来米 夹来 束柬 喜善 古占 吉告 含舍 舌古 右石
后右 尸户 贷货 贸货 资货 责贵 员贡 遗遣 适造 远运 近进 迎近 述迷 延廷 建健 庆厌 厌压 厂广
斤斥 兵乓乒 芒茫 荒慌 黑墨 熟热 势热 点占
"""
_DIGITS = re.compile(r"\d+")


def look_alike(seen: str, meant: str) -> bool:
    """Whether two normalised words differ by nothing but what looks alike.

    >>> look_alike("rnodem", "modern"), look_alike("cat", "car")
    (True, False)
    """
    if len(seen) == len(meant) == 1 and not seen.isascii():
        return meant in _groups().get(seen, frozenset())
    return shape(seen) == shape(meant)


@lru_cache(maxsize=1 << 14)
def may_be(seen: str, meant: str, *, known: bool) -> bool:
    """Whether what was seen may be a misreading of a word.

    Parameters
    ----------
    seen, meant
        Normalised, different; `meant` may be two words with a space.
    known
        Whether `seen` is a word: then only what looks alike is forgiven, and little of that.

    Notes
    -----
    One edit beside what looks alike is forgiven in words of `ONE_EDIT_FROM` letters, two in words
    of `TWO_EDITS_FROM`; one letter lost or doubled in shorter ones that are no words as they were
    read. Numbers are never forgiven: 1998 and 1993 are two years.
    """
    if _DIGITS.fullmatch(seen) or any(map(_DIGITS.fullmatch, meant.split())):
        return False
    from rapidfuzz.distance import Levenshtein

    letters = len(meant.replace(" ", ""))
    if look_alike(seen, meant):
        apart = Levenshtein.distance(seen, meant.replace(" ", ""))
        return not known or apart <= max(1, letters // LETTERS_A_SLIP)
    if known or letters < SLIP_FROM or not meant.isascii():
        return False
    edits = Levenshtein.distance(shape(seen), shape(meant), score_cutoff=2)
    if letters >= TWO_EDITS_FROM:
        return edits <= 2
    if letters >= ONE_EDIT_FROM:
        return edits <= 1
    return edits <= 1 and len(seen) != letters


def shape_of(word: str) -> int:
    """Return a hash that Latin words share which look alike, 64 bits with a sign."""
    return xxhash.xxh3_64_intdigest(shape(word).encode()) - (1 << 63)


@lru_cache(maxsize=1 << 14)
def shape(word: str) -> str:
    """Return what a Latin word looks like: the same for words that look alike."""
    word = word.replace(" ", "").translate(_LETTERS)
    for seen, meant in _PAIRS:
        word = word.replace(seen, meant)
    return word


@cache
def _groups() -> dict[str, frozenset[str]]:
    """Return for each character those that it is taken for."""
    alike: dict[str, set[str]] = {}
    for group in _HAN.split():
        for character in group:
            alike.setdefault(character, set()).update(group)
    return {character: frozenset(others - {character}) for character, others in alike.items()}
