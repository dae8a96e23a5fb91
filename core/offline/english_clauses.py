"""An English sentence as one clause: who or what, the verb, and the rest up to where another clause begins. Sentences whose
subject cannot be named from the sentence and its heading alone give none."""

import re
from dataclasses import dataclass

from core.offline.english_names import DATE, core_name, is_person, names
from core.offline.english_topics import Reading, Topic, label
from core.offline.english_words import PARTICIPLES, PAST, PERSON_NOUNS, PRESENT, SAME_PARTICIPLE, TITLES, UPPER


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

    @property
    def base(self) -> str:
        """The verb without ending; empty when it is not listed."""
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
    r",? (?:who|whom|which|whose|where|when|while|whereas|although|though|because|but|so that|until he|until she|before|after "
    r"which|after|as well as"
    r"|despite|unless|if|since he|since she|except|including|such as|along with|alongside|particularly|especially)\b"
    r"|; |: | [–—] | - |,? (?:and|but|or|then) (?:he|she|it|they|his|her|its|their|was|is|were|are|has|had|also|later|then|"
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
_VAGUE_SUBJECT = re.compile(
    r"\b(?:who|which|that|whose|where|when|while|because|although|if|whether|this|these|those|such|same|other|another|he|she|"
    r"it|they|his|her|its"
    r"|their|latter|former)\b|[;:,]"
)


def clause(
    reading: Reading, choice: int = 0, people: frozenset[str] = frozenset(), first_names: frozenset[str] = frozenset()
) -> Clause | None:
    """The sentence's main clause; `choice` picks among the ways to name its subject."""
    text = _DISCOURSE.sub("", reading.bare.rstrip(". "))
    lead = ""
    if match := _DATE_LEAD.match(text) or _EVENT_LEAD.match(text):
        lead, text = match[1], text[match.end() :]
    found = _subject(text, reading, choice, people, first_names)
    if found is None:
        return None
    subject, kind, is_topic, is_named, after = found
    verb = _VERB.match(after)
    if not verb:
        return None
    is_it = re.match(r"It\b", text) is not None
    if is_it and _EXPLETIVE.match(after):
        return None
    form, auxiliary, word, rest = _parts(verb)
    if not form:
        return None
    return Clause(
        subject, kind, reading.topic if is_topic else None, is_named, form, auxiliary, word, main_clause(rest), after, lead
    )


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


_NO_PARTICIPLE = {
    "red",
    "indeed",
    "hundred",
    "sacred",
    "united",
    "unmanned",
    "aged",
    "talented",
    "limited",
    "related",
    "untitled",
    "retired",
}
_DROPPED = {
    "also",
    "currently",
    "now",
    "still",
    "later",
    "then",
    "formerly",
    "originally",
    "officially",
    "reportedly",
    "notably",
    "",
}


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


