"""English text put in order, and the names and dates in it. Texts that were taken apart by a tokeniser ("Lovat( 1631 )",
'" The Film"') are put together again first, so that questions read well."""

import re
from dataclasses import dataclass

from core.offline.english.words import FEMALE, MALE, MONTHS, NATIONALITY, ORGANISATION, PLACE, TITLES, UPPER, each

_WORD = rf"(?:Dr|Mr|Mrs|Ms|St|Prof|Rev|Jr|Sr)\.|(?:[{UPPER}]\.)+|[{UPPER}][\w'’.&-]*[\w'’&]|[{UPPER}]"
"""One capitalised word: "Henry", "O'Neill", "J.", "St"."""
_JOIN = (
    r"(?:of(?: the)?|de(?: la| los)?|la|le|du|des|di|da|del|della|dos|do|van(?: de[rn]?)?|von(?: der)?|zu|den|der|ter|al-|"
    r"bin|ibn|el|y|e)"
)
"""Small words inside a name."""
_NUMERAL = r"\d+(?:st|nd|rd|th)"
NAME = re.compile(
    rf"(?:{_WORD})(?: (?:{_WORD}|{_NUMERAL}|\d{{1,2}}(?![\d,.]))| {_JOIN} (?:{_WORD}))*"
    rf"(?:, (?:{_NUMERAL} (?:Lord|Baron|Earl|Duke|Viscount|Marquess|Count|Baronet)|Lord|Baron|Earl|Duke|Count|Prince|Princess|"
    rf"Duchess|Countess|Margrave|Elector|Landgrave)"
    rf"(?: {_JOIN}| (?:{_WORD}))*)?"
)
"""A run of capitalised words with the small words between them, and a title after a comma."""

DATE = re.compile(
    rf"(?:\d{{1,2}} (?:{MONTHS}),? \d{{4}}|(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?, ?\d{{4}}|(?:{MONTHS}),? \d{{4}}"
    r"|1[0-9]\d\d(?!\d|[-–/] ?\d|s\b)|20\d\d(?!\d|[-–/] ?\d|s\b))"
)
"""A day, a month with its year, or a year alone."""
DAY = re.compile(rf"(?:\d{{1,2}} (?:{MONTHS}),? \d{{4}}|(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?, ?\d{{4}})$")
MONTH = re.compile(rf"(?:{MONTHS}),? \d{{4}}$")

_PARENTHESIS = re.compile(r"\s*\([^()]*\)|\s*\[[^\[\]]*\]")
FIRST_NAMES = each(
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
class Found:
    """A name or a date in a text."""

    text: str
    start: int
    end: int


def tidy(text: str) -> str:
    """One line with the spaces that a person would set: "Lovat( 1631 – 1699), was" -> "Lovat (1631 – 1699), was"."""
    text = " ".join(text.split())
    text = re.sub(r"\s+([,.;:!?)\]])", r"\1", text)
    text = re.sub(r"(?<=\w)\(", " (", text)
    text = re.sub(r"([(\[])\s+", r"\1", text)
    text = re.sub(r"\s+([’'](?:s|re|ve|ll|d|m|t)\b)", r"\1", text)
    text = re.sub(r"(\w)\s+n([’'])t\b", r"\1n\2t", text)
    text = re.sub(r"(?<=\w)- (?!(?:and|or|to|und)\b)(?=\w)", "-", text)
    text = re.sub(r"(?<=[A-Za-z])& (?=[A-Z])", " & ", text)
    text = re.sub(r"(?<=\d) [–-] (?=\d{2,4}\b(?! (?:[A-Z]|\d)))", "–", text)
    return _quotes(text.replace("“", '"').replace("”", '"').replace("„", '"'))


_EMPHASIS = re.compile(r"(?<![\w*_`])(\*\*\*|\*\*|\*|__|_|`)(?=\S)(.+?)(?<=\S)\1(?![\w*_`])", re.DOTALL)
_LINE_MARK = re.compile(r"^\s*(?:#{1,6} +|> +|[-*+] +|\d{1,3}[.)] +)+")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]+\)")


def unmarked(text: str) -> str:
    """Without Markdown's marks: emphasis, code, links, and what opens a heading, a quotation or a list item."""
    text = _LINK.sub(r"\1", _LINE_MARK.sub("", text)).strip("| ")
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    return text


