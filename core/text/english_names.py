"""Finds English names and dates in a text. The spacing of tokenised text ("Lovat( 1631 )", '" The Film"') is repaired first."""

import re
from dataclasses import dataclass


def split_words(words: str) -> frozenset[str]:
    """Split a string at white space and return its words as a set."""
    return frozenset(words.split())


UPPER = "".join(chr(c) for c in range(0x41, 0x530) if chr(c).isupper())
"""Capital letters of the Latin, Greek and Cyrillic scripts, for a character class of a regular expression."""

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"

NATIONALITIES = split_words(
    "Afghan Albanian Algerian American Angolan Arab Argentine Argentinian Armenian Australian Austrian Azerbaijani "
    "Bangladeshi Belarusian Belgian Bolivian Bosnian Brazilian British Bulgarian Burmese Cambodian Cameroonian Canadian "
    "Chilean Chinese Colombian Croatian Cuban Cypriot Czech Czechoslovak Danish Dutch Ecuadorian Egyptian English "
    "Estonian Ethiopian Filipino Finnish Flemish French Georgian German Ghanaian Greek Hungarian Icelandic Indian "
    "Indonesian Iranian Iraqi Irish Israeli Italian Jamaican Japanese Jordanian Kazakh Kenyan Korean Kuwaiti Latvian "
    "Lebanese Libyan Lithuanian Macedonian Malaysian Maltese Mexican Moldovan Mongolian Moroccan Nepalese Nigerian "
    "Norwegian Pakistani Palestinian Paraguayan Persian Peruvian Polish Portuguese Prussian Romanian Russian Scottish "
    "Serbian Singaporean Slovak Slovene Slovenian Somali Soviet Spanish Sudanese Swedish Swiss Syrian Taiwanese Thai "
    "Tunisian Turkish Ugandan Ukrainian Uruguayan Venezuelan Vietnamese Welsh Yugoslav Zimbabwean"
)

NATIONALITY = rf"(?:(?:North|South|East|West|New)[ -])?(?:{'|'.join(sorted(NATIONALITIES))}|New Zealand|Hong Kong)"
"""Regular expression for an adjective of nationality, such as "Dutch" or "South Korean"."""

TITLES = split_words(
    "Sir Dame Lord Lady King Queen Prince Princess Emperor Empress Duke Duchess Count Countess Baron Baroness Earl "
    "Marquess Pope Saint St. President Senator Governor General Admiral Colonel Major Captain Lieutenant Sergeant Dr. Dr "
    "Professor Prof. Mr. Mrs. Ms. Mr Mrs Ms Judge Justice Bishop Archbishop Cardinal Rabbi Reverend Father Sultan Sheikh "
    "Imam Archduke Archduchess Chancellor Mayor"
)
"""Titles that stand before a person's name, such as "Sir"."""

ORGANISATION = re.compile(
    r"\b(?:University|College|Institute|Academy|School|Company|Corporation|Corp|Inc|Ltd|Limited|Records|Pictures|Studios?|"
    r"Films?"
    r"|Productions|Entertainment|Foundation|Association|Society|Party|Bank|Group|Club|Council|Committee|Court|Ministry|"
    r"Department"
    r"|Army|Navy|Force|League|Union|Church|Museum|Library|Theatre|Theater|Orchestra|Press|Books|Network|Agency|Office|FC|"
    r"F\.C\.)\b"
)
"""Pattern of words such as "University" that occur in the names of organisations."""

PLACE = re.compile(
    r"\b(?:County|District|Province|Region|City|Town|Village|River|Lake|Mount|Mountains?|Island|Islands|Street|Road|Avenue|Park"
    r"|Castle|Palace|Abbey|Cathedral|Hospital|Airport|Station|Bridge|Valley|Bay|Beach|Hall|House|Square|Cemetery|Sea|Ocean)\b"
)
"""Pattern of words such as "River" that occur in the names of places."""

_WORD = rf"(?:Dr|Mr|Mrs|Ms|St|Prof|Rev|Jr|Sr)\.|(?:[{UPPER}]\.)+|[{UPPER}][\w'’.&-]*[\w'’&]|[{UPPER}]"
"""Pattern of one capitalised word in a name: "Henry", "O'Neill", "J.", "St"."""

_JOIN = (
    r"(?:of(?: the)?|de(?: la| los)?|la|le|du|des|di|da|del|della|dos|do|van(?: de[rn]?)?|von(?: der)?|zu|den|der|ter|al-|"
    r"bin|ibn|el|y|e)"
)
"""Pattern of the small words that may stand inside a name, such as "de la"."""

_NUMERAL = r"\d+(?:st|nd|rd|th)"

NAME = re.compile(
    rf"(?:{_WORD})(?: (?:{_WORD}|{_NUMERAL}|\d{{1,2}}(?![\d,.]))| {_JOIN} (?:{_WORD}))*"
    rf"(?:, (?:{_NUMERAL} (?:Lord|Baron|Earl|Duke|Viscount|Marquess|Count|Baronet)|Lord|Baron|Earl|Duke|Count|Prince|Princess|"
    rf"Duchess|Countess|Margrave|Elector|Landgrave)"
    rf"(?: {_JOIN}| (?:{_WORD}))*)?"
)
"""Pattern of an English name: capitalised words with small words between them, and a title after a comma."""

DATE = re.compile(
    rf"(?:\d{{1,2}} (?:{MONTHS}),? \d{{4}}|(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?, ?\d{{4}}|(?:{MONTHS}),? \d{{4}}"
    r"|1[0-9]\d\d(?!\d|[-–/] ?\d|s\b)|20\d\d(?!\d|[-–/] ?\d|s\b))"
)
"""Pattern of a date: a day, a month with its year, or a year alone."""

