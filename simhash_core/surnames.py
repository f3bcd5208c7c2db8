"""Surnames of China: what a Chinese name begins with."""

from __future__ import annotations

#: the hundred commonest (census of 2020), which about 85 % of the people bear; the last three are
#: what 付, 肖 and 闫 were before they were simplified, and are still written
COMMONEST = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢"
    "姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常"
    "傅萧阎"
)
#: these, more of them, and their traditional forms
SURNAMES = frozenset(
    COMMONEST + "汤康易乔施文牛樊葛邢安齐伍庞颜倪庄聂章鲁岳翟申欧耿关焦左柳甘祝包宁"
    "張劉陳楊黃趙吳孫馬鄭謝許韓鄧馮葉蘇呂盧鐘譚陸範賈鄒龍賀顧龔萬錢嚴湯喬莊聶齊龐顏歐關蕭閻"
)
#: common ones of two characters
DOUBLE_SURNAMES = (
    "欧阳",
    "歐陽",
    "上官",
    "司马",
    "司馬",
    "诸葛",
    "諸葛",
    "东方",
    "皇甫",
    "尉迟",
    "慕容",
)


def has_surname(name: str) -> bool:
    """Whether Chinese characters begin with a surname and are no longer than a name is."""
    if name.startswith(DOUBLE_SURNAMES):
        return 3 <= len(name) <= 4
    return name[:1] in SURNAMES and 2 <= len(name) <= 3


def split_surname(name: str) -> tuple[str, str]:
    """Return the surname and the given name of a Chinese name."""
    size = 2 if name.startswith(DOUBLE_SURNAMES) else 1
    return name[:size], name[size:]
