"""What a document of running text keeps coming back to: names, numbered things and nouns, each with the sentences about it that
can stand alone."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.numbered import Numbered
from core.offline.corpus import Corpus
from core.offline.english.documents import RUN_IN, Place, Prose
from core.offline.english.names import has_balanced_marks, names, tidy, unmarked
from core.offline.english.prose_words import EMPTY_HEADS, MEASURES, PROSE_PAST, PROSE_PRESENT, UNIT_WORDS
from core.offline.english.words import MONTHS, PERSON_NOUNS, PLACE, TITLES, each


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence that can be a claim."""

    numbers: tuple[int, ...]
    """Its number among those shown, from 1; behind that of the sentence before it where that one says what it means."""
    text: str
    section: int
    heading: str
    year: int | None


@dataclass(frozen=True, slots=True)
class Theme:
    """What several sentences of a document are about."""

    words: str
    """As a question names it: "the Mark IV", "claim 7", "the barrier"."""
    is_name: bool
    is_person: bool
    prose: Prose
    lines: tuple[Line, ...]


_CONNECTIVE = re.compile(
    r"^(?:(?:However|Moreover|Furthermore|Nevertheless|Therefore|Thus|Hence|Besides|Indeed|Finally|But|And|Yet|Meanwhile|In "
    r"fact|"
    r"As a result|In consequence),? |(?:Also|Still|Then|Again|First|Second), )(?=[a-zA-Z])"
)
_NOT_ALONE = re.compile(
    r"^(?:[\w'-]+ ){0,3}(?:later|earlier|afterwards)\b|^(?:In|At|On|From|By|Of|To|With) the (?:same|former|latter|first)\b|"
    r"^(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|Such|Here|There|Both|Neither|Another|Other|Some|Many|One|What|"
    r"Who|Nobody|Each|All|Three|Two|Four|Another|Of|From (?:this|that|these)|In (?:this|that|these|it)|At (?:this|that)|"
    r"On (?:this|that|these|both)|By (?:this|that|then)|After (?:this|that)|Before (?:this|that)|See|So(?! that)|You|Your|I|"
    r"My)\b"
    r"|^(?:When|While|Since|Because|As|If|Although|Though|Before|After|Until|So that) (?:he|she|it|they|this|that|his|her|its|"
    r"their|these)\b"
    r"|^(?:[\w'-]+ ){0,3}(?:he|she|it|they|him|them|this|these|those)\b"
    r"|\b(?:latter|former|aforementioned|above|below|as follows|following)\b|\b(?:I|me|my|us|him)\b|\?$",
)
_WE = re.compile(r"\b(?:we|our|ours)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,-])(1[2-9]\d\d|20\d\d)(?![\d-]|\.\d|,\d)")
_NOUN = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Ee]very|[Nn]o|[Ee]ach) ((?:[a-z]+ )?[a-z]{3,})(?= (?:of|in|on|at|is|was|were|are|has|had|which|"
    r"that|and|or|for|to|"
    r"from|by|with|may|must|will|can|would|could|before|after|under|between)\b|[,.;:]|$)"
)
_LABELLED = re.compile(r"\b((?:[Cc]laim|[Gg]ate|[Mm]ark|[Pp]hase|[Rr]oom|[Aa]rticle) (?:\d+|[IVX]+))\b")
_STOPPED = (
    EMPTY_HEADS
    | UNIT_WORDS
    | MEASURES
    | each(
        "same own whole end beginning use kind form basis means course account place order need view evidence century decade "
        "town country world present past future number figures year years days sum value values action user file example "
        "ground hands spot subject object copy set list line winter summer spring autumn bottom top foot front back left right "
        "north south east west only few"
    )
)
_FUNCTION = each(
    "and or but that which who whom whose than then when where while because before after under over between with without "
    "from into onto upon for nor not also only even very more most less least such same both all any some each every one two "
    "three four five six seven eight nine ten half third quarter like near new old"
)
_FINITE = each("is are was were has had have may must can could will would should does did do")
_LEAST = 3
_FRONT = 60
"""Characters of a sentence in which its subject stands."""


def themes(sentences: Numbered, corpus: Corpus) -> list[Theme]:
    """The themes of the running text among those sentences, each said in at least three that can stand alone; in the order in
    which they first stand."""
    return [theme for prose, shown in _shown(sentences, corpus) if prose.name for theme in _themes(prose, shown)]


def _shown(sentences: Numbered, corpus: Corpus) -> list[tuple[Prose, list[tuple[int, Place]]]]:
    by_document: dict[int, tuple[Prose, list[tuple[int, Place]]]] = {}
    for number, sentence in enumerate(sentences.sentences, 1):
        found = corpus.places.get((sentence.span.document, sentence.span.start))
        if found is not None:
            by_document.setdefault(id(found[0]), (found[0], []))[1].append((number, found[0].places[found[1]]))
    return list(by_document.values())


def lines_of(sentences: Numbered, corpus: Corpus) -> list[tuple[Prose, list[Line]]]:
    """Each document of running text among those sentences with all its sentences that can stand alone."""
    return [(prose, _lines(prose, shown)) for prose, shown in _shown(sentences, corpus) if prose.name]


def _themes(prose: Prose, shown: Sequence[tuple[int, Place]]) -> list[Theme]:
    counts = Counter(key for _, place in shown for key in _keys(place.reading.bare))
    lines = _lines(prose, shown)
    out = []
    for key in (key for key, n in counts.items() if n >= _LEAST):
        said = _pattern(key)
        alone = tuple(line for line in lines if said.search(line.text))
        # what only comes up at the ends of sentences is not what they are about
        if len(alone) >= _LEAST and sum(bool(said.search(line.text[:_FRONT])) for line in alone) >= 2:
            out.append(Theme(_named(key, prose), key[0].isupper(), key in prose.people, prose, alone))
    return out


def _pattern(key: str) -> re.Pattern[str]:
    """A key in singular and plural; never part of a longer name."""
    if key[0].isupper() or key[-1].isdigit():
        return re.compile(rf"\b{re.escape(key)}\b", re.IGNORECASE if key[-1].isdigit() else 0)
    stem = key.removesuffix("f") + "(?:f|ves)" if key.endswith("f") else re.escape(key) + "(?:s|es)?"
    return re.compile(rf"\b{stem}\b")


def _lines(prose: Prose, shown: Sequence[tuple[int, Place]]) -> list[Line]:
    """The sentences that can be claims. One that begins with It or This goes together with the sentence before it, when that
    one stands alone and in the same paragraph."""
    out: list[Line] = []
    for i, (number, place) in enumerate(shown):
        line = _line(number, place, prose)
        if line is not None:
            out.append(line)
            continue
        before = _line(*shown[i - 1], prose) if i and not place.opens and shown[i - 1][0] == number - 1 else None
        text = _written(place)
        if before is None or not _POINTS_BACK.match(text) or _NOT_ALONE.search("X " * 5 + text) or _WE.search(text):
            continue
        both = f"{before.text} {text}"
        if len(both.split()) <= 60 and has_balanced_marks(text) and text.endswith("."):
            out.append(Line((number - 1, number), both, place.section, place.heading, before.year))
    return out


def _written(place: Place) -> str:
    text = _CONNECTIVE.sub("", tidy(unmarked(RUN_IN.sub("", place.reading.sentence.text))))
    return text[:1].upper() + text[1:]


_POINTS_BACK = re.compile(
    r"^(?:It|This|These|They|That|Its|Their|He|She|His|Her|The (?:latter|result|reason|cause|rule|measure))\b"
)


def _keys(text: str) -> set[str]:
    found = set()
    for name in names(text):
        words = name.text.split()
        if words[0] in TITLES or name.text in MONTHS.split("|") or len(name.text) < 3 or name.text.isupper():
            continue
        if len(words) > 1 or (name.start > 0 and not PLACE.fullmatch(name.text)):
            found.add(name.text)
    found.update(m[1][0].lower() + m[1][1:] if m[1][0] in "CGPRA" else m[1] for m in _LABELLED.finditer(text))
    for match in _NOUN.finditer(text):
        word = match[1].split(" ")[-1]
        if (
            word not in _STOPPED
            and f"{word}s" not in UNIT_WORDS
            and word not in _FUNCTION
            and word not in PROSE_PAST
            and word not in PERSON_NOUNS
            and not word.endswith(("ed", "ing", "ly", "est", "ous"))
        ):
            found.add(word)
    return found


def _named(key: str, prose: Prose) -> str:
    if re.search(r"\d$", key) and key[0].islower():
        return key
    if key[0].islower():
        return f"the {key}"
    before = [p.reading.bare[: m.start()] for p in prose.places for m in re.finditer(rf"\b{re.escape(key)}\b", p.reading.bare)]
    articles = sum(bool(re.search(r"\b[Tt]he $", b)) for b in before)
    return f"the {key}" if before and articles * 2 > len(before) else key


def _line(number: int, place: Place, prose: Prose) -> Line | None:
    """The sentence as a claim; None when it cannot stand alone."""
    text = _written(place)
    if _WE.search(text):
        text = _without_we(text, prose)
    words = len(text.split())
    if (
        not text
        or not 8 <= words <= 48
        or not has_balanced_marks(text)
        or not text.endswith(".")
        or text[0] == '"'
        or _NOT_ALONE.search(text)
    ):
        return None
    if not any(w in _FINITE or w in PROSE_PAST or w in PROSE_PRESENT for w in re.findall(r"[a-z]+", text)):
        return None
    year = _YEAR.search(re.sub(r"\([^()]*\)", "", text))
    return Line((number,), text, place.section, place.heading, int(year[0]) if year else None)


def _without_we(text: str, prose: Prose) -> str:
    """A company's We and Our at a sentence's start named; empty when another stays."""
    if not prose.is_company:
        return f"The authors{text[2:]}" if text.startswith("We ") and prose.we and not _WE.search(text[2:]) else ""
    text = re.sub(r"^Our\b", f"{prose.we}'s", text)
    verbs: Mapping[str, str] = {"were": "was", "are": "is", "have": "has"}
    text = re.sub(r"^We (were|are|have)\b", lambda m: f"{prose.we} {verbs[m[1]]}", text)
    text = re.sub(r"^We (?=[a-z]+ed\b|spent|bore|made|sold|paid|held|built|drew|lost|took)", f"{prose.we} ", text)
    text = re.sub(r"(?<!^)\bour\b", "its" if text.startswith(prose.we) else f"{prose.we}'s", text)
    return "" if _WE.search(text) else text
