"""Parses an English sentence of running text into clauses: the subject as a question would name it, the verb, and the words
after the verb. References in the subject, such as "he", are resolved from the document; a sentence whose subject cannot be
named gives no clause."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from agents.offline.english.documents import RUN_IN, Prose, SentencePlace
from agents.offline.english.readings import strip_markdown
from agents.offline.english.words import (
    ADVERBS,
    BASES,
    BE,
    DETERMINERS,
    DROPPED,
    EMPTY_HEADS,
    IRREGULAR,
    MEASURES,
    MODALS,
    NUMBER,
    PARTICIPLES,
    PAST,
    PERSON_NOUNS,
    PREPOSITIONS,
    PRESENT,
    SAME_PARTICIPLE,
    STOP,
)
from core.text.english_names import DATE, NAME, TITLES, UPPER, is_person, names, split_words, strip_brackets, tidy

_CONNECTIVES = re.compile(
    r"^(?:However|Moreover|Furthermore|Also|Still|Then|Nevertheless|Meanwhile|In fact|In other words|As a result|Therefore|"
    r"Thus|Hence|Besides|Indeed|Finally|Again|In addition|By then|For example|For instance|And|But|Yet|So(?! that)),? "
    r"(?=[\w\"])"
)
_TIME_LEAD = re.compile(
    rf"^(?P<lead>(?:In|On|By|During|Since|From|Between|Until|After|Before|At|Within|For|Under)\b [^;:.]{{2,60}}?)"
    rf"(?:,|(?<=\d\d\d\d)) (?=(?:[Tt]he|[Aa]n?|[{UPPER}]|[a-z]+ (?:[a-z]+ ){{0,3}}(?:was|were|had)|{NUMBER}))"
)
_WEEKDAY = re.compile(r"\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday) (?=\d)")
_FOLLOWS = re.compile(
    rf"^(?:the|an?|its|their|his|her|no|some|only|about|nearly|almost|up|down|out|off|away|over|[{UPPER}\"]|{NUMBER}\b|"
    r"of|in|on|at|for|from|to|with|by|under|between|behind|into|against|as|that|it|them|every|all|one|more|less|not|well|"
    r"back|[a-z]+ly|any|most|until|after|before|during|within|through|upon|altogether|twice|once|round|both|each|"
    r"[a-z]+s\b|[a-z]+$)"
)


class _Verb(NamedTuple):
    form: str
    auxiliary: str
    verb: str
    rest: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause of an English sentence whose subject is known."""

    subject: str
    """Subject of the clause, as a question names it."""
    kind: str
    """Kind of the clause's subject: person, name or thing."""
    form: str
    """Form of the clause's verb: copula (is, was), passive, past, present, perfect or modal."""
    auxiliary: str
    """Auxiliary verb of the clause: is, was, are, were, has, had, or a modal verb; empty in past and present tense."""
    verb: str
    """Main verb as the sentence writes it; empty if the clause has only a form of "be" (a copula)."""
    rest: str
    """Text of the clause after its verb, up to the end of the main clause."""
    lead: str
    """Time or place that stands before the subject of the clause, such as "In 1502"."""
    base: str
    """Base form of a verb whose question needs do or did; empty for a form of "be", a passive or a modal verb."""


@dataclass(frozen=True, slots=True)
class ClauseInContext:
    """A clause of a document, with the context that a question about this clause alone needs."""

    clause: Clause
    do: str
    """Word that the question puts before the subject: did, do or does; empty if the clause has another auxiliary verb."""
    before: int
    """How many sentences back the subject is named; 0 if the clause itself names it."""
    is_definite: bool
    """Whether the clause's subject is a noun phrase such as "the leaf", which is clear only within the document."""

    @property
    def front(self) -> tuple[str, str]:
        """Verbs that a question about the clause puts before and after the subject: ("did", "cost"), ("was", "built"), ("may",
        "differ")."""
        return (self.do, self.clause.base) if self.do else (self.clause.auxiliary, self.clause.verb)


