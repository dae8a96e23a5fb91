"""Descriptions that can stand for an English name: "the 1925 silent film that stars Louise Dresser", "the husband of X". A
description is used only when the corpus knows of nothing else that it fits."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from rapidfuzz import fuzz

from core.offline.corpus import Corpus
from core.offline.english.clauses import clause
from core.offline.english.life import life
from core.offline.english.names import DATE, NAME, has_balanced_marks, names
from core.offline.english.topics import TRADES, Reading, Topic, label
from core.offline.english.words import NATIONALITY, UPPER, each
from core.text import content_words

LEAST_DIFFERENT = 85
"""partial_ratio, 0..100, from which a text counts as still saying the name."""


@dataclass(frozen=True, slots=True)
class Description:
    """Words for a thing, and the sentence they come from."""

    name: str
    words: str
    """A noun phrase: "the eldest daughter of X"."""
    number: int
    """Number of the sentence, from 1, among those it was looked for in."""
    worth: float


_N = rf"(?>{NAME.pattern})"
_DEFINED = re.compile(r"^.{2,140}? (?P<be>is|was|are|were) (?P<article>an?|the|one of the) (?P<phrase>[^;]{8,200})$")
_CUT = re.compile(
    r",? (?:that|who|where|when|while|although|but|because|before|after which|after he|after she|and (?:is|was|has|had|the|a|"
    r"an|he|she|it|later|also|then|served|became|who|stars|starred|features|featured)|best known|known for|making|although|as "
    r"well as)\b"
    r"|; |: | [–—] |, (?:which|and)\b"
)
_EVERYWHERE = re.compile(
    rf"(?:(?:the )?(?:United States|United Kingdom|UK|US|USA|U\.S|England|Scotland|Wales|Ireland|France|Germany|Italy|Spain|"
    rf"India|China|Japan|Canada|Australia|Russia|Poland|Austria|Brazil|Mexico|Lower Canada)|{NATIONALITY}(?:-[\w-]+)?(?: "
    rf"(?:Liberal|Conservative|Catholic|Roman|Party|Bollywood|Tamil|Malayalam|Telugu|Hindi|Kannada|Bengali|Western))*|Liberal|"
    rf"Conservative|Democratic|Republican|Catholic|Roman Catholic|Malayalam|Telugu|Tamil|Hindi|Western|Bollywood|"
    rf"CinemaScope|Technicolor)"
)
"""Names that tell too little by themselves."""
_SPECIFIC = re.compile(rf"[{UPPER}\d]")
_RELATIONS = (
    ("work", "the director of {t}", r"\bdirected by (?:the )?(?:[a-z]+ ){0,3}<E>"
     r"(?=$|[,.;]| and (?:starring|written|released|produced|based|featuring)| in | from| for| starring)"),
    ("work", "the writer of {t}", r"\bwritten by <E>(?=$|[,.;]| and (?:starring|directed|released|produced)| in )"),
    ("work", "the producer of {t}", r"\bproduced by <E>(?=$|[,.;]| and (?:starring|directed|released)| in )"),
    ("work", "the artist behind {t}", r"\b(?:album|song|single|EP) by (?:the )?(?:[A-Z][a-z]+ )?(?:[a-z-]+ ){0,4}<E>"
     r"(?=$|[,.;]| from| on| released)"),
    ("person", "the wife of {t}", r"^(?:He|[^,]{3,60}?) (?:is|was) the husband of (?:[a-z]+ ){0,3}<E>(?=$|[,.;])"),
    ("person", "the husband of {t}", r"^(?:She|[^,]{3,60}?) (?:is|was) the wife of (?:[a-z]+ ){0,3}<E>(?=$|[,.;])"),
    ("person", "the person whom {t} married", r"^(?:He|She|[^,;]{3,60}?) (?:later |first )?married (?:(?:the )?[a-z]+ ){0,3}<E>"
     r"(?=$|[,.;]| in \d| on )"),
    ("person", "the successor of {t}", r"\bwas succeeded (?:in \d+ )?by (?:his (?:[a-z]+ )?[a-z-]+,? )?<E>"
     r"(?=$|[,.;]| in | as )"),
    ("work", "the {n} on which {t} is based", r"\bbased (?:up)?on the (?:\d{4} )?(?:[a-z]+ )?"
     r"(?P<n>novel|play|book|short story|story) (?:of the same name )?\"(?P<e>[^\"]{2,60})\""),
    ("work", "the company that released {t}", r"\b(?:released|published|distributed) by <E>(?=$|[,.;]| in | on )"),
    ("person", "the parent of {t}", r"\b(?:son|daughter) of (?:the )?(?:[a-z]+ ){0,3}<E>(?=$|[,.;])"),
)  # fmt: skip
"""What a sentence about a thing of that kind says of another, e; {t} is the thing's name. <E> is a name."""
_COMPILED = tuple((re.compile(pattern.replace("<E>", f"(?P<e>{_N})")), words, kind) for kind, words, pattern in _RELATIONS)


