"""English rationale questions: sentences with reasons about one name from several places (level 3), and frames to fill about
how something changed (level 4). The answer's claims are the text's own sentences with their subject named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from core.ids import derived_id
from core.numbered import Numbered
from core.offline.corpus import Corpus
from core.offline.english.checks import is_avoided
from core.offline.english.names import has_balanced_marks, names, tidy
from core.offline.english.prose_rationale import best, draft_prose_frame, draft_prose_rationale
from core.offline.english.topics import Reading, Topic
from core.offline.factoid import Claim, Rationale

PLACES = 3
"""Sentences, not neighbours, that an explicit rationale is put together from."""
SECTIONS = 4
"""Sentences that an implicit rationale needs."""
MOST = 6
"""Claims of one answer at most."""

_REASON = re.compile(
    r"\b(?:because|due to|owing to|as a result|resulting in|resulted in|result of|led to|leading to|therefore|thus|hence|in "
    r"order to|so that|caused|causing|forced|enabled|allowing"
    r"|allowed|since (?:he|she|it|they|the)\b|after (?:he|she|it|they|the|being|his|her)\b|despite|although|though|however|in "
    r"spite of|rather than|in response|prompted|intended to|aimed|credited|owing|thanks to|on account of|following the|failed|"
    r"instead)\b"
)
"""Words of cause, purpose or contrast."""
_TURN = re.compile(
    r"\b(?:became|succeeded|inherited|won|elected|appointed|founded|established|introduced|influenced|known for|pioneered"
    r"|success|failure|defeated|resigned|abandoned|expanded|declined|opposed|supported|rejected|opened|closed|changed|replaced"
    r"|moved to|married|exiled|arrested|executed|converted|reformed|bankrupt\w*|received|praised|criticised|criticized)\b"
)
"""Words of a turn in a life or a history."""
_YEAR = re.compile(r"\b(1[0-9]\d\d|20\d\d)\b")
_OUTSIDE = re.compile(
    r"^(?:This|These|That|Those|Such|Here|There|Both|Another|Other|Some|Many|One|What|So|But|And|They|Their)\b|"
    r"\b(?:aforementioned|latter|former two|above|below)\b|:$"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that can be a claim about a name."""

    number: int
    text: str
    year: int | None


def draft_explicit_rationale(sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str) -> Rationale | None:
    """A why-question about one name whose reasons stand in at least three places, or None."""
    found: list[tuple[float, str, Rationale]] = []
    for topic, said in _by_topic(sentences, corpus).values():
        chosen = _spread([s for s in said if _REASON.search(s.text) or _TURN.search(s.text)])
        reasons = sum(bool(_REASON.search(s.text)) for s in chosen)
        if len(chosen) < PLACES or not reasons:
            continue
        question = _why(topic, chosen, derived_id(seed_text, topic.title))
        if is_avoided(question, avoid) or topic.name in avoid:
            continue
        rationale = Rationale(question, tuple(Claim(s.text, (s.number,)) for s in chosen))
        found.append((min(reasons, 2) + (len(chosen) > PLACES), derived_id(seed_text, topic.title), rationale))
    return best(found, within=0.5) or best(draft_prose_rationale(sentences, corpus, seed_text, avoid))


def draft_implicit_rationale(sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str) -> Rationale | None:
    """A frame to fill: how something changed over the years, from at least four dated places; None when nothing has such a
    chain."""
    found: list[tuple[float, str, Rationale]] = []
    for topic, said in _by_topic(sentences, corpus).values():
        dated = sorted((s for s in said if s.year is not None), key=lambda s: (s.year or 0, s.number))
        chain: list[Said] = []
        for s in dated:
            if not chain or (s.year or 0) > (chain[-1].year or 0):
                chain.append(s)
        chain = _thinned(chain)
        if len(chain) < SECTIONS or (chain[-1].year or 0) - (chain[0].year or 0) < 3:
            continue
        question, theme = _change(topic, chain, derived_id(seed_text, topic.title))
        if is_avoided(question, avoid) or topic.name in avoid:
            continue
        rationale = Rationale(question, tuple(Claim(s.text, (s.number,)) for s in chain), theme=theme)
        worth = len(chain) + 0.5 * sum(bool(_REASON.search(s.text)) for s in chain)
        found.append((worth, derived_id(seed_text, topic.title), rationale))
    return best(found) or best(draft_prose_frame(sentences, corpus, seed_text, avoid))


def _by_topic(sentences: Numbered, corpus: Corpus) -> dict[str, tuple[Topic, list[Said]]]:
    """Topic title -> what the numbered sentences say of it, in its own paragraph and in others that name it in full."""
    readings = corpus.readings_of(sentences)
    found: dict[str, tuple[Topic, list[Said]]] = {}
    by_name = {r.topic.name: r.topic for r in readings if r.topic and len(r.topic.name.split()) > 1}
    for number, reading in enumerate(readings, 1):
        if reading.is_heading or (reading.sentence.span.document, reading.sentence.span.start) in corpus.places:
            continue
        year = _YEAR.search(re.sub(r"\([^()]*\)", "", reading.text)) if reading.place > 1 else None
        topics = [reading.topic] if reading.topic else []
        topics += [by_name[n.text] for n in names(reading.bare) if n.text in by_name and by_name[n.text] not in topics]
        for topic in topics:
            if text := _claim(reading, topic):
                found.setdefault(topic.title, (topic, []))[1].append(Said(number, text, int(year[0]) if year else None))
    return {title: pair for title, pair in found.items() if len(pair[1]) >= PLACES and not pair[0].qualifier}


