"""An English sentence as one clause: who or what, the verb, and the rest up to where another clause begins. Sentences whose
subject cannot be named from the sentence and its heading alone give none."""

import re
from dataclasses import dataclass

from core.offline.corpus import Corpus
from core.offline.english.names import DATE, names
from core.offline.english.subjects import subject_of
from core.offline.english.topics import Reading, Topic
from core.offline.english.words import PARTICIPLES, PAST, PRESENT, SAME_PARTICIPLE, UPPER, each


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause whose subject is known."""

    subject: str
    """As a question names it."""
    kind: str
    """What the subject is: person, work, place, group, thing, or name when that is not known."""
    topic: Topic | None
    """The paragraph's topic when the subject is it."""
    is_named: bool
    """False when the sentence itself says He, She, It or The film."""
    form: str
    """copula, passive, past, present or perfect."""
    auxiliary: str
    """is, was, are, were, has, had; empty in past and present."""
    verb: str
    """The verb as it stands; empty in a copula."""
    rest: str
    """What follows the verb, up to the end of the main clause."""
    whole: str
    """What follows the subject, up to the end of the sentence."""
    lead: str = ""
    """A date phrase that stood before the subject: "In 1502"."""
    stem: str = ""
    """The verb without ending, where the sentence's reader knew it."""

    @property
    def base(self) -> str:
        """The verb without ending; empty when it is not listed."""
        if self.stem:
            return self.stem
        if self.form == "past":
            return PAST.get(self.verb.lower(), "")
        return PRESENT.get(self.verb.lower(), "")

    @property
    def predicate(self) -> str:
        """Auxiliary, verb and rest."""
        return " ".join(part for part in (self.auxiliary, self.verb, self.rest) if part)


_DISCOURSE = re.compile(
    r"^(?:Additionally|Also|However|Moreover|Furthermore|Notably|Previously|Originally|Subsequently|Later|Eventually|Finally|"
    r"Initially"
    r"|Currently|Today|Historically|Formerly|Geographically|Administratively|In addition|As a result|In total|Overall|"
    r"Afterwards|Then"
    r"|Nevertheless|Nonetheless|Meanwhile),? (?=[A-Z])"
)
"""Words that tie a sentence to the one before and that a question does not need."""
_DATE_LEAD = re.compile(
    rf"^((?:In|On|During|By|Since|Until|From) (?:the (?:year|spring|summer|autumn|winter|fall) (?:of )?|early |late |"
    rf"mid-?)?(?:{DATE.pattern})),? "
)
"""A date before the subject."""
_EVENT_LEAD = re.compile(rf"^((?:At|During|For|Under) (?:the )?[{UPPER}0-9][^,]{{2,50}}), (?=[A-Z\"])")
"""A named occasion or place before the subject: "At the 1951 Cannes Film Festival, "."""
_ADVERB = (r"(?:(?:also|later|then|first|subsequently|originally|formally|officially|reportedly|famously|eventually|finally|"
           r"initially|currently"
           r"|formerly|notably|previously|now|still|mainly|mostly|largely|primarily|widely|generally|commonly|often|usually|"
           r"soon|again|once"
           r"|posthumously|jointly|co|successfully|legally|briefly|simultaneously|publicly|privately|directly|partly|"
           r"partially|best|well) )*")  # fmt: skip
_VERB = re.compile(
    rf"^{_ADVERB}(?:(?P<perfect>has|had) {_ADVERB}(?P<participle>been \w+|[\w-]+)|(?P<be>is|was|are|were) "
    rf"(?P<adverb>{_ADVERB})(?P<next>[^\s,;]+)"
    rf"|(?P<verb>[a-z][\w-]+\b))(?P<rest>.*)$"
)
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
"""Where the main clause ends."""
_AND_VERB = re.compile(r",? and (?:[a-z]+ly )?(?P<verb>[a-z][\w-]+)\b")
_EXPLETIVE = re.compile(
    r"^(?:is|was|has been|had been) (?:not )?(?:\w+ly )?(?:that|there|here|this|these|to|said|believed|thought|unclear|"
    r"possible|impossible|likely|unlikely|announced|reported"
    r"|known that|rumou?red|revealed|confirmed|estimated|assumed|suggested|claimed|decided|during|because|not|only|until|in|"
    r"at|on|with|under|from|when|while|after|the (?:first|last|only) time)\b"
)
"""After "It": an "it" that stands for nothing."""


def clause(reading: Reading, corpus: Corpus, choice: int = 0) -> Clause | None:
    """The sentence's main clause; `choice` picks among the ways to name its subject."""
    text = _DISCOURSE.sub("", reading.bare.rstrip(". "))
    lead = ""
    if match := _DATE_LEAD.match(text) or _EVENT_LEAD.match(text):
        lead, text = match[1], text[match.end() :]
    found = subject_of(text, reading, corpus, choice)
    if found is None:
        return None
    verb = _VERB.match(found.after)
    if not verb or (re.match(r"It\b", text) and _EXPLETIVE.match(found.after)):
        return None
    form, auxiliary, word, rest = _parts(verb)
    rest = re.sub(r"^(?:then|again|later|subsequently|also) ", "", rest)
    if not form or (found.needs_name and not (names(" x " + rest) or names(" x " + lead))):
        return None
    topic = reading.topic if found.is_topic else None
    return Clause(found.words, found.kind, topic, found.is_named, form, auxiliary, word, main_clause(rest), found.after, lead)


def _parts(match: re.Match[str]) -> tuple[str, str, str, str]:
    rest = match["rest"].strip()
    if match["be"]:
        word = match["next"]
        low = word.lower()
        is_participle = (
            (low.endswith("ed") and (low in PAST or len(low) > 5) and low not in _NO_PARTICIPLE)
            or low in PARTICIPLES
            or low in SAME_PARTICIPLE
        )
        if is_participle and not (rest and re.match(r"[a-z]+s?$", rest)):
            adverb = " ".join(w for w in match["adverb"].split() if w not in _DROPPED)
            return "passive", match["be"], f"{adverb} {word}".strip(), rest
        return (
            "copula",
            match["be"],
            "",
            f"{match['adverb']}{word} {rest}".strip() if match["adverb"].strip() not in _DROPPED else f"{word} {rest}".strip(),
        )
    if match["perfect"]:
        word = match["participle"]
        last = word.split()[-1]
        if last.endswith("ed") or last in PARTICIPLES or last in SAME_PARTICIPLE or last in ("become", "come", "run"):
            return "perfect", match["perfect"], word, rest
        return "have", match["perfect"], "", f"{word} {rest}".strip()
    word = match["verb"]
    if (word in PAST and word not in ("set", "cut", "put", "hit", "cost", "found")) or word in ("found",):
        return "past", "", word, rest
    if word in PRESENT:
        return "present", "", word, rest
    return "", "", "", ""


_NO_PARTICIPLE = each("red indeed hundred sacred united unmanned aged talented limited related untitled retired")
_DROPPED = {*each("also currently now still later then formerly originally officially reportedly notably"), ""}


def main_clause(rest: str) -> str:
    """The rest of a predicate up to where another clause begins."""
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
