"""An English document read as a whole: how a question names it, who its "we" is, under which heading a sentence stands, and
whose surname a sentence uses. Documents made of short paragraphs about things of their own are no prose."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.offline.english.names import is_person, names, unmarked
from core.offline.english.topics import Reading
from core.offline.english.words import TITLES, each

_GENRE = re.compile(
    r"\b(?:(?:annual|interim|quarterly|technical|final|progress) )?(?:report|handbook|manual|guide|guidebook|chronicle|history|"
    r"judgment|judgement|review|survey|study|catalogue|bulletin|newsletter|brochure|leaflet|policy|specification|"
    r"documentation|tutorial)\b",
    re.IGNORECASE,
)
_MANY_TOPICS = 0.3
"""Share of sentences that stand in a paragraph about its heading, from which a document is a row of such paragraphs."""
_PLAIN_HEADINGS = each(
    "introduction abstract summary overview conclusion conclusions discussion background contents foreword preface finance "
    "references acknowledgements appendix notes general miscellaneous outlook results methods material limitations"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence within its document."""

    reading: Reading
    heading: str
    """The heading it stands under, without marks and numbers; empty above the first and under the title's own."""
    opens: bool
    """Whether a paragraph begins with it."""
    section: int


@dataclass(frozen=True)
class Prose:
    """A document of running text."""

    title: str
    places: tuple[Place, ...]
    """Its sentences in order, headings, table rows and list numbers left out."""

    @cached_property
    def name(self) -> str:
        """How a question speaks of it: 'the Swing Sluice handbook', '"A Chronicle of Halmerow, 1204 to 2021"'; empty without a
        title of at least two words."""
        head, _, tail = (part.strip() for part in self.title.partition(": "))
        head = re.sub(r"\s*\([^()]*\)$", "", head)
        if not head or len(self.title.split()) < 2 or len(head.split()) > 14:
            return ""
        if re.search(r" (?:v|vs|v\.) ", head):
            return re.sub(r"\s*\[[^\]]*\].*$", "", head)
        genre = next(reversed(list(_GENRE.finditer(tail))), None)
        if genre and 1 <= len(head.split()) <= 6 and not _GENRE.search(head):
            year = re.search(r"\b(?:19|20)\d\d\b", tail)
            return f"the {head} {genre[0].lower()}" + (f" for {year[0]}" if year and "report" in genre[0].lower() else "")
        if len(head.split()) < 2:
            return f'"{self.title}"' if len(self.title.split()) <= 12 else ""
        return f'"{head}"'

    @cached_property
    def kind(self) -> str:
        """What it is, in a word or two: judgment, annual report, study, novel; "account" when nothing tells."""
        if re.search(r" (?:v|vs|v\.) ", self.title):
            return "case"
        if self.we.startswith("the authors"):
            return "study"
        genre = next(reversed(list(_GENRE.finditer(self.title))), None)
        return genre[0].lower() if genre else "story" if self.is_tale else "account"

    @cached_property
    def we(self) -> str:
        """Whom its "we" means: the company of a report, the authors of a paper; empty when that is not stated."""
        head = self.title.partition(": ")[0].strip()
        if re.search(r"\b(?:plc|Inc|Ltd|Limited|GmbH|AG|Corporation|Company|Group|Trust|Foundation|Society)\b\.?", head):
            return head
        is_paper = any(re.fullmatch(r"abstract", p.heading, re.IGNORECASE) for p in self.places)
        return f"the authors of {self.name}" if is_paper and self.name else ""

    @cached_property
    def is_tale(self) -> bool:
        """Whether people talk in it so often that it must be a story."""
        return sum('"' in p.reading.text for p in self.places) > 0.15 * len(self.places)

    @property
    def is_company(self) -> bool:
        """Whether "we" is a company and can own things."""
        return bool(self.we) and not self.we.startswith("the authors")

    @cached_property
    def m_is_millions(self) -> bool:
        """Whether an m behind a figure is millions of money and no metre."""
        return any(re.search(r"\bmillions? of [a-z]+ \(m\)", p.reading.text) for p in self.places[:12])

    @cached_property
    def lower_words(self) -> frozenset[str]:
        """Words that stand somewhere in lower case: at a sentence's start they are no names."""
        return frozenset(w for p in self.places for w in re.findall(r"(?<![\w'’-])[a-z][a-z-]+", p.reading.text))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Capitalised words that stand elsewhere than at a sentence's start."""
        return frozenset(w for p in self.places for w in re.findall(r"(?<=[\w,;] )[A-Z][\w-]+", p.reading.text))

    @cached_property
    def persons(self) -> Mapping[str, str]:
        """Surname -> the one full name that the document gives it, title included."""
        found: dict[str, set[str]] = {}
        firsts: set[str] = set()
        for place in self.places:
            for name in names(place.reading.bare):
                words = name.text.split()
                plain = words[1:] if words[0] in TITLES else words
                if 2 <= len(plain) <= 3 and all(w[0].isupper() for w in plain):
                    found.setdefault(plain[-1], set()).add(" ".join(plain))
                    firsts.add(plain[0])
        return {last: next(iter(full)) for last, full in found.items() if len(full) == 1 and last not in firsts}

    @cached_property
    def people(self) -> frozenset[str]:
        """Full names that stand somewhere with a title, a trade or a deed of persons."""
        known = set()
        for place in self.places:
            text = place.reading.bare
            for name in names(text):
                before = text[: name.start].rstrip().split(" ")[-1].strip(",").lower()
                words = name.text.split()
                if re.fullmatch(r"[IVX]+|[A-Z\d.]+", words[-1]):
                    continue
                if words[0] in TITLES and len(words) > 2:
                    known.add(" ".join(words[1:]))
                elif len(words) > 1 and (is_person(name.text) or before in _TRADES_BEFORE):
                    known.add(name.text)
        return frozenset(known)

    def within(self, place: Place) -> str:
        """How a question names the document, and the section where its heading tells something: 'the section "Gates" of'."""
        if not self.name:
            return ""
        words = place.heading.split()
        if not words or len(words) > 8 or place.heading.lower() in _PLAIN_HEADINGS or '"' in place.heading:
            return self.name
        return f'the section "{place.heading}" of {self.name}'