def text_of(place: SentencePlace) -> str:
    """Return the sentence's text without Markdown, brackets and a heading at its beginning."""
    raw = RUN_IN.sub("", place.reading.sentence.text)
    return _WEEKDAY.sub("", strip_brackets(tidy(strip_markdown(raw)))).rstrip(". ")


def read_clauses(prose: Prose, at: int) -> list[ClauseInContext]:
    """Return the simple clauses of the sentence at index `at`: its main clause, clauses after a semicolon, a colon, "and" or
    "that", and a relative clause about its subject."""
    text = text_of(prose.places[at])
    if '"' in text or text.endswith(("?", "!", ":")) or len(text.split()) < 4:
        return []
    text = _capital(_CONNECTIVES.sub("", text))
    pieces = [text]
    match = re.match(rf"((?:The|An?) [^,;:]{{3,60}}|{NAME.pattern}), (?:which|who) ([^,;]+)(?:,|$)", text)
    if match and _verb_at([*match[1].split(" "), "."]) is None:
        pieces.append(f"{match[1]} {match[2]}")
    pieces += [_capital(p) for p in re.split(r"; |: |, and (?=the |an? )", text)[1:] if len(p.split()) > 4]
    pieces += [_capital(m[1]) for m in re.finditer(r"\b(?:agreed?|found|shows?|showed|records|established) that (.+)", text)]
    clauses = (_read_clause(piece, prose, at) for piece in pieces)
    return [t for t in clauses if t is not None]


def _read_clause(text: str, prose: Prose, at: int) -> ClauseInContext | None:
    lead = ""
    if match := _TIME_LEAD.match(text) or _BARE_LEAD.match(text):
        lead, text = match["lead"], _capital(text[match.end() :])
    text, before = _resolve_first_word(text, prose, at)
    first, _, others = text.partition(" ")
    is_common = first.lower() in prose.lower_words or (first not in prose.capitals and others[:1].islower())
    if first.istitle() and first not in ("The", "A", "An") and first.isalpha() and is_common:
        text = first.lower() + text[len(first) :]
    reading = _subject(text, prose)
    if reading is None:
        return None
    subject, verb, kind, is_definite = reading
    if prose.is_company and subject == prose.first_person:
        verb = verb._replace(auxiliary={"were": "was", "are": "is", "have": "has"}.get(verb.auxiliary, verb.auxiliary))
    do = base = ""
    if verb.form == "past":
        do, base = "did", PAST[verb.verb]
    elif verb.form == "present":
        is_one = verb.verb in PRESENT or (prose.is_company and subject == prose.first_person)
        do, base = "does" if is_one else "do", PRESENT.get(verb.verb, verb.verb)
    rest = re.sub(r",? (?:[a-z]+ )?of$", "", _one_verb(main_clause(verb.rest)))
    clause = Clause(subject, kind, verb.form, verb.auxiliary, verb.verb, rest, lead, base)
    return ClauseInContext(clause, do, before, is_definite)


def _one_verb(rest: str) -> str:
    """Return the part of `rest` before an "and" that is followed by another finite verb: "blew all day" for "blew all day and
    at dusk went round"."""
    for match in re.finditer(r",? and ", rest):
        following = rest[match.end() :].split(" ")[:5]
        if any(w in IRREGULAR or w in BE or w in ("had", "has") for w in following) or following[0] in PAST:
            return rest[: match.start()]
    return rest


_BARE_LEAD = re.compile(
    rf"^(?P<lead>(?:In|On|By|During|Since|At|Within|For|Under|Against|After|Before|Below|Above|Beyond) [^,;:.]{{2,40}}?) "
    rf"(?=(?:the|an?) [a-z]|(?i:{NUMBER}) [a-z-]+s\b)"
)
"""Pattern of a place or time before the subject without a comma: "On Skerrow the keepership ended"."""


