"""A small class of one task (CC0): the sheet stands in every text, two pupils share a paragraph.

checked()   the class with its task sheet left out
"""

from __future__ import annotations

from simhash_core import CheckResult, Document, check
from tests.page_texts import ESSAY, HILL, OTHER, ROPE

TASK = """读书报告要求：请读完《乡土中国》前五章，选一章写八百字的读书报告。
报告须说清作者的主要看法，举出身边的一个例子，并说明自己是否同意。引用原文请注明页码。"""
REFERENCES = """参考文献
费孝通：《乡土中国》，北京：人民出版社，2008 年。
费孝通：《生育制度》，北京：商务印书馆，1999 年。"""
SHARED = (
    "城市里的圈子看起来断了，其实只是换了一种画法。小区业主群里，谁家快递丢了，先问的总是同一单元的人；"
    "公司里派任务，先想到的总是一起吃过饭的人。石子还是那颗石子，只是水面从村口的池塘换成了手机屏幕，"
    "波纹照样从“我”这里一圈圈推出去。"
)
SMALL = "合上书，我又看了一眼窗外的小区，灯一盏一盏亮了。"
OPENINGS = (
    "我家住在老城的一条巷子里，巷口有一棵香樟，树下常年摆着三把竹椅，谁累了谁坐。",
    "外公年轻时走过许多地方，他说天下的路都一样，只是路边的人说话的口音不同。",
    "第一次翻开这本书是在暑假的火车上，车厢里有人打牌，有人睡觉，我靠着窗一页一页往下读。",
    "妈妈在菜场卖了十二年豆腐，哪位老主顾爱吃嫩的，哪位要老一点的，她从来不用记账。",
    "去年冬天学校组织去农村体验生活，我住在一位姓周的大爷家里，睡的是烧得滚烫的土炕。",
    "我一直以为规矩就是写在墙上的字，直到那天在祠堂里看见没有字的那面墙。",
)
MIDDLES = (
    "书里说乡下人离不开泥土，我起初不信，后来想到爷爷进城以后总在阳台的花盆里种葱，才明白这话的分量。",
    "作者把社会比作水面的波纹，这个比喻我想了很久，因为我们班上分组的时候也是先叫最熟悉的名字。",
    "读到无讼一章，我想起小区里两户人家为了一堵墙争了半年，最后是居委会的刘阿姨请他们喝了一次茶。",
    "礼治与法治的分别在书中讲得很清楚，可放到生活里就模糊了，比如排队的时候老人该不该让他先走。",
    "文字下乡那一章让我看到，不识字并不等于愚笨，城里的孩子到了田里照样分不清稻子和稗子。",
    "血缘和地缘原是一回事，后来人搬走了，地还在，于是同乡会成了另一种祠堂，照样按辈分排座位。",
)
ENDINGS = (
    "所以我不太同意把这些当成过去的事，它们只是换了衣服坐在我们中间。",
    "我想，了解一个圈子最好的办法，是站到它的外面看一会儿再走回来。",
    "书读完了，问题还在，可我知道下一次该从哪里问起。",
    "我仍然相信人情可以有边，只要每个人都愿意先退半步。",
    "回城的路上我把那张火炕画在本子上，旁边写了两个字：记得。",
    "也许将来的墙上还是没有字，但大家心里会有同样的一行。",
)
BODIES = (*(text[: len(text) // 2] for text in (ESSAY, HILL, OTHER, ROPE)), "", "")
NAMES = ("赵晨曦", "潘美辰", "郭思远", "唐诗涵", "罗一鸣", "周雨桐")


#: each of two neighbours of the last four
PAIRED = (
    "院子里的老井早就封了，井沿上的青苔倒还在，谁路过都要用手摸一摸，好像摸到了很多年前的夏天。"
    "听说当年全村的水都从这里挑，挑水的人在井边换消息，谁家添丁谁家嫁女，水桶还没满就传遍了。",
    "修伞的老人每逢初一来一次，担子放在桥头，孩子们围着看他把断了的竹骨一根一根接回去。"
    "他从来不还价，修好的伞撑开给你看，转两圈，说一声还能用十年，然后收起工钱去下一座桥。",
    "电影散场以后大家不急着走，站在操场边上把刚才的故事又讲一遍，讲着讲着就讲成了另一个故事。"
    "后来镇上有了电影院，片子天天换，可再也没有谁站在门口把它从头到尾讲给没看过的人听。",
)


def texts() -> list[str]:
    """Return the six texts: the first two share a long paragraph, the next two a short one.

    And each two neighbours of the last four a sentence.
    """
    made = []
    for at, parts in enumerate(zip(OPENINGS, MIDDLES, BODIES, ENDINGS, strict=True)):
        opening, middle, body, ending = parts
        shared = [SHARED] if at < 2 else [SMALL] if at < 4 else []
        own = [opening, middle, *body.splitlines(), *PAIRED[max(at - 3, 0) : max(at - 1, 0)]]
        made.append("\n".join([TASK, *own, *shared, ending, REFERENCES]))
    return made


def checked() -> CheckResult:
    """Return the class, checked with its task sheet."""
    documents = [
        Document.from_text(text, name=f"{name}.txt")
        for name, text in zip(NAMES, texts(), strict=True)
    ]
    return check(documents, templates=[Document.from_text(TASK, name="task.txt")])