def _quotes(text: str) -> str:
    parts = text.split('"')
    if len(parts) % 2 == 0:
        return text
    joined = parts[0]
    for index in range(1, len(parts), 2):
        before = "" if not joined or joined[-1] in " ([-–—" else " "
        after = "" if not parts[index + 1] or parts[index + 1][0] in " ,.;:!?)]'’-–—" else " "
        joined = joined + before + '"' + parts[index].strip() + '"' + after + parts[index + 1]
    return joined


def plain(text: str) -> str:
    """Tidied, without what stands in brackets."""
    for _ in range(3):
        text = _PARENTHESIS.sub("", text)
    return re.sub(r",(?=,)", "", tidy(text))


def has_balanced_marks(text: str) -> bool:
    """Whether quotation marks and brackets come in pairs."""
    return text.count('"') % 2 == 0 and text.count("(") == text.count(")") and text.count("“") == text.count("”")


def names(text: str) -> list[Found]:
    """The capitalised runs of a tidied text, in order; a month alone, "I" and a sentence's first common word are none."""
    found = []
    for match in NAME.finditer(text):
        run, start = match[0], match.start()
        first = run.split(" ")[0]
        opens = start == 0 or text[start - 2 : start] in (". ", "? ", "! ")
        if opens and first.lower() in _OPENERS:
            run, start = run[len(first) :].lstrip(), start + len(first) + 1
        run = run.rstrip(".’'") if not re.search(r"(?:Jr|Sr|Inc|Ltd|Co|[A-Z])\.$", run) else run
        run = re.sub(r"['’]s?$", "", run)
        if run and run not in _NO_NAMES and not re.fullmatch(rf"(?:{MONTHS})(?: \d+)?", run) and not run.isdigit():
            found.append(Found(run, start, start + len(run)))
    return found


_OPENERS = each(
    "we our my you your please see note a an the in on at by for from of to with as it its he she his her they their this "
    "that these those there after before during since until while when although though despite but and or so if because "
    "who which where what how upon under over between among however later also both many most some several two three four "
    "five one all each every following according then"
)
_NO_NAMES = each("I We You Our The A An It He She They His Her Its Their In On At")


def dates(text: str) -> list[Found]:
    """The dates of a text, in order."""
    return [Found(m[0], m.start(), m.end()) for m in DATE.finditer(text) if not re.search(r"[\d–/-]$", text[: m.start()])]


def gender(name: str) -> str:
    """he, she, or empty when the name's title does not tell."""
    first = name.split(" ")[0].lower()
    return "he" if first in MALE else "she" if first in FEMALE else ""


def is_person(name: str, people: frozenset[str] = frozenset(), first_names: frozenset[str] = frozenset()) -> bool:
    """Whether a name is a person's: known as one, with a title, or with a first name that persons have."""
    words = name.split()
    if name in people:
        return True
    if len(words) < 2 or ORGANISATION.search(name) or PLACE.search(name) or re.search(rf"\b{NATIONALITY}\b", name):
        return False
    if words[0] in TITLES:
        return words[1] not in ("of", "Minister")
    return (words[0] in FIRST_NAMES or words[0] in first_names) and words[1] not in ("of", "and")


_ACTS = re.compile(
    rf"(?:^|[ \"])((?:[{UPPER}][\w'’-]+ ){{1,2}}[{UPPER}][\w'’-]+)(?:, (?:the|an?) [a-z -]{{3,40}},)? (?:said|wrote|was born|"
    rf"died|married|argued|testified|joined|retired"
    r"|told|asked|taught|studied|resigned|became|noticed|believed|proposed|invented|walked|answered|thought|computed|"
    r"conceived|printed|remarked|replied)\b"
)
"""A name of two or three words that does what only persons do."""


def acting_persons(text: str) -> list[str]:
    """The names in a tidied sentence that do what only persons do: "Ines Corrow wrote"."""
    found = []
    for match in _ACTS.finditer(text):
        words = match[1].split()
        if words[0] in TITLES or words[0].lower() in _OPENERS:
            words = words[1:]
        name = " ".join(words)
        if len(words) > 1 and not ORGANISATION.search(name) and not PLACE.search(name):
            found.append(name)
    return found


def core_name(title: str) -> str:
    """A heading without what stands in brackets to tell it from others: "Let It Come Down (novel)" -> "Let It Come Down"."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", title).strip() or title
