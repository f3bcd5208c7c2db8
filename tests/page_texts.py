"""Short texts written for these tests (CC0), and what a page says."""

from __future__ import annotations

import html
import json
import re
from typing import Any

ESSAY = (
    """村口的老槐树今年又开花了。花开的时候，整条街都是甜的，蜜蜂从早忙到晚，谁也不肯歇一歇。
奶奶说，这棵树是她爷爷亲手栽下的，算起来已经一百多岁。树干要三个人才抱得过来，树皮裂得像老人的手。
小时候我最爱在树下写作业，风一吹，花瓣落在本子上，我就把它们夹进书里。冬天翻开书，香味还在。
去年修路，有人提议把树砍掉，说它挡了车。大家商量了一个晚上，最后决定让路拐一个弯。
现在每辆车经过这里都要慢下来，司机们会抬头看一眼。我想，路可以再修，树却只有这一棵。
"""
    * 2
)
COPY = ESSAY.replace("奶奶", "外婆").replace("去年", "前年")
OTHER = (
    """周末我跟着父亲去修自行车。铺子很小，墙上挂满了扳手和链条，师傅的指甲缝里全是黑油。
他先把后轮拆下来，用水盆找漏气的地方，一串气泡冒出来，他用粉笔画了个圈。
磨平、涂胶、贴皮，每一步都不慌不忙。他说，胶要等一等才粘得牢，人也一样，急不得。
我问他修了多少年，他想了想说，从你爸爸骑车上学那年开始。父亲在旁边笑了。
回家路上车子又轻又稳，我忽然觉得，手艺大概就是把同一件小事认真做上几十年。
"""
    * 2
)
SHORT = "今天天氣很好，我們一起去圖書館看書，然後在湖邊散步。" * 6
HILL = (
    """爬山那天起了雾，十步以外什么也看不见，只听见前面同学的水壶叮当作响。
班长数了三遍人数，每一遍都少一个，最后发现忘了数自己。
走到半山，太阳忽然出来，雾从脚下散开，露出一片红瓦的屋顶，我们都不说话了。
下山的时候腿在发抖，可谁也没有喊累，因为前面就是卖冰棍的小店。
"""
    * 2
)
ROPE = (
    """体育课学跳长绳，两个同学在两头摇，绳子打在地上啪啪地响，像在催人。
我站在旁边看了很久，每次要进去，脚又缩回来。老师没有催，只是跟着节奏轻轻点头。
后来我闭上眼睛听，一下，两下，第三下的时候冲了进去，居然跳过了。
原来有些事不是看会的，是听着自己的心跳，慢慢跟上去的。
"""
    * 2
)


def words(app: Any) -> str:
    """Return the markup of a page outside its components."""
    return " ".join(markup.proto.body for markup in app.get("html"))


def said(app: Any) -> str:
    """Return all that a page says outside its components."""
    return html.unescape("\n".join(element.proto.body for element in app.get("html")))


def sent_to(app: Any, component: str) -> dict[str, Any]:
    """Return what the only component of a name is given to draw."""
    [sent] = [part.proto for part in app.get("bidi_component") if component in part.proto.id]
    return unpacked(json.loads(sent.json))


def unpack(packed: Any, n: int) -> list[Any]:
    """Return the values that `pack_values` packed."""
    if isinstance(packed, list):
        return packed
    if "but" in packed:
        return [dict(packed["but"]).get(at, packed["all"]) for at in range(n)]
    if "by" in packed:
        return [[*cells] for cells in zip(*(unpack(one, n) for one in packed["by"]), strict=True)]
    columns = {name: unpack(one, n) for name, one in packed["of"].items()}
    return [{name: column[at] for name, column in columns.items()} for at in range(n)]


def unpacked(given: dict[str, Any]) -> dict[str, Any]:
    """Return what a list is given with its rows as they are."""
    for group in given.get("groups", ()):
        if "sent" in group:
            group["rows"] = unpack(group["rows"], group["sent"])
    return given


def told(app: Any) -> str:
    """Return the markup of a page and what its components were given, as it is read."""
    given = [unpacked(json.loads(part.proto.json)) for part in app.get("bidi_component")]
    return f"{words(app)}\n{json.dumps(given, ensure_ascii=False)}"


def listed(app: Any, key: str) -> list[list[str]]:
    """Return the texts of the cells of a list, row by row."""
    lines = []
    for group in sent_to(app, key)["groups"]:
        names = [column["name"] for column in group["columns"]]
        lines += [[_text_of(row.get(name, "")) for name in names] for row in group["rows"]]
    return lines


def _text_of(cell: Any) -> str:
    runs = cell if isinstance(cell, list) else [cell]
    return " ".join(str(run.get("text", "") if isinstance(run, dict) else run) for run in runs)


def row(result: Any, name: str) -> int:
    """Return the row of the document whose name contains a string."""
    return next(i for i, document in enumerate(result.documents) if name in document.name)


def integers(text: str) -> list[int]:
    """Return the numbers in a text; their thousands may be apart."""
    whole = re.sub(r"(?<=\d)[,\u2009\u202f](?=\d{3})", "", text)
    return [int(one) for one in re.findall(r"\d+", whole)]


def numbers_of(app: Any) -> list[str]:
    """Return the numbers of the strip of a page."""
    values = re.findall(r"<dd>(.*?)</dd>", said(app), re.S)
    return [re.sub(r"<[^>]*>", "", value) for value in values]