def descriptions(name: str, answer: str, readings: Sequence[Reading], corpus: Corpus) -> Iterator[Description]:
    """Every description of that name in the numbered sentences that does not say the answer and fits nothing else in the
    corpus."""
    for number, reading in enumerate(readings, 1):
        if reading.is_heading or not reading.topic or reading.text.count('"') % 2:
            continue
        if reading.topic.name == name:
            made = chain(_defining(reading, answer), _life(reading), _deed(reading, corpus))
        else:
            made = chain(_related(name, reading))
        for words, worth in made:
            if answer.lower() in words.lower() or not has_balanced_marks(words) or not 4 <= len(words.split()) <= 24:
                continue
            if hides(words, name) and is_unique(words, reading, corpus):
                yield Description(name, words, number, worth)


def hides(words: str, name: str) -> bool:
    """Whether the words do not say the name, nor a telling part of it."""
    low = words.lower()
    telling = (
        w
        for w in re.findall(r"[^\W_]+", name)
        if len(w) > 2 and (w[0].isupper() or w[0].isdigit()) and w.lower() not in _COMMON
    )
    return max(fuzz.partial_ratio(name.lower(), low), fuzz.partial_ratio(name, words)) < LEAST_DIFFERENT and not any(
        re.search(rf"\b{re.escape(w.lower())}(?:s|es)?\b", low) for w in telling
    )


_COMMON = each("the and for with from new old")


_POINTS_ELSEWHERE = re.compile(
    r"\b(?:he|she|it|his|her|its|their|this|these|same name|title|former name|is an?|was an?)\b|^(?:first|last|only|\w+ed) of\b"
)


def _defining(reading: Reading, answer: str) -> Iterator[tuple[str, float]]:
    """What a paragraph's first sentence says its topic is, whole and shortened."""
    if reading.place != 1:
        return
    match = _DEFINED.match(reading.bare.rstrip(". "))
    if not match or match["article"] == "one of the":
        return
    phrase = without(answer, match["phrase"])
    if cut := _CUT.search(phrase):
        phrase = phrase[: cut.start()]
    if _POINTS_ELSEWHERE.search(phrase):
        return
    shorter = [
        phrase,
        *(
            phrase[: m.start()]
            for m in re.finditer(
                r", | and (?=starring|written|directed|produced|released|published|distributed|based)|"
                r"(?<!cooperation)(?<!association)(?<!collaboration)(?<!together)(?<!along) with | starring ",
                phrase,
            )
        ),
    ]
    for words in dict.fromkeys(re.sub(r",? (?:and|in|on|by|with|of|the)$", "", w.rstrip(" ,")) for w in shorter):
        rest = re.sub(r"^(?:[\w-]+ ){0,3}", "", words)
        if _SPECIFIC.search(rest) and not re.search(r"\b(?:by|in|on|of|and|with|from|the|a)$", words):
            details = sum(not _EVERYWHERE.fullmatch(n.text) for n in names("x " + rest)) + len(DATE.findall(words))
            listed = re.search(r"\b(?:starring|featuring) [^,]+,(?!.*\band\b)", words)
            person = reading.topic is not None and reading.topic.kind == "person"
            if person and not re.search(r" (?:of|in|for|by|from|at|to|with) ", f" {words} "):
                continue
            if details >= (2 if reading.topic and reading.topic.kind in ("person", "work") else 1) and not listed:
                yield f"the {words}", 0.5 + 0.1 * (match["article"] == "the") + 0.05 * min(4, details)