def _resolve_first_word(text: str, prose: Prose, at: int) -> tuple[str, int]:
    """Return the sentence with a reference in its first word replaced, and how many sentences earlier the replacement is named.
    "We" becomes the company, "Croy" becomes "Leander Croy", and "He" becomes the subject of the previous sentence."""
    first = text.split(" ", 1)[0]
    if first in ("We", "Our") and prose.first_person:
        if first == "We":
            return f"{_capital(prose.first_person)}{text[2:]}", 0
        return (f"{prose.first_person}'s{text[3:]}", 0) if prose.is_company else (text, 0)
    if first in ("He", "She") and at and not prose.places[at].opens:
        earlier = text_of(prose.places[at - 1])
        whom = [n.text for n in names(earlier)]
        runs = names(earlier)
        named = [w for w in whom if w in prose.people or w in prose.persons]
        if runs and runs[0].start == 0 and len(set(named)) == 1 and whom[0] == named[0]:
            full = prose.persons.get(named[0], named[0])
            return f"{full}{text[len(first) :]}", 1
    if first in prose.persons and not re.match(r"\S+['’]", text):
        return f"{prose.persons[first]}{text[len(first) :]}", 0
    return text, 0


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _subject(text: str, prose: Prose) -> tuple[str, _Verb, str, bool] | None:
    """Split a sentence at its verb and return (subject as a question names it, verb, kind of the subject, whether the subject
    is clear only within the document), or None if the sentence has no usable subject."""
    words = text.split(" ")
    cut = _verb_at(words)
    if cut is None:
        return None
    verb = _verb(words, cut)
    subject = " ".join(words[:cut]).rstrip(",")
    subject = re.sub(r", .*$", "", subject)
    bare = subject.split(" ")
    while len(bare) > 1 and bare[-1].lower() in ADVERBS:
        bare.pop()
    subject = " ".join(bare)
    if any(w in _VERBS_ONLY or (w in IRREGULAR and w not in ("left", "found", "ground")) for w in bare):
        return None
    if verb is None or not subject or "," in subject or re.search(r"[;:()]", subject) or len(bare) > 14:
        return None
    low = subject.lower()
    if bare[0].lower() in PREPOSITIONS:
        return None
    if COUNTED.match(subject):
        return None
    if re.search(rf"\b(?:{'|'.join(STOP - {'that'})})\b", low) and not re.search(rf"^[{UPPER}][^ ]* and [{UPPER}]", subject):
        return None
    if re.search(r"\b(?:his|her|its|their|our|my|your|that|one|ones|former|latter|same|other|others)\b", low):
        return None
    if names("x " + subject) and names("x " + subject)[0].start == 2 and not text.startswith("The "):
        name = names("x " + subject)[0].text
        plain_name = " ".join(name.split()[1:]) if name.split()[0] in TITLES else name
        person = name in prose.people or plain_name in prose.people or is_person(name)
        if len(name.split()) == 1 and subject == name and name not in _list_frequent_names(prose):
            return None
        return subject, verb, "person" if person else "name", False
    determiner = bare[0].lower()
    content = [w for w in bare[1:] if w.lower() not in PREPOSITIONS]
    if re.fullmatch(r"[a-z]+ \d+(?: (?:at|in|of) [A-Z]\w+)?", low_first := subject[0].lower() + subject[1:]):
        return low_first, verb, "thing", True
    if determiner not in ("the", "a", "an"):
        if any(w in MEASURES for w in bare[:2]) and names("x " + subject) == []:
            return subject, verb, "thing", True
        is_plural = bare[-1].endswith("s") and len(bare) >= 2 and not re.search(r"\d", subject) and bare[0][1:].islower()
        return (subject[0].lower() + subject[1:], verb, "thing", True) if is_plural and verb.form != "past" else None
    head = re.split(rf" (?:{'|'.join(PREPOSITIONS)}) ", " ".join(bare[1:]))[0].split(" ")[-1].lower()
    raw_head = re.split(rf" (?:{'|'.join(PREPOSITIONS)}) ", " ".join(bare[1:]))[0].split(" ")[-1]
    if (
        not content
        or (raw_head in EMPTY_HEADS and len(content) < 2)
        or (determiner == "the" and head in _GROUPS and len(bare) == 2)
    ):
        return None
    if determiner in ("a", "an") and verb.form not in ("present", "modal", "copula") and not names("x " + verb.rest):
        return None
    kind = "person" if head in PERSON_NOUNS else "thing"
    return subject[0].lower() + subject[1:], verb, kind, not names("x " + subject[4:])


