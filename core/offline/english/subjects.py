"""Who or what an English sentence is about, as a question can name it: the paragraph's topic behind He, She, It and a surname,
a name of its own, or a noun phrase that holds a name."""

import re
from dataclasses import dataclass

from core.offline.corpus import Corpus
from core.offline.english.names import core_name, is_person, names
from core.offline.english.topics import Reading, Topic, label
from core.offline.english.words import PERSON_NOUNS, TITLES, UPPER


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a sentence."""

    words: str
    """As a question names it."""
    kind: str
    """person, work, place, group, thing, name, or attribute ("the founder of X")."""
    after: str
    """What follows it in the sentence."""
    is_topic: bool = False
    is_named: bool = True
    """False when the sentence only says He, She, It, a surname or The film."""
    needs_name: bool = False
    """True when the words alone do not tell which one is meant, so that the rest must."""


_VAGUE_SUBJECT = re.compile(
    r"\b(?:who|which|that|whose|where|when|while|because|although|if|whether|this|these|those|such|same|other|another|he|she|"
    r"it|they|his|her|its"
    r"|their|latter|former)\b|[;:,]"
)
"""Words and marks that a subject must not hold: it would be a clause, or point elsewhere."""


_INSERTION = re.compile(r"(?:, (?!and |or |but )[^,;:]{3,100},|itself|himself|herself) (?=[a-z])")
"""What stands between a subject and its verb: ", a schoolmistress," or "itself"."""


def subject_of(text: str, reading: Reading, corpus: Corpus, choice: int = 0) -> Subject | None:
    """The subject at the text's start; None when it cannot be named from the sentence and its heading."""
    topic = reading.topic
    if topic and not reading.follows and re.match(r"(?:He|She|It|They|His|Her|Its|Their)\b", text):
        return None
    if topic and (length := _topic_length(text, topic, reading.place)):
        named = reading.place == 1 or topic.name.lower() in text[:length].lower()
        return Subject(label(topic, choice), topic.kind, text[length:].lstrip(" ,"), True, named)
    return _attribute_of_topic(text, topic, choice) or _noun_phrase(text) or _own_name(text, topic, corpus)


def _attribute_of_topic(text: str, topic: Topic | None, choice: int) -> Subject | None:
    """"Her brother was ..." -> "the brother of X"."""
    match = re.match(r"(?:His|Her|Its|Their) ((?:[a-z-]+ ){0,3}[a-z-]+) (?=(?:is|was|are|were)\b)", text)
    if topic is None or not match or _VAGUE_SUBJECT.search(match[1]):
        return None
    mine = {"he": "His", "she": "Her", "it": "Its", "they": "Their"}.get(topic.pronoun, "-")
    if not text.startswith(mine):
        return None
    return Subject(f"the {match[1]} of {label(topic, choice)}", "attribute", text[match.end() :], True, False)


_DEFINITE = re.compile(
    rf"[Tt]he (?P<noun>(?:[a-z-]+ ){{1,4}})(?P<link>(?:of|at|in|for|on|from|between) (?:the )?)?(?=[{UPPER}]|1\d{{3}}\b|"
    rf"20\d\d\b)"
)
_INDEFINITE = re.compile(r"(?P<noun>[Aa]n? (?:[a-z-]+ ){0,2}[a-z-]+) (?=(?:was|were) [a-z]+(?:ed|t|n) )")


def _noun_phrase(text: str) -> Subject | None:
    """"The bridge at Harwell was ...", "The last Mark I was ...", "A reservoir was ..."."""
    if match := _DEFINITE.match(text):
        inside = next((n for n in names("x " + text[match.end() :]) if n.start == 2), None)
        length = inside.end - 2 if inside else 4 if match["link"] and text[match.end()].isdigit() else 0
        if length < 4 or _VAGUE_SUBJECT.search(match["noun"]):
            return None
        cut = match.end() + length
        is_part = (match["link"] or "").startswith("of")
        kind = "attribute" if is_part else "person" if _is_trade(match["noun"]) else "name"
        return Subject("the" + text[3:cut], kind, text[cut:].lstrip())
    match = _INDEFINITE.match(text)
    if match and not _VAGUE_SUBJECT.search(match["noun"]):
        return Subject(match["noun"][0].lower() + match["noun"][1:], "thing", text[match.end() :], needs_name=True)
    return None


def _is_trade(noun: str) -> bool:
    return noun.split()[-1] in PERSON_NOUNS


def _own_name(text: str, topic: Topic | None, corpus: Corpus) -> Subject | None:
    run = next((n for n in names(text) if n.start in (0, 4) and text[: n.start] in ("", "The ", "the ")), None)
    if run is None or text[run.end : run.end + 2] in ("'s", "’s") or text[run.end : run.end + 1] in ("'", "’", "-"):
        return None
    article = "the " if text[:4].lower() == "the " and run.start == 4 else ""
    parts = run.text.split()
    if parts[0].lower() in PERSON_NOUNS and parts[0] not in TITLES:
        return None  # "Actor Paul Hogan reported": a sentence's first word, not a name's
    after = text[run.end :].lstrip()
    if inserted := _INSERTION.match(after):
        after = after[inserted.end() :]
    if re.match(r"(?:and|or)\b|,", after):
        return None
    if len(parts) == 1 and run.text not in corpus.people:
        full = corpus.full_names.get(run.text)
        if full:
            return Subject(full, "person", after, is_named=False)
        is_known = topic is None and corpus.name_counts.get(run.text, 0) > 2 and run.text not in corpus.last_names
        return Subject(article + run.text, "name", after) if is_known else None
    if len(parts) == 2 and parts[0] in TITLES and run.text not in corpus.people:
        full = corpus.full_names.get(parts[1])
        return Subject(full, "person", after, is_named=False) if full else None  # "Lord Oxford": there were many
    if topic and topic.kind == "person" and parts[-1] == core_name(topic.name).split()[-1] and run.text != topic.name:
        return None  # a relative, or the topic under a longer name: we cannot tell
    kind = "person" if is_person(run.text, corpus.people, corpus.first_names) else "name"
    return Subject(article + run.text, kind, after)


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