RUN_IN = re.compile(r"^\s*(?:[-*+] +|\d+[.)] +)?(?P<m>\*\*|\*|__)[^*_\n]{2,60}[.:](?P=m):?\s+|^\s*(?:[-*+] +)?(?P<n>\*\*)"
                    r"[^*\n]{2,60}(?P=n)[.:]\s+")  # fmt: skip
"""A run-in heading: "*The leaf is light.* Glass-fibre ..."."""
_TRADES_BEFORE = each(
    "engineer promoter midwife mason clerk keeper physician doctor widow carter captain master editor mayor diver laundress "
    "designer founder author architect inventor manager director archivist carpenter schoolmistress merchant maker painter "
    "potter sculptor curator historian chemist weaver printer owner counsel assessor judge called named"
)


def _is_of_its_own(reading: Reading) -> bool:
    """Whether the sentence stands under a heading that names somebody or something, as an encyclopaedia's do; "The crushing
    house" is a section's."""
    topic = reading.topic
    if topic is None:
        return False
    return topic.kind in ("person", "work") or any(word[0].isupper() for word in topic.name.split()[1:])


def prose_of(title: str, readings: Sequence[Reading], text: str) -> Prose | None:
    """The document as prose; None when it is a row of paragraphs about things of their own, or too short."""
    body = [r for r in readings if not r.is_heading]
    if len(body) < 4 or sum(_is_of_its_own(r) for r in body) > _MANY_TOPICS * len(body):
        return None
    places: list[Place] = []
    heading, section, end, run_in = "", 0, -1, ""
    goes_on = False  # a heading's number was cut off as a sentence of its own
    plain_title = " ".join(title.split())
    for reading in readings:
        raw, start = reading.sentence.text, reading.sentence.span.start
        opens = end < 0 or text.count("\n", end, start) > 1
        if reading.is_heading or raw.lstrip().startswith("#") or goes_on:
            heading = re.sub(r"^(?:(?:Part|Chapter) \w+[.:]|\d+(?:\.\d+)*\.?|[A-Z]\.|§ ?\d+) +", "", unmarked(raw)).strip(" .")
            goes_on = (
                bool(re.fullmatch(r"(?:Part |Chapter )?[\dA-Z.]+", heading)) and "\n" not in text[start : start + len(raw) + 3]
            )
            heading = "" if heading == plain_title or plain_title.startswith(heading) else heading
            section, run_in = section + 1, ""
        elif not raw.lstrip().startswith("|"):
            found = RUN_IN.match(raw)
            run_in = unmarked(found[0].strip()).strip(" .:") if found else "" if opens else run_in
            places.append(Place(reading, run_in or heading, opens, section))
        end = reading.sentence.span.end
    return Prose(plain_title, tuple(places)) if len(places) >= 4 else None
