"""Which language a text is in, by its script or its words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from ..model import U16, Document
from ..policy import FOREIGN_AHEAD, FOREIGN_KINDS, FOREIGN_SHARE, FOREIGN_WORDS
from .characters import HAN
from .classes import FOREIGN, IS_HAN, classes_of, mark, number_of

#: words that hold a language together, most of them of one language; compared without marks. One
#: that is an English word as well stands in few other lists
_FUNCTION_WORDS = {
    "en": "the of and to that is was for with this from which are they have been but when "
    "would it in you he she we his her not had at be there their what who my your our "
    "if could should about because as by on or can will one all has do so them then "
    "than were people how some more",
    "de": "der das und ist nicht ein eine dem den von zu mit sich auf für auch wird sind "
    "wenn im des ich sie wir es einen einer als oder werden wie dass bei nach aus",
    "fr": "le les des et est dans qui une du pour au sur par il elle ne pas ce sont avec "
    "aux que la vous nous je un plus se ou cette votre",
    "es": "el los las del que en una por con se su para como más pero fue la un es lo sus "
    "está este esta son al muy",
    "it": "il gli di che una per non con della dei si nel sono anche più alla ma delle del "
    "la le un da al questo come lo",
    "pt": "os da das dos que em uma não com se para mais como ao foi pelo um na no seu sua "
    "são ou por você está de",
    "ca": "els les dels que amb una per són aquest aquesta el la un es del al més però si de",
    "gl": "os das dos que unha con para máis non son ao polo se na un da de pode",
    "ro": "și în este pe cu la din care să sunt pentru nu o mai de ca fi au sau prin acest",
    "nl": "het een van en niet dat op te zijn met voor wordt ook naar maar bij als aan de u "
    "je kunt deze uit worden",
    "da": "og det er en til af på ikke den som med de kan du jeg der et har fra eller også bliver",
    "nb": "og det er en til av på ikke som med de kan du jeg et har fra eller også ble men å",
    "sv": "och det är en till av på inte som med den kan du jag ett har från eller att för om",
    "fi": "ja on ei se että oli hän mutta voi kun joka ovat tai jos niin myös sen ole kuin "
    "sitten kanssa kaikki voit sekä siitä olla olisi olivat sitä tämä tämän nämä ne "
    "hänen heidän jonka jotka vain vielä ettei eivät mukaan jälkeen ennen minä joita "
    "jossa kuinka voidaan tällä",
    "et": "ja ei et see oli ta kui või mis ning kes aga siis seda võib oma selle tema nende "
    "olla olid mille kõik ainult veel pärast",
    "is": "og að er ekki sem það til með við eru um hann fyrir þess eða hún þeir",
    "hu": "az és hogy nem egy ez meg is van vagy ha csak de volt lehet kell mint ezt azt ki "
    "el be lesz mert minden hogyan ezek ennek ahol amely amelyek ilyen pedig illetve "
    "valamint után alatt között által szerint nincs vannak lenne így úgy itt ott fel "
    "egyik másik még már aki ami",
    "tr": "ve bir bu için ile da de çok olarak olan daha gibi ne ama her değil kadar sonra veya",
    "az": "və bir bu üçün ilə də olan çox daha kimi hər bütün olunur edir",
    "pl": "nie się że jest od który jak przez po dla są ale ich oraz lub może aby na za tym "
    "jego przy można jako co tylko być ten tego we w z o i do",
    "cs": "že je na se jsou pro nebo který jako ale by po ve si být pokud podle při jeho "
    "také však není můžete pomocí tlačítko pak do ze i od za bez mezi aby když už jen "
    "než ani kde toto tento tato této její jejich která které lze byl byla bylo",
    "sk": "že je na sa sú pre alebo ktorý ako ale by po vo si byť podľa pri jeho tiež nie "
    "aj má od za bez medzi aby keď už len než ani kde toto tento tejto jej ich ktorá "
    "ktoré možno bol bola bolo",
    "hr": "je na se da su za ili koji kao ali od u ne bi što iz nije kako može koje koja "
    "ste sam smo ovaj ova ovo svi samo već nego ako možete zatim nakon pri kroz biti "
    "bila bilo",
    "sl": "je na se da so za ali ki kot ne bi iz lahko pri tudi po ni ko biti ste ta tega "
    "te oz nato tako samo katere kateri bil bila bilo med",
    "lt": "ir yra kad su į iš tai jei kaip bet nėra arba ar jis galima prie už būti ne nuo "
    "jos jo tik kuris kuri kurie labai dar buvo bei savo tam per",
    "lv": "un ir ka ja no ar uz lai kad pēc šo šī tiek vairāk tikai jūsu kas par vai nav "
    "bet jūs kā pie savu tas",
    "sq": "dhe të një në për është me që nga ka nuk ose si kjo ky janë i",
    "vi": "và của là các những trong được cho với không có một người này khi để đã từ thì đến bạn",
    "id": "yang dan di dengan untuk dari pada ini itu adalah tidak dalam akan oleh atau "
    "anda dapat ke juga saya sebagai orang kita",
    "tl": "ang ng mga sa na ay at para hindi kung ito siya kanyang may ni",
    "sw": "na ya wa kwa ni katika kuwa za la cha hii au kama yake watu haki",
    "cy": "yn ac mae bod eu gan wedi y yr am oedd hawl gyda",
    "eu": "eta da ez du bat dira edo ere izan bere dute baina hau guztiak",
    "af": "die en van nie om wat vir met het sal aan te dit is op een hulle",
    "ga": "agus an na ar le ag tá sé go bhfuil níl leis nó chun",
    "eo": "la kaj de estas en ne al ke por li ili kun sed ĉiu",
    "la": "et est non ad cum quod ut sed qui sunt ab esse aut enim quae",
}
_MARKS = re.compile("[\u0300-\u036f]")


def _strip_marks(text: str) -> str:
    """Return a text in lower case without accents, so that decomposed and lost ones count alike."""
    return _MARKS.sub("", unicodedata.normalize("NFD", text.lower()))


def _words_of(text: str) -> list[str]:
    """Return the words of a text so, without digits."""
    if text.isascii():  # the same, four times as fast
        return text.encode().translate(_ASCII_LETTERS).decode().split()
    return _LATIN_WORD.findall(_strip_marks(text))


_ASCII_LETTERS = bytes(ord(chr(at).lower()) if chr(at).isalpha() else 32 for at in range(256))
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_TONGUES = {
    tongue: frozenset(word for word in _strip_marks(words).split() if word not in ("a", "i"))
    for tongue, words in _FUNCTION_WORDS.items()
}
_SPOKEN_IN = {
    word: tuple(tongue for tongue, common in _TONGUES.items() if word in common)
    for word in frozenset().union(*_TONGUES.values())
}
#: scripts that one language has
_SCRIPTS = tuple(
    (tongue, re.compile(span))
    for tongue, span in (
        ("ja", "[\u3040-\u30ff]"),
        ("ko", "[\uac00-\ud7a3]"),
        ("ru", "[\u0400-\u04ff]"),
    )
)
mark(FOREIGN, "\u0370-\u1cff\u3040-\u30ff\uac00-\ud7a3")  # Greek to Vedic, kana, Hangul
_LETTER = re.compile("[A-Za-z]")
_SAMPLE = 10_000  # characters looked at
_WORDS_LOOKED_AT = 4000  # characters of which the words are counted
_MAINLY = 0.75
_MUCH = 0.3
_FEW = 0.02  # share of characters beyond ASCII that curly quotes and names explain
_SOME = 0.1  # share of the letters from which a script tells the language
_HELD = 0.12  # share of the words that hold a language together, at least


class Language(NamedTuple):
    """What a text is written in.

    Attributes
    ----------
    kind
        `zh`, `en`, `mixed` or `other`: what texts are compared by. Latin script is English unless
        the words of another language hold it together.
    tongue
        The code of the language itself, "" where it is not sure.
    """

    kind: str
    tongue: str


def guess_language(text: str, classes: U16 | None = None) -> Language:
    """Return the language of a text; `classes` are those of its characters, where at hand.

    Notes
    -----
    A Han character weighs as much as a Latin word times 0.6, which is about what either says:
    translations of one text have 1.6 Han characters for an English word.

    A tongue is known by its script where one language has that, else by the words that hold a
    language together: enough for a sentence or two. For a whole text to be foreign takes more: of
    `FOREIGN_WORDS` words at least, `FOREIGN_SHARE` of them, `FOREIGN_KINDS` different ones, and
    `FOREIGN_AHEAD` times as many as English has. Lists, names, misspelt English, and English with
    verses or quotations in another language stay English.
    """
    sample = text[:_SAMPLE]
    plain = sample.encode("ascii", "ignore")
    han, foreign, latin, script = 0.0, 0.0, float(len(plain.split())), ""
    if len(sample) - len(plain) >= _FEW * len(sample):
        seen = classes_of(sample) if classes is None else classes[:_SAMPLE]
        han, foreign = 0.6 * number_of(seen, IS_HAN), 0.6 * number_of(seen, FOREIGN)
    elif not _LETTER.search(sample):
        return Language("other", "")
    if foreign > _SOME * han:
        some = _SOME * sum(map(str.isalpha, sample))
        script = next((code for code, span in _SCRIPTS if len(span.findall(sample)) > some), "")
    total = han + latin + foreign
    if total and foreign <= _MUCH * total and latin < _MAINLY * total:
        return Language("zh" if han >= _MAINLY * total else "mixed", script or "zh")
    words = Counter(_words_of(sample[:_WORDS_LOOKED_AT]))
    held = dict.fromkeys(_TONGUES, 0)
    for word in words.keys() & _SPOKEN_IN.keys():
        for tongue in _SPOKEN_IN[word]:
            held[tongue] += words[word]
    second, best = sorted(held, key=held.__getitem__)[-2:]
    sure = held[best] > max(_HELD * words.total(), held[second])
    tongue = script or (best if sure else "")
    if total == 0 or foreign > _MUCH * total:
        return Language("other", tongue)
    english = held.pop("en")
    rival = max(held, key=held.__getitem__)
    is_foreign = (
        words.total() >= FOREIGN_WORDS
        and held[rival] > max(FOREIGN_SHARE * words.total(), FOREIGN_AHEAD * english)
        and len(_TONGUES[rival] & words.keys()) >= FOREIGN_KINDS
    )
    return Language("other" if is_foreign else "en", tongue)


def language_of(document: Document) -> str:
    """Return the kind of a text's language as it was read, or as it looks."""
    return document.language or guess_language(document.text).kind


# --------------------------------------------------------------------------- how many words

LEAST_WORDS = 5  # Latin words or Han characters; fewer is no text to compare


def words_in(text: str, enough: int) -> int:
    """Count Han characters and words of other scripts, up to about `enough`."""
    count = 0
    for count, _ in enumerate(_COUNTED.finditer(text), 1):
        if count >= enough:
            break
    return count


_COUNTED = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+")