_INSIDE = re.compile(
    r"^(?:(?:In|By|Since) \d{4} |(?:In|On|At|After|During|By|From|Since|Before|When|While|As|Although|Despite|"
    r"Because)\b.{2,80}?, )"
    r"(he|she|it)\b"
)
"""A pronoun behind a time or an occasion: "In 1861 she was"."""


def _claim(reading: Reading, topic: Topic) -> str:
    """The sentence with its He or It replaced by the name; empty when it cannot stand alone."""
    text = tidy(reading.text)
    if not has_balanced_marks(text) or not text.endswith((".", '."')) or len(text.split()) > 45 or len(text.split()) < 6:
        return ""
    pronoun = {"he": "He", "she": "She", "it": "It", "they": "They"}.get(topic.pronoun, "")
    own = {"he": "His", "she": "Her", "it": "Its", "they": "Their"}.get(topic.pronoun, "")
    name = f'"{topic.name}"' if topic.kind == "work" else topic.name
    name = topic.article.capitalize() + name if topic.article else name
    if topic is not reading.topic:
        is_clear = not re.match(r"(?:He|She|It|They|His|Her|Its|Their)\b", text) and not _OUTSIDE.search(text)
        return text if is_clear else ""
    if pronoun and re.match(rf"{pronoun}\b", text):
        return "" if not reading.follows else name + text[len(pronoun) :]
    if own and re.match(rf"{own}\b", text):
        return "" if not reading.follows else f"{name}'s" + text[len(own) :]
    if re.match(r"(?:He|She|It|They|His|Her|Its|Their)\b", text) or _OUTSIDE.search(text):
        return ""
    inside = _INSIDE.search(text)
    if inside and inside[1] == topic.pronoun and reading.follows:
        return (
            text[: inside.start(1)]
            + (topic.article + name.removeprefix("The ") if topic.article else name)
            + text[inside.end(1) :]
        )
    return (
        text if topic.name.split(",")[0].split()[-1] in text or re.match(rf"The {re.escape(topic.noun or '-')}\b", text) else ""
    )


def _spread(said: Sequence[Said]) -> list[Said]:
    """Sentences that are no neighbours and do not repeat one another, in order."""
    chosen: list[Said] = []
    for s in said:
        if chosen and s.number - chosen[-1].number < 2:
            continue
        if all(fuzz.token_set_ratio(s.text, c.text) < 80 for c in chosen):
            chosen.append(s)
    return chosen[:MOST]


def _thinned(chain: Sequence[Said]) -> list[Said]:
    """At most MOST of a chain, its ends included."""
    if len(chain) <= MOST:
        return list(chain)
    last = len(chain) - 1
    return [chain[round(i * last / (MOST - 1))] for i in range(MOST)]


def _why(topic: Topic, said: Sequence[Said], seed: str) -> str:
    name = _named(topic)
    text = " ".join(s.text for s in said)
    fronts: tuple[str, ...]
    if topic.kind == "person":
        fronts = (
            "What circumstances and decisions shaped the life and work of {s}, and what were the reasons for them?",
            "Why did the career of {s} take the turns that it did?",
            "What were the reasons behind the main turns in the life of {s}?",
        )  # fmt: skip
    elif topic.kind == "work":
        if re.search(r"\b(?:critics|reviews?|received|acclaim|box office)\b", text):
            fronts = (
                "How did {s} come to be made and received as it was, and for what reasons?",
                "What explains how {s} was made and how it was received?",
            )
        else:
            fronts = (
                "What explains the way in which {s} was made and released?",
                "For what reasons did {s} take the form that it has?",
            )
    elif topic.kind == "group":
        fronts = (
            "What caused the main changes in the history of {s}?",
            "Why did {s} develop as it did, and what were the consequences?",
        )
    else:
        fronts = (
            "What led to the main changes that {s} went through, and what followed from them?",
            "Which causes and consequences mark the history of {s}?",
        )
    return fronts[int(seed[:6], 16) % len(fronts)].format(s=name)


def _change(topic: Topic, chain: Sequence[Said], seed: str) -> tuple[str, str]:
    name, first, last = _named(topic), chain[0].year, chain[-1].year
    fronts: tuple[str, ...]
    if topic.kind == "person":
        fronts = ("How did the position of {s} change between {a} and {b}, and what does this show about the path that {s} "
                  "took?",
                  "What overall development can be seen in the career of {s} from {a} to {b}?")  # fmt: skip
        theme = f"the career of {name}"
    elif topic.kind == "work":
        fronts = (
            "How did the standing of {s} change between {a} and {b}?",
            "What does the story of {s} from {a} to {b} show about how it was taken up?",
        )
        theme = f"the standing of {name}"
    else:
        fronts = (
            "How did {s} change between {a} and {b}, and what pattern do the changes form?",
            "What overall development did {s} go through from {a} to {b}?",
        )
        theme = f"the development of {name}"
    return fronts[int(seed[:6], 16) % len(fronts)].format(s=name, a=first, b=last), theme


def _named(topic: Topic) -> str:
    if topic.kind == "work":
        return f'the {topic.noun or "work"} "{topic.name}"'
    return topic.article + topic.name
