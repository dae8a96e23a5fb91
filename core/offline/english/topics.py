"""What each English sentence is about. A paragraph under a heading line is about the thing the heading names, when its first
sentence says so; He, She, It and the surname at the start of its sentences then stand for that name."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.numbered import Sentence
from core.offline.english.names import core_name, gender, plain, tidy, unmarked
from core.offline.english.words import FEMALE, GROUP_NOUNS, MALE, NATIONALITY, PERSON_NOUNS, PLACE_NOUNS, WORK_NOUNS, each


@dataclass(frozen=True, slots=True)
class Topic:
    """What a paragraph is about."""

    title: str
    """The heading line, tidied."""
    name: str
    """The heading without a bracket that only tells it from others."""
    kind: str
    """person, work, place, group or thing."""
    noun: str = ""
    """What it is, in one or two words: film, village, actor; empty when the first sentence does not say."""
    adjective: str = ""
    """A nationality, when the first sentence gives one."""
    year: str = ""
    """A year that stands before the noun: "a 1925 silent film"."""
    pronoun: str = "it"
    """he, she, it or they; empty for a person whose sentences do not tell."""
    article: str = ""
    """"the " when the first sentence sets it before the name."""
    qualifier: str = ""
    """What stood in the heading's bracket: "1957 film", "educator"."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence as the drafter reads it."""

    sentence: Sentence
    text: str
    """Tidied."""
    bare: str
    """Tidied, without brackets."""
    is_heading: bool
    topic: Topic | None
    place: int
    """0 for a heading, 1 for the first sentence under it, and so on; counted from 1 where there is no heading."""
    follows: bool = True
    """Whether the sentence before it speaks of the topic too, so that He, She and It can be read as the topic."""


_HEADING_WORDS = 14
_DEFINITION = re.compile(r"^(?P<subject>.{2,120}?)(?:,[^,]{0,80},)? (?:is|was|are|were) (?P<phrase>.+)$")
"""A first sentence that says what its subject is; an insertion between two commas is left out."""
_PHRASE_END = re.compile(r"\b(?:of|in|on|by|for|from|who|which|that|with|at|to|whose|where|when|under|near)\b|[,.;:]")
"""Where the noun phrase after is/was ends at the latest."""
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")


def read(sentences: Sequence[Sentence], text: str | None = None) -> list[Reading]:
    """The readings of one document's sentences; with the document's text, headings are lines of their own, without it they are
    short sentences without a full stop."""
    heads = [_is_heading(sentences, i, text) for i in range(len(sentences))]
    out: list[Reading] = []
    topic: Topic | None = None
    place = 0
    for i, sentence in enumerate(sentences):
        if heads[i]:
            end = next((j for j in range(i + 1, len(sentences)) if heads[j]), len(sentences))
            topic = _topic(sentence.text, [s.text for s in sentences[i + 1 : end]])
            place = 0
        else:
            place += 1
            if text is not None and i and topic and _is_new_block(text, sentences[i - 1], sentence) and not heads[i - 1]:
                topic = None  # a blank line without a heading: another paragraph begins, about we do not know what
        follows = place < 3 or _speaks_of(out[-1].bare, topic)
        clean = unmarked(sentence.text)
        out.append(Reading(sentence, tidy(clean), plain(clean), heads[i], topic, place, follows))
    return out


_LEAD = re.compile(r"^(?:(?:In|By|Since) \d{4},? |(?:In|On|At|After|During|By|From|Since|Before|While|As)\b[^,]{2,60}, )")
"""A time or an occasion before the subject."""


def _speaks_of(text: str, topic: Topic | None) -> bool:
    if topic is None:
        return False
    surname = topic.name.split(",")[0].split()[-1] if topic.kind == "person" else topic.name
    start = re.sub(_LEAD, "", text)[: len(topic.name) + 12]
    pronoun = {"he": "He|he|His|his", "she": "She|she|Her|her", "it": "It|it|Its", "they": "They|they|Their"}.get(
        topic.pronoun, ""
    )
    noun = topic.noun.split()[-1] if topic.noun else "-"
    return bool(
        (pronoun and re.match(rf"(?:{pronoun})\b", start)) or surname in start or re.match(rf"The {re.escape(noun)}\b", start)
    )


def _is_new_block(text: str, before: Sentence, after: Sentence) -> bool:
    return text.count("\n", before.span.end, after.span.start) > 1


def _is_heading(sentences: Sequence[Sentence], i: int, text: str | None) -> bool:
    words = sentences[i].text.strip("# ").split()
    if not words or len(words) > _HEADING_WORDS or i + 1 >= len(sentences):
        return False
    here, following = sentences[i], sentences[i + 1]
    if following.span.document != here.span.document:
        return False
    if text is not None:
        start, end = here.span.start, here.span.end
        alone = (start == 0 or text[start - 1] == "\n" or text[text.rfind("\n", 0, start) + 1 : start].strip("# ") == "") and (
            end == len(text) or text[end : text.find("\n", end) if "\n" in text[end:] else len(text)].strip() == ""
        )
        opened = i == 0 or text.count("\n", sentences[i - 1].span.end, start) > 1
        close = text.count("\n", end, following.span.start) == 1
        last = here.text.rstrip()[-1]
        ends = last in ":;," or (last in ".!?" and not _MAY_END.search(here.text.rstrip()))
        return alone and opened and (not ends or (close and last in "!?")) and _starts_high(words[0])
    return not here.text.rstrip().endswith((".", "!", "?", ":", ";", ",", '"', "”")) and _starts_high(words[0])


_MAY_END = re.compile(r"\b(?:Jr|Sr|Inc|Ltd|Co|Corp|St|Bros|[A-Z])\.$")
"""A heading that ends in a full stop is no sentence when the full stop is an abbreviation's."""