HEDGE = r"(?:about |some |nearly |almost |only |barely |around |roughly |approximately |a total of )"
COUNTED = re.compile(rf"^{HEDGE}?(?P<a>{NUMBER}) (?P<n>[a-z].*)$", re.IGNORECASE)
"""Pattern of a subject that is a number of things, such as "about 40 ships"."""

_VERBS_ONLY = split_words("gives wants quotes says goes gets makes takes puts becomes keeps lies leads begins rises brings")
_GROUPS = split_words("company bank firm society association club paper journal book play song film novel vote letter")
"""Nouns such as company or book that may stand for one of several things in a document, even after "the"."""


def _list_frequent_names(prose: Prose) -> frozenset[str]:
    """Return the single words that the document uses as a name several times or that occur in its title."""
    counts: dict[str, int] = {}
    for place in prose.places:
        for n in names("x " + place.reading.bare[:1].lower() + place.reading.bare[1:]):
            counts[n.text] = counts.get(n.text, 0) + 1
    return frozenset(name for name, n in counts.items() if n > 1 or name in prose.title)


def _verb_at(words: list[str]) -> int | None:
    """Return the index of the first word of the sentence's finite verb, or None if another clause or a list comes first."""
    i = 1
    while i < min(len(words), 16):
        word = words[i].strip(",")
        low = word.lower()
        if words[i - 1].endswith(","):
            close = next((j for j in range(i, min(len(words), i + 14)) if words[j].endswith(",")), None)
            if close is None or close + 1 >= len(words) or not _is_verb(words, close + 1):
                return None
            return close + 1
        if low in STOP:
            return None
        if _is_verb(words, i):
            return i
        i += 1
    return None


def _is_verb(words: list[str], i: int) -> bool:
    word = words[i]
    low = word.lower()
    if i and words[i - 1].strip(",").lower() in (DETERMINERS | PREPOSITIONS) and not words[i - 1].endswith(","):
        return False
    if word in BE or word in MODALS or word in ("has", "had", "have"):
        return True
    if word != low or not word.isalpha():
        return False
    following = " ".join(words[i + 1 : i + 3])
    if low in PAST:
        return not _is_participle(words, i)
    if not following or not _FOLLOWS.match(following):
        return False
    if low in PRESENT:
        return (
            re.match(
                rf"(?:the|an?|its|their|no|about|up|only|{NUMBER}\b|from|to|in|on|at|for|by|with|between|[{UPPER}]|"
                rf"more|"
                rf"every|all|any)\b",
                following,
            )
            is not None
        )
    plural = words[i - 1].lower().endswith("s") and not words[i - 1].lower().endswith("ss")
    return (
        low in BASES
        and plural
        and re.match(
            rf"(?:the|an?|no|about|up to|{NUMBER}\b|from|between|(?:to|at|by|for|over|after|within|in|every) (?:\d|about))",
            following,
        )
        is not None
    )


def _is_participle(words: list[str], i: int) -> bool:
    """Return whether the past form of a verb at index `i` only describes the noun before it, like "hung" in "the leaf hung from
    its edge is"."""
    after = words[i + 1 : i + 2]
    if words[i].lower() in PARTICIPLES or (words[i] in ("called", "named", "known") and after and after[0][0].isupper()):
        return True
    for j in range(i + 1, min(len(words), i + 14)):
        low = words[j].lower().strip(",")
        if low in STOP or words[j - 1].endswith(","):
            return False
        if low in BE or low in MODALS or low in ("has", "had"):
            return True
        if low in PAST and j > i + 2 and words[j - 1].lower() not in DETERMINERS and not low.endswith("ed"):
            return True
    return False


_DONE = SAME_PARTICIPLE | split_words(
    "shut read said meant sought forecast stood bound lent swept repaid risen fallen gone frozen"
)


