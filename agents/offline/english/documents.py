"""Facts about a whole English document that the questions use: its name, who "we" is in it, the heading above each sentence,
and the full names behind surnames."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agents.offline.english.readings import ReadSentence, strip_markdown
from core.text.english_names import TITLES, is_person, names, split_words

_GENRE = re.compile(
    r"\b(?:(?:annual|interim|quarterly|technical|final|progress) )?(?:report|handbook|manual|guide|guidebook|chronicle|history|"
    r"judgment|judgement|review|survey|study|catalogue|bulletin|newsletter|brochure|leaflet|policy|specification|"
    r"documentation|tutorial)\b",
    re.IGNORECASE,
)
_PLAIN_HEADINGS = split_words(
    "introduction abstract summary overview conclusion conclusions discussion background contents foreword preface finance "
    "references acknowledgements appendix notes general miscellaneous outlook results methods material limitations"
)


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """A sentence with its position in the document: heading, paragraph and section."""

    reading: ReadSentence
    heading: str
    """Heading above the sentence, without Markdown and numbers; empty before the first heading and directly under the title."""
    opens: bool
    """Whether the sentence is the first of a paragraph."""
    section: int


@dataclass(frozen=True)
class Prose:
    """An English document of running text, as the sentences that questions can be asked about."""

    title: str
    places: tuple[SentencePlace, ...]
    """Sentences of the document in order, without headings, table rows and list numbers."""

    @cached_property
    def name(self) -> str:
        """Name by which a question refers to the document: 'the Swing Sluice handbook', '"A Chronicle of Halmerow, 1204 to
        2021"'; empty if the title has fewer than two words."""
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
    def first_person(self) -> str:
        """Company or persons that "we" means in the document: the company of a report or the authors of a paper; empty if the
        document does not state this."""
        head = self.title.partition(": ")[0].strip()
        if re.search(r"\b(?:plc|Inc|Ltd|Limited|GmbH|AG|Corporation|Company|Group|Trust|Foundation|Society)\b\.?", head):
            return head
        is_paper = any(re.fullmatch(r"abstract", p.heading, re.IGNORECASE) for p in self.places)
        return f"the authors of {self.name}" if is_paper and self.name else ""

    @property
    def is_company(self) -> bool:
        """Whether "we" means a company, so that "our" can become "the company's"."""
        return bool(self.first_person) and not self.first_person.startswith("the authors")

    @cached_property
    def m_is_millions(self) -> bool:
        """Whether the letter "m" after a number means millions (of money) in this document and not metres."""
        return any(re.search(r"\bmillions? of [a-z]+ \(m\)", p.reading.text) for p in self.places[:12])

    @cached_property
    def lower_words(self) -> frozenset[str]:
        """Words that the document writes in lower case; such a word is not a name when it has a capital at the beginning of a
        sentence."""
        return frozenset(w for p in self.places for w in re.findall(r"(?<![\w'’-])[a-z][a-z-]+", p.reading.text))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Words that the document writes with a capital even inside a sentence."""
        return frozenset(w for p in self.places for w in re.findall(r"(?<=[\w,;] )[A-Z][\w-]+", p.reading.text))

    @cached_property
    def persons(self) -> Mapping[str, str]:
        """Dict from surname to full name without title, for surnames with exactly one full name in the document."""
        persons: dict[str, set[str]] = {}
        firsts: set[str] = set()
        for place in self.places:
            for name in names(place.reading.bare):
                words = name.text.split()
                plain = words[1:] if words[0] in TITLES else words
                if 2 <= len(plain) <= 3 and all(w[0].isupper() for w in plain):
                    persons.setdefault(plain[-1], set()).add(" ".join(plain))
                    firsts.add(plain[0])
        return {last: next(iter(full)) for last, full in persons.items() if len(full) == 1 and last not in firsts}

    @cached_property
    def people(self) -> frozenset[str]:
        """Full names in the document that belong to persons, as a personal title, a trade or a human action shows."""
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

    def name_place(self, place: SentencePlace) -> str:
        """Return how a question names the document and, if the heading is informative, the section: 'the section "Gates" of
        ...'."""
        if not self.name:
            return ""
        words = place.heading.split()
        if not words or len(words) > 8 or place.heading.lower() in _PLAIN_HEADINGS or '"' in place.heading:
            return self.name
        return f'the section "{place.heading}" of {self.name}'


RUN_IN = re.compile(
    r"^\s*(?:[-*+] +|\d+[.)] +)?(?P<m>\*\*|\*|__)[^*_\n]{2,60}[.:](?P=m):?\s+|^\s*(?:[-*+] +)?(?P<n>\*\*)"
    r"[^*\n]{2,60}(?P=n)[.:]\s+"
)
"""Pattern of a heading that begins a paragraph, in emphasis: "*The leaf is light.* Glass-fibre ..."."""
_TRADES_BEFORE = split_words(
    "engineer promoter midwife mason clerk keeper physician doctor widow carter captain master editor mayor diver laundress "
    "designer founder author architect inventor manager director archivist carpenter schoolmistress merchant maker painter "
    "potter sculptor curator historian chemist weaver printer owner counsel assessor judge called named"
)


def prose_of(title: str, readings: Sequence[ReadSentence], text: str | None) -> Prose:
    """Return a document as running text: its sentences with their headings, paragraphs and sections. Without `text` (the
    document's whole text), every sentence counts as the beginning of a paragraph."""
    places: list[SentencePlace] = []
    heading, section, end, run_in = "", 0, -1, ""
    goes_on = False  # sentence splitting cut a heading's number off
    plain_title = " ".join(title.split())
    for reading in readings:
        raw, start = reading.sentence.text, reading.sentence.span.start
        opens = end < 0 or text is None or text.count("\n", end, start) > 1
        if reading.is_heading or raw.lstrip().startswith("#") or goes_on:
            heading = re.sub(r"^(?:(?:Part|Chapter) \w+[.:]|\d+(?:\.\d+)*\.?|[A-Z]\.|§ ?\d+) +", "", strip_markdown(raw)).strip(
                " ."
            )
            is_number = re.fullmatch(r"(?:Part |Chapter )?[\dA-Z.]+", heading) is not None
            goes_on = is_number and text is not None and "\n" not in text[start : start + len(raw) + 3]
            heading = "" if heading == plain_title or plain_title.startswith(heading) else heading
            section, run_in = section + 1, ""
        elif not raw.lstrip().startswith("|"):
            match = RUN_IN.match(raw)
            run_in = strip_markdown(match[0].strip()).strip(" .:") if match else "" if opens else run_in
            places.append(SentencePlace(reading, run_in or heading, opens, section))
        end = reading.sentence.span.end
    return Prose(plain_title, tuple(places))