def _starts_high(word: str) -> bool:
    return not word[0].islower()


def _topic(heading: str, body: Sequence[str]) -> Topic | None:
    title = tidy(heading.strip("# "))
    name = core_name(title)
    if not body or not name:
        return None
    first = plain(body[0])
    wanted = {w.lower().strip(",.'\"") for w in name.split() if len(w) > 2 or w[0].isupper()}
    opening = [w.lower().strip(",.'\"()") for w in first.split()[: len(name.split()) + 10]]
    shared = sum(w in opening for w in wanted)
    if not wanted or shared * 2 < len(wanted) or "may refer to" in body[0] or "disambiguation" in heading:
        return None
    match = _DEFINITION.match(first)
    phrase = match["phrase"] if match else ""
    head = _PHRASE_END.split(re.sub(r"^one of ", "", phrase), maxsplit=1)[0]
    words = [w.strip("\"'") for w in re.sub(r"\b(?:and|or)\b", " ", head).split()]
    noun, kind = _noun(words)
    qualifier = title[len(name) :].strip(" ()")
    if kind == "thing" and qualifier and (found := _noun(qualifier.split()))[0]:
        noun, kind = found
    pronoun = _pronoun(" ".join(body))
    bracket = body[0][: len(heading) + 120]
    if kind == "thing" and (
        pronoun in ("he", "she") or re.search(r"\(\s*(?:born|b\.|c\.)|\d{4}\)?\s*[–-]\s*[^()]*\d{4}\s*\)", bracket)
    ):
        kind = "person" if (pronoun != "it" and not name.startswith("The ")) or "born" in bracket else kind
    nationality = re.search(rf"\b{NATIONALITY}\b", head)
    year = _YEAR.search(head) if kind == "work" else None
    if kind == "person":
        last = noun.split(" ")[-1]
        pronoun = (
            pronoun if pronoun in ("he", "she") else gender(name) or ("she" if last in FEMALE else "he" if last in MALE else "")
        )
    else:
        pronoun = "they" if kind == "group" and pronoun == "they" else "it"
    article = "the " if first.lower().startswith(f"the {name.lower()}") and not name.lower().startswith("the ") else ""
    return Topic(
        title, name, kind, noun, nationality[0] if nationality else "", year[0] if year else "", pronoun, article, qualifier
    )


def _noun(words: Sequence[str]) -> tuple[str, str]:
    """(noun, kind) of the last noun that is known; a film drama is a film."""
    low = [w.lower() for w in words]
    for noun in ("film", "album", "song", "novel", "single"):
        if noun in low:
            after = low[low.index(noun) + 1 :]
            if any(w in PERSON_NOUNS for w in after) or "studio" in after or "company" in after or "festival" in after:
                break
            return noun, "work"
    for i in range(len(low) - 1, -1, -1):
        for nouns, kind in ((PERSON_NOUNS, "person"), (WORK_NOUNS, "work"), (PLACE_NOUNS, "place"), (GROUP_NOUNS, "group")):
            if low[i] in nouns:
                two = " ".join(words[i - 1 : i + 1]) if i and low[i - 1] in _FIRST_HALVES else words[i]
                return two, kind
    return "", "thing"


_FIRST_HALVES = each(
    "film television tv video railway train metro football rugby art folk rock short comic fashion opera army naval "
    "military voice stage record music investment primary high secondary political historic board role-playing hockey "
    "basketball association theatre"
)
"""Words that belong to the noun after them: film director, railway station."""


def _pronoun(body: str) -> str:
    counts = Counter(w.lower() for w in re.findall(r"\b(?:[Hh]e|[Hh]is|[Ss]he|[Hh]er|[Tt]hey|[Tt]heir|It|Its)\b", body))
    he, she = counts["he"] + counts["his"], counts["she"] + counts["her"]
    if he or she:
        return "he" if he > 2 * she else "she" if she > he else ""
    return "they" if counts["they"] + counts["their"] > counts["it"] + counts["its"] else "it"


def label(topic: Topic, choice: int = 0) -> str:
    """How a question names the topic, so that a reader who knows nothing of its paragraph can tell what is meant."""
    name = topic.name
    if topic.kind == "work":
        noun = topic.noun or "work"
        year = f"{topic.year} " if topic.year and (choice % 2 == 0 or topic.qualifier) else ""
        if noun in ("magazine", "newspaper", "journal"):
            return f"the {noun} {name}"
        return f'the {year}{noun} "{name}"'
    if topic.kind == "person":
        if topic.qualifier and re.fullmatch(r"[a-z][a-z -]+", topic.qualifier):
            return f"the {topic.qualifier} {name}"
        if choice % 3 == 0 and topic.noun and topic.adjective and topic.noun.split()[-1] in TRADES:
            return f"the {topic.adjective} {topic.noun} {name}"
        return name
    if topic.kind == "place" and topic.noun in ("village", "town", "municipality", "commune", "hamlet", "suburb", "township"):
        return name if topic.noun in name.lower() else f"the {topic.noun} of {name.split(', ')[0] if choice % 2 else name}"
    if (
        topic.kind == "group"
        and topic.noun in ("band", "club", "company", "label", "agency", "airline")
        and topic.noun not in name.lower()
    ):
        return f"the {topic.noun} {name}" if choice % 2 == 0 else topic.article + name
    return topic.article + name


TRADES = (
    PERSON_NOUNS
    - MALE
    - FEMALE
    - each("figure member officer official leader chief head ruler partner performer player consort regent")
) | each("actor actress statesman businessman businesswoman nobleman noblewoman")
"""Trades that read well before a name: the Scottish nobleman X."""