def _verb(words: list[str], i: int) -> _Verb | None:
    """Return the verb at index `i` with its auxiliary, without adverbs such as "therefore" that refer to another sentence."""
    first = words[i].lower()
    rest = words[i + 1 :]
    adverbs: list[str] = []
    while rest and rest[0].strip(",").lower() in ADVERBS:
        if rest[0].strip(",").lower() not in DROPPED:
            adverbs.append(rest[0])
        rest = rest[1:]
    if not rest:
        return None
    low = rest[0].strip(",").lower()
    adverb = "".join(f"{a} " for a in adverbs)
    if first in BE:
        is_done = (low.endswith("ed") and len(low) > 4) or low in PARTICIPLES or low in _DONE
        if low == "not":
            return None
        if is_done and rest[0].endswith(","):
            return _Verb("passive", first, adverb + low, "")
        if is_done:
            return _Verb("passive", first, adverb + low, _drop_connectives(rest[1:]))
        return _Verb("copula", first, "", (adverb + _drop_connectives(rest)).strip())
    if first in MODALS or first in ("has", "had", "have"):
        if low == "not" or low == "to":
            return None
        if first in ("has", "had", "have"):
            if low == "been" and len(rest) > 1:
                return _Verb("perfect", first, f"{adverb}been {rest[1]}", _drop_connectives(rest[2:]))
            if low.endswith("ed") or low in PARTICIPLES or low in _DONE or low in ("come", "become", "run"):
                return _Verb("perfect", first, adverb + low, _drop_connectives(rest[1:]))
            return _Verb("past" if first == "had" else "present", "", first, _drop_connectives(words[i + 1 :]))
        if low == "have" and len(rest) > 1 and (rest[1].endswith("ed") or rest[1] in PARTICIPLES or rest[1] in _DONE):
            return _Verb("modal", first, f"have {rest[1]}", _drop_connectives(rest[2:]))
        two = low == "be" and len(rest) > 1 and (rest[1].endswith("ed") or rest[1] in PARTICIPLES or rest[1] in SAME_PARTICIPLE)
        return _Verb(
            "modal", first, f"{adverb}be {rest[1]}" if two else adverb + low, _drop_connectives(rest[2:] if two else rest[1:])
        )
    tail = _drop_connectives(words[i + 1 :])
    return _Verb("past" if first in PAST else "present", "", first, tail)


def _drop_connectives(words: list[str]) -> str:
    text = " ".join(w for w in words if w.strip(",").lower() not in {"therefore", "however", "nevertheless", "besides"})
    text = re.sub(r",? too$", "", text)
    return re.sub(rf",? (?:on|of) (?=(?:{DATE.pattern}))", lambda m: m[0].lstrip(","), text)


_MAIN_END = re.compile(
    r",? (?:(?:in|on|at|to|from|for|of|by|with|under|through) which|who|whom|which|whose|where|when|while|whereas|although|"
    r"though|because|but|so that|until he|until she|before|after "
    r"which|after|as well as"
    r"|despite|unless|if|since he|since she|except|including|such as|along with|alongside|particularly|especially)\b"
    r"|, to [a-z]+ |, (?:was|is|were|had|has) |; |: | [–—] | - |,? (?:and|but|or|then) (?:he|she|it|they|his|her|its|their|"
    r"was|is|were|are|has|had|also|"
    r"later|then|"
    r"subsequently|did|does|would|in which|has been)\b"
    r"|, (?:[a-z]+ing|making|becoming|being|having|thus|thereby|as|although|and)\b"
)
"""Patterns of words after which the main clause has ended."""
_AND_VERB = re.compile(r",? and (?:[a-z]+ly )?(?P<verb>[a-z][\w-]+)\b")


def main_clause(rest: str) -> str:
    """Return the words after the verb up to where another clause begins."""
    end = len(rest)
    if match := _MAIN_END.search(rest):
        end = match.start()
    for match in _AND_VERB.finditer(rest, 0, end):
        word = match["verb"]
        if (
            word in PAST
            or word in PARTICIPLES
            or word in SAME_PARTICIPLE
            or (word in PRESENT and word.endswith("s"))
            or word in ("starring", "featuring")
        ):
            end = match.start()
            break
    return rest[:end].rstrip(" ,")
