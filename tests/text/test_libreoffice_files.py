"""Old Word and Rich Text as LibreOffice saves them, against the text that it reads in them.

The files were made by `benchmarks/old_word.py` of 4a9efa0e.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from simhash_core.text.extract import extract
from simhash_core.text.extract.extracted import Extracted

FOLDER = Path(__file__).parent / "libreoffice"
SENTENCES = {
    "zh": "如有雷同，纯属巧合。|柜子满了，保安只替认得的人先放进门房。"
    "|小镇的早晨从卖豆浆的吆喝声里醒来。|他记得每一个上船的人是哪个湾的。|“熟悉”是从时间里、多方面、经常的接触中所发生的感觉。"
    "|作文要写真事，《乡土中国》可以引，不能抄。|河水慢慢地退下去，露出一级一级的石阶。"
    "|外公不识字，却能背出整本的药性赋。|图书馆的灯在九点半准时熄灭。|第二天我们才知道，桥已经修好了。"
    "|她把信折成小船，放在井沿上。|雨停以后，院子里只剩下一把椅子。",
    "zht": "如有雷同，純屬巧合。|櫃子滿了，保安只替認得的人先放進門房。"
    "|小鎮的早晨從賣豆漿的吆喝聲裡醒來。|他記得每一個上船的人是哪個灣的。|「熟悉」是從時間裡、多方面、經常的接觸中所發生的感覺。"
    "|作文要寫真事，《鄉土中國》可以引，不能抄。|河水慢慢地退下去，露出一級一級的石階。"
    "|外公不識字，卻能背出整本的藥性賦。|圖書館的燈在九點半準時熄滅。|第二天我們才知道，橋已經修好了。"
    "|她把信摺成小船，放在井沿上。|雨停以後，院子裡只剩下一把椅子。",
    "en": "Any resemblance is purely coincidental.|The porter kept parcels only for people he knew."
    "|The small town wakes to the call of the soy milk seller."
    "|He remembered which bay they came from."
    "|“Familiarity” grows out of time—it isn’t made.|Write what happened; quote, but don’t copy."
    "|The river went down slowly and laid the steps bare.|He couldn’t read, yet he knew the herbal."
    "|The lights of the library go out at half past nine.|The next day the bridge had been mended."
    "|She folded the letter into a boat.|After the rain one chair was left in the yard.",
}
_NUMBER = re.compile(r"^\s*(?:\d+\.|[a-z]\)|[•◦])\s+")
_CITED = re.compile("(?<=[.。])[1-9i]$")  # the number of a note, at the end of its paragraph
#: of the notes, the header, the footer and the boxes: how often which sentence stands in them
BESIDE = {1: 2, 4: 1, 8: 1, 11: 2, 0: 1, 3: 1}


def read(name: str) -> Extracted:
    file = FOLDER / name
    return extract(file.read_bytes(), suffix=file.suffix[1:])[1]


def squeezed(text: str) -> str:
    return "".join(text.split()).replace("\u00ad", "")


def compared(peer: str, text: str) -> Counter[str]:
    """Count the paragraphs of the peer, those found in a text, and characters on both sides."""
    here = squeezed(text)
    lines = (_NUMBER.sub("", _CITED.sub("", line)) for line in peer.split("\n"))
    paragraphs = [one for line in lines if (one := squeezed(line))]
    there, ours = Counter("".join(paragraphs)), Counter(here)
    return Counter(
        files=1,
        paragraphs=len(paragraphs),
        found=sum(one in here for one in paragraphs),
        missing=(there - ours).total(),
        more=(ours - there).total(),
    )


@pytest.mark.parametrize("language", ["zh", "zht", "en"])
@pytest.mark.parametrize("suffix", ["doc", "rtf"])
def test_tables_lists_fields_and_notes_are_read_as_by_libreoffice(
    suffix: str, language: str
) -> None:
    found = read(f"all-{language}.{suffix}")
    peer = (FOLDER / f"all-{language}.txt").read_text("utf-8-sig")
    said = [squeezed(one) for one in SENTENCES[language].split("|")]

    counts = compared(peer, found.text)
    assert counts["found"] == counts["paragraphs"] > 60
    assert counts["missing"] == 0
    assert counts["more"] == sum(len(said[at]) * n for at, n in BESIDE.items())
    assert found.notes == ()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("suffix", ["doc", "rtf"])
def test_what_a_style_hides_is_left_out_and_what_it_shows_again_is_not(
    suffix: str, language: str
) -> None:
    found = read(f"unseen-{language}.{suffix}")
    said = SENTENCES[language].split("|")

    unseen = [at for at, sentence in enumerate(said) if sentence not in found.text]
    assert unseen == [1, 3, 5, 7, 10]
    (note,) = found.notes
    assert note.code == "left_out"
    assert note.params["n"] == sum(len(squeezed(said[at])) for at in unseen)