DAY = re.compile(rf"(?:\d{{1,2}} (?:{MONTHS}),? \d{{4}}|(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?, ?\d{{4}})$")

_PARENTHESIS = re.compile(r" ?\([^()]*\)| ?\[[^\[\]]*\]")

FIRST_NAMES = split_words(
    "Aaron Adam Alan Albert Alexander Alfred Alice Andrew Ann Anna Anne Anthony Arthur Barbara Benjamin Bernard Brian Bruce "
    "Carl Carlos Caroline Catherine Charles Charlotte Christian Christina Christopher Clara Claude Daniel David Diana "
    "Donald Dorothy Douglas Edward Eleanor Elena Elizabeth Emily Emma Eric Ernest Eva Ferdinand Frances Francis Frank "
    "Frederick Gabriel Gary George Gerald Gilbert Grace Gregory Hannah Harold Harry Helen Henry Herbert Howard Hugh Ian "
    "Isabella Jack Jacob James Jan Jane Janet Jean Jennifer Jessica Joan Johann John Jonathan José Joseph Joshua Juan Julia "
    "Karen Karl Katherine Keith Kenneth Kevin Larry Laura Lawrence Leo Leon Lewis Linda Lisa Louis Louise Lucy Luis "
    "Margaret Maria Marie Mark Martha Martin Mary Matthew Maurice Max Michael Michelle Mohammed Nancy Nicholas Nigel Nina "
    "Norman Olga Oliver Oscar Otto Patricia Patrick Paul Peter Philip Pierre Rachel Ralph Raymond Rebecca Richard Robert "
    "Roger Ronald Rosa Roy Ruth Samuel Sandra Sarah Scott Sean Simon Sofia Sophia Stanley Stephen Steven Susan Teresa "
    "Thomas Timothy Victor Victoria Vincent Virginia Walter Wilhelm William"
)


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name or a date that was found in a text."""

    text: str
    start: int
    end: int


def names(text: str) -> list[FoundName]:
    """Return the names in a text that `tidy` has prepared, in order, without lone months, "I" and common words at the start of
    a sentence."""
    names = []
    for match in NAME.finditer(text):
        run, start = match[0], match.start()
        first = run.split(" ")[0]
        opens = start == 0 or text[start - 2 : start] in (". ", "? ", "! ")
        if opens and first.lower() in _OPENERS:
            run, start = run[len(first) :].lstrip(), start + len(first) + 1
        run = run.rstrip(".’'") if not re.search(r"(?:Jr|Sr|Inc|Ltd|Co|[A-Z])\.$", run) else run
        run = re.sub(r"['’]s?$", "", run)
        if run and run not in _NO_NAMES and not re.fullmatch(rf"(?:{MONTHS})(?: \d+)?", run) and not run.isdigit():
            names.append(FoundName(run, start, start + len(run)))
    return names


_OPENERS = split_words(
    "we our my you your please see note a an the in on at by for from of to with as it its he she his her they their this "
    "that these those there after before during since until while when although though despite but and or so if because "
    "who which where what how upon under over between among however later also both many most some several two three four "
    "five one all each every following according then"
)

_NO_NAMES = split_words("I We You Our The A An It He She They His Her Its Their In On At")


def is_person(name: str) -> bool:
    """Return whether a name is that of a person: it contains a title or a first name."""
    words = name.split()
    if len(words) < 2 or ORGANISATION.search(name) or PLACE.search(name) or re.search(rf"\b{NATIONALITY}\b", name):
        return False
    if words[0] in TITLES:
        return words[1] not in ("of", "Minister")
    return words[0] in FIRST_NAMES and words[1] not in ("of", "and")


def strip_brackets(text: str) -> str:
    """Return the text as one line, without brackets and their content."""
    text = " ".join(text.split())
    for _ in range(3):
        text = _PARENTHESIS.sub("", text)
    return re.sub(r",(?=,)", "", tidy(text))


def tidy(text: str) -> str:
    """Return the text as one line, with the spacing around punctuation repaired: "Lovat( 1631 – 1699), was" -> "Lovat (1631 –
    1699), was"."""
    text = " ".join(text.split())
    text = re.sub(r" ([,.;:!?)\]])", r"\1", text)
    text = re.sub(r"(?<=\w)\(", " (", text)
    text = re.sub(r"([(\[]) ", r"\1", text)
    text = re.sub(r" ([’'](?:s|re|ve|ll|d|m|t)\b)", r"\1", text)
    text = re.sub(r"(\w) n([’'])t\b", r"\1n\2t", text)
    text = re.sub(r"(?<=\w)- (?!(?:and|or|to|und)\b)(?=\w)", "-", text)
    text = re.sub(r"(?<=[A-Za-z])& (?=[A-Z])", " & ", text)
    text = re.sub(r"(?<=\d) [–-] (?=\d{2,4}\b(?! (?:[A-Z]|\d)))", "–", text)
    parts = re.sub("[“”„]", '"', text).split('"')
    if len(parts) % 2 == 0:
        return '"'.join(parts)
    joined = parts[0]
    for index in range(1, len(parts), 2):
        before = "" if not joined or joined[-1] in " ([-–—" else " "
        after = "" if not parts[index + 1] or parts[index + 1][0] in " ,.;:!?)]'’-–—" else " "
        joined = joined + before + '"' + parts[index].strip() + '"' + after + parts[index + 1]
    return joined