def _subject(
    text: str, reading: Reading, choice: int, people: frozenset[str], first_names: frozenset[str]
) -> tuple[str, str, bool, bool, str] | None:
    """(how to name it, kind, is it the topic, does the sentence name it, what follows)."""
    topic = reading.topic
    if topic and not reading.follows and re.match(r"(?:He|She|It|They|His|Her|Its|Their)\b", text):
        return None
    if topic and (length := _topic_length(text, topic, reading.place)):
        named = reading.place == 1 or topic.name.lower() in text[:length].lower()
        return label(topic, choice), topic.kind, True, named, text[length:].lstrip(" ,")
    if topic and (match := re.match(r"(?:His|Her|Its|Their) ((?:[a-z-]+ ){0,3}[a-z-]+) (?=(?:is|was|are|were)\b)", text)):
        mine = {"he": "His", "she": "Her", "it": "Its", "they": "Their"}.get(topic.pronoun, "")
        if text.startswith(mine) and mine and not _VAGUE_SUBJECT.search(match[1]):
            return f"the {match[1]} of {label(topic, choice)}", "attribute", True, False, text[match.end() :]
        return None
    if match := re.match(rf"(?:[Tt]he )?((?:[a-z-]+ ){{1,4}}of (?:the )?)(?=[{UPPER}])", text):
        if text.startswith("The ") and not _VAGUE_SUBJECT.search(match[1]):
            inside = [n for n in names(text[match.end() :]) if n.start == 0]
            if inside and (len(inside[0].text.split()) > 1 or len(inside[0].text) > 3):
                cut = match.end() + inside[0].end
                return "the" + text[3:cut], "attribute", False, True, text[cut:].lstrip()
        return None
    run = next((n for n in names(text) if n.start in (0, 4) and text[: n.start] in ("", "The ")), None)
    if run is None or text[run.end : run.end + 2] in ("'s", "’s") or text[run.end : run.end + 1] in ("'", "’", "-"):
        return None
    name = ("the " if text.startswith("The ") and run.start == 4 else "") + run.text
    if run.text.split()[0].lower() in PERSON_NOUNS and run.text.split()[0] not in TITLES:
        return None  # "Actor Paul Hogan reported": a sentence's first word, not a name's
    if (len(run.text.split()) < 2 and run.text not in people) or re.match(r" (?:and|or)\b|,", text[run.end :]):
        return None
    if len(run.text.split()) == 2 and run.text.split()[0] in TITLES and run.text not in people:
        return None  # "Lord Oxford": there were many
    if (
        topic
        and topic.kind == "person"
        and run.text.split()[-1] == core_name(topic.name).split()[-1]
        and run.text != topic.name
    ):
        return None  # a relative, or the topic under a longer name: we cannot tell
    kind = "person" if is_person(run.text, people, first_names) else "name"
    return name, kind, False, True, text[run.end :].lstrip()


def _topic_length(text: str, topic: Topic, place: int) -> int:
    """Characters of the text's beginning that stand for the topic; 0 when none do."""
    name = topic.name
    for form in (f"The {name}", f'"{name}"', f'The "{name}"', name):
        if text.lower().startswith(form.lower()) and re.match(r'[ ,"]', text[len(form) : len(form) + 1] or "."):
            end = len(form)
            if appositive := re.match(r"(?:, [^,]{2,60})?,(?= (?:is|was|are|were)\b)", text[end:]):
                end += appositive.end()
            elif place == 1 and text[end : end + 1] == "," and (m := re.match(r",.{2,100}?,(?= (?:is|was)\b)", text[end:])):
                end += m.end()
            return end
    if place == 1 and (match := re.match(r'^(?:The )?"?[^.;:]{2,140}?(?= (?:is|was|are|were) )', text)):
        tokens = {w.lower().strip('.,"') for w in name.split()}
        seen = {w.lower().strip('.,"') for w in match[0].split()}
        return match.end() if len(tokens & seen) * 2 >= len(tokens) else 0
    pronouns = {"he": "He", "she": "She", "it": "It", "they": "They"}
    if topic.pronoun in pronouns and re.match(rf"{pronouns[topic.pronoun]}\b", text):
        return len(pronouns[topic.pronoun])
    if topic.noun and (match := re.match(rf"The {re.escape(topic.noun.split()[-1].lower())}(?= [a-z])(?! of\b)", text)):
        return match.end()
    if topic.kind == "person":
        before = name.split(",")[0]
        surname = before.split()[-1]
        titled = name.split(", ")[-1].split()
        forms = [before, surname]
        if len(titled) > 2 and re.match(r"\d", titled[0]):
            forms += [" ".join(titled[1:]), titled[-1]]
        if re.fullmatch(r"[IVX]+", surname) or " of " in before:
            forms = [before, " ".join(before.split(" of ")[0].split())]
        for form in forms:
            if len(form) > 2 and re.match(rf"{re.escape(form)}(?= [a-z])", text):
                return len(form)
    return 0
