"""A story of ten sentences, for tests of its versions."""

from __future__ import annotations

from simhash_core.checking import check
from simhash_core.model import Document
from simhash_core.reposts import Group, repost_groups
from simhash_core.reposts.tracing import REPOST_SETTINGS

SENTENCES = (
    "老张在河边住了四十年，每天黄昏都要沿着堤岸走一趟。",
    "他的任务是把桥头到码头的煤气路灯一盏一盏点亮。",
    "二十岁那年他从父亲手里接过了那根长长的点灯杆。",
    "后来城里换上电灯，别处的煤气灯陆续拆除干净。",
    "只有桥头这一盏留下来，成了游客拍照的地方。",
    "市政部门曾经打算把它搬进博物馆的展厅里。",
    "附近居民写了联名信，请求让它留在原来的位置。",
    "信里说，没有这盏灯，晚归的人会找不到家门。",
    "如今老张已经退休，他的徒弟接着做这份工作。",
    "每逢除夕，孩子们仍会围在灯下等它亮起来。",
)
#: another story, which has nothing in common with that one
OTHER = (
    "城东的图书馆上周搬进了旧粮仓，三层楼全部改成了书架。",
    "馆长说，搬家那天有两百多位读者排成长队，用手把书传过马路。",
    "最重的是一套县志，一共四十八册，装了整整六辆板车。",
    "粮仓的木梁没有拆，抬头还能看见当年写的斤两和年份。",
    "儿童阅览室设在底层，窗台放低到一尺，孩子坐着就能看见田野。",
    "夜里关灯以后，值班员会沿着螺旋楼梯走一圈，检查每一扇天窗。",
)
TITLE, WRITER, SOURCE = "城中最后一座煤气路灯", "本报记者 李明", "来源：城市晚报"


def article(*rows: int, head: str = TITLE, lines: tuple[str, ...] = ()) -> str:
    body = [SENTENCES[row] for row in (rows or range(len(SENTENCES)))]
    return "\n".join([head, *lines, *body])


def text(content: str, name: str, **meta: str) -> Document:
    return Document.from_text(content, name=name, **meta)


def groups_of(*documents: Document) -> list[Group]:
    return repost_groups(check(documents, settings=REPOST_SETTINGS))
