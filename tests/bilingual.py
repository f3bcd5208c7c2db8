"""One text in Chinese and in English, written for these tests, and texts of other subjects."""

CHINESE = """\
学校附近的旧图书馆去年秋天重新开放。工人们修好了漏雨的屋顶，把三千本旧书搬进了新的书架。
一位退休教师每天早晨负责整理报纸，她说孩子们最喜欢关于海洋和恐龙的图画书。
为了节省电费，馆里安装了太阳能板；下雨的日子，灯光会暗一些，但是没有人抱怨。
五月的一个星期六，作家王小明来这里朗读他的小说，听众挤满了大厅，连楼梯上也坐着人。
馆长希望明年能够买一台扫描仪，把珍贵的手稿和地图变成数字文件，让远方的学者也能研究它们。
"""
ENGLISH = """\
The old library near the school opened again last autumn. Workers repaired the leaking roof and
moved three thousand old books onto new shelves.
A retired teacher sorts the newspapers every morning; she says that children like picture books
about the ocean and dinosaurs best.
To save electricity, solar panels were installed. On rainy days the light is somewhat dim, but
nobody complains.
On a Saturday in May the writer Wang Xiaoming came to read from his novel; the audience filled the
hall, and people even sat on the stairs.
Next year the director hopes to buy a scanner, so that precious manuscripts and maps become digital
files and scholars far away can study them too.
"""
OTHER_CHINESE = """\
面包的做法并不复杂。先把面粉、水、盐和酵母混合，揉成光滑的面团，盖上湿布发酵两个小时。
烤箱要提前预热到二百二十度，面团表面撒一点芝麻。四十分钟以后取出，放在架子上冷却。
如果喜欢甜味，可以加入蜂蜜和葡萄干；如果想要酥脆的外皮，烤的时候在炉底放一碗水。
"""
OTHER_ENGLISH = """\
Rivers in the mountains rise quickly after a storm. Hikers should cross early in the day, loosen the
straps of their packs and face upstream while they walk. A wide, shallow ford is safer than a narrow
one. When the water is brown and carries branches, wait until the next morning or turn back.
"""