def _life(reading: Reading) -> Iterator[tuple[str, float]]:
    """"the Swedish actress who was born on August 3, 1921", from the bracket behind a name; the death's date serves too."""
    known = life(reading)
    what = described(reading.topic) if reading.topic else ""
    vague = 0.15 if what == "person" else 0.0
    if known.born:
        yield f"the {what} who was born on {known.born}", 0.66 - vague
    if known.died:
        yield f"the {what} who died on {known.died}", 0.64 - vague


_UNFIT = re.compile(r"[,;:]|['’] |\b(?:he|she|it|they|him|this|these|that|there)\b")
"""What a relative clause must not hold to be read in the middle of a question."""


def _deed(reading: Reading, corpus: Corpus) -> Iterator[tuple[str, float]]:
    """ "the Spanish conquistador who founded the city of Lima", from a later sentence about the topic."""
    found = clause(reading, corpus) if reading.place > 1 else None
    if found is None or found.topic is None or found.form not in ("past", "passive"):
        return
    rest = found.rest + (f" {found.lead[0].lower()}{found.lead[1:]}" if found.lead else "")
    named = sum(not _EVERYWHERE.fullmatch(n.text) for n in names(f"x {rest}"))
    telling = named + len(DATE.findall(rest))
    is_vague = telling < 2 and described(found.topic) in ("person", "thing", "film", "album", "song")
    if not named or is_vague or not 2 <= len(rest.split()) <= 14 or _UNFIT.search(rest):
        return
    if found.topic.kind == "person" or not re.search(r"\b(?:his|her)\b", rest):
        who = "who" if found.topic.kind == "person" else "that"
        verb = f"{found.auxiliary} {found.verb}".strip()
        yield f"the {described(found.topic)} {who} {verb} {rest}", 0.6 + 0.05 * min(3, telling)


def described(topic: Topic) -> str:
    """What a topic is, in a few words: "American film director", "film", "person"."""
    if topic.kind == "person":
        noun = topic.noun.lower() if topic.noun.split(" ")[-1].lower() in TRADES else "person"
        return f"{topic.adjective} {noun}" if topic.adjective and noun != "person" else noun
    return topic.noun or "thing"


def without(answer: str, phrase: str) -> str:
    """A noun phrase without the part that says the answer: "film directed by X and starring Y" -> "film starring Y"."""
    if answer not in phrase:
        return phrase
    verbs = "starring|stars|written|directed|produced|released|based|featuring|co-"
    if re.search(rf"{re.escape(answer)}\"? and (?!{verbs})", phrase):
        return ""  # half of what stands there would be left without its verb
    part = re.compile(
        rf",? ?(?:and |which was )?(?:\b(?:first |originally )?(?:[a-z]+ed|written|made|built|set|by|in|on|from|"
        rf"starring)(?:(?:,| and|, and) (?:[a-z]+ed|written))*(?: (?:in|on|by|for|at))?) "
        rf"(?:the )?(?:[a-z]+ ){{0,3}}\"?{re.escape(answer)}\"?"
    )
    left = part.sub("", phrase, count=1)
    left = re.sub(r"\b(film|album|song|novel|series) and (?=co-|[a-z]+ed\b|written)", r"\1 ", left)
    left = (
        re.sub(r"^(.{3,80}?),? and (starring|written|produced|based|released|featuring|distributed)\b", r"\1 \2", left)
        if "directed" in phrase
        else left
    )
    return re.sub(r"\s+", " ", left).replace(" ,", ",").strip(" ,")


def _related(name: str, reading: Reading) -> Iterator[tuple[str, float]]:
    topic = reading.topic
    if topic is None or name not in reading.bare:
        return
    for pattern, words, kind in _COMPILED:
        if topic.kind != kind:
            continue
        for match in pattern.finditer(reading.bare.rstrip(". ")):
            if match["e"] == name:
                yield words.format(t=label(topic, 0 if topic.kind == "work" else 1), n=match.groupdict().get("n") or ""), 0.9


def is_unique(words: str, reading: Reading, corpus: Corpus) -> bool:
    """Whether no other sentence of the corpus holds all the content words of the description, nor one about another
    thing nearly all of them."""
    wanted = content_words(words, "en")
    mine = corpus.index_of(reading.sentence)
    for index, share in corpus.nearest(wanted, "en", 6):
        other = corpus.readings[index]
        if (
            index == mine
            or other.topic is reading.topic
            or (other.topic and reading.topic and other.topic.title == reading.topic.title)
        ):
            continue
        if share >= 0.9:
            return False
    return len(wanted) >= 2
