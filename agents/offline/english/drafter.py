"""Drafts one English question: of all questions about the given sentences, chooses the best question that has only one answer
in the corpus. The question names its document, and the section if useful, unless other names in the question identify its
subject. Returns None if no question is good enough."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.offline.corpus import OfflineCorpus
from agents.offline.english.checks import is_ambiguous, is_avoided, refusal
from agents.offline.english.clauses import ClauseInContext
from agents.offline.english.documents import Prose, SentencePlace
from agents.offline.english.questions import ask_prose
from agents.offline.english.readings import ReadSentence
from agents.offline.english.worded_question import WordedQuestion
from agents.offline.factoid import Factoid
from core.ids import derived_id
from core.text.english_names import names
from core.text.numbered import NumberedSentences


@dataclass(frozen=True, slots=True)
class QuestionOption:
    """A question that the drafter may choose, with its evidence and its score (`worth`)."""

    question: str
    core: str
    """Question as built from the sentence, before the name of the document is added."""
    asked: WordedQuestion
    reading: ReadSentence
    evidence: tuple[int, ...]
    worth: float


_POINTS_OUT = re.compile(
    r"\b(?:we|our|us|ours|my|me|mine|I|you|your|let us|his|her|their|its|them|him|one another|another|others?|earlier|"
    r"later|"
    r"previous|next|last (?:year|week|month|winter|summer|spring|autumn)|same|so|too|then|today|ago|(?:in|of|on|at|from|by|"
    r"with|to|for|than) that|"
    r"that (?:year|month|day|night|week|winter|summer|spring|autumn|time|same)|the (?:first|second|third) "
    r"(?:was|is|had|did)|as well|respectively|such)\b"
)
"""Pattern of words such as "our" or "next year", with which a question would not be clear on its own."""
_ENDS = re.compile(r"\b(?:the|an?|and|or|of|than|that|which|who|as|but|not|no|only|more|be|been|up to|about)\?$", re.IGNORECASE)


def options(sentences: NumberedSentences, corpus: OfflineCorpus, avoid: str = "") -> Iterator[QuestionOption]:
    """Yield every question about the sentences that passes the checks of drafted questions, in the order of the sentences."""
    numbers = {(s.span.document, s.span.start): n for n, s in enumerate(sentences.sentences, 1)}
    for key, number in numbers.items():
        places = corpus.places.get(key)
        if places is None:
            continue
        prose, at = places
        place = prose.places[at]
        for asked, t in ask_prose(prose, at):
            choice = int(derived_id(place.reading.sentence.text, asked.answer)[:8], 16)
            core = asked.questions[choice % len(asked.questions)]
            core = core[0].upper() + core[1:]
            evidence = _evidence(number, t, prose, at, numbers)
            stands = _find_as_written(asked.answer, place)
            if not evidence or not stands or _POINTS_OUT.search(core[:-1].replace("as long as", "")):
                continue
            asked = replace(asked, answer=stands)
            question = _add_document_name(core, asked, t, prose, place, corpus, choice)
            if (
                not question
                or _ENDS.search(core)
                or ((why := refusal(core, asked, is_anchored=True)) and why != "nothing named")
            ):
                continue
            if len(question.split()) > 38 or is_avoided(question, avoid) or is_avoided(core, avoid):
                continue
            named = {n.text for n in names("x " + core[0].lower() + core[1:]) if n.text not in prose.name}
            yield QuestionOption(question, core, asked, place.reading, evidence, _worth(core, question, asked, t, len(named)))


def _evidence(
    number: int, t: ClauseInContext | None, prose: Prose, at: int, numbers: dict[tuple[str, int], int]
) -> tuple[int, ...]:
    """Return the numbers of the evidence sentences: the sentence itself, preceded by the sentence that names its subject if
    that is an earlier sentence; () if this earlier sentence is not among the given sentences."""
    if t is None or not t.before:
        return (number,)
    named = prose.places[at - t.before].reading.sentence.span
    shown = numbers.get((named.document, named.start))
    return (shown, number) if shown else ()


def _find_as_written(answer: str, place: SentencePlace) -> str:
    """Return the answer in the spelling of the sentence; "" if the sentence does not contain it."""
    text = " ".join(place.reading.sentence.text.split())
    at = text.lower().find(answer.lower())
    return text[at : at + len(answer)] if at >= 0 and answer else ""


def _add_document_name(
    core: str,
    asked: WordedQuestion,
    t: ClauseInContext | None,
    prose: Prose,
    place: SentencePlace,
    corpus: OfflineCorpus,
    choice: int,
) -> str:
    """Return the question with the name of its document added, or unchanged if the names in the question identify its subject;
    "" if neither is possible."""
    subject_names = names("x " + (t.clause.subject if t else core[0].lower() + core[1:]))
    said = {n.text for n in names("x " + core[0].lower() + core[1:])}
    full = any(" " in n.text or n.text in prose.title for n in subject_names)
    if (full and len(said) > 1) or (asked.family in _TELLING and any(" " in name for name in said)):
        return core
    where = prose.name_place(place) if _needs_section(core, t, prose, place) else prose.name
    if not where or asked.answer in where:
        return core if full else ""
    if f"{prose.first_person}" and prose.first_person in core and prose.first_person.startswith("the authors"):
        return core
    low = core if core.startswith(tuple((subject_names and [subject_names[0].text]) or ["\0"])) else core[0].lower() + core[1:]
    fronts = (f"In {where}, {low}", f"According to {where}, {low}", f"{core[:-1]}, according to {where}?")
    return fronts[choice % len(fronts)]


_TELLING = ("reversed", "nationality", "born")
"""Families of questions that need not name their document if they contain a full name."""


def _needs_section(core: str, t: ClauseInContext | None, prose: Prose, place: SentencePlace) -> bool:
    """Return whether the question must name the section, because the question is short or the main noun of its subject also
    occurs in other sections."""
    if len(core.split()) < 8:
        return True
    if t is None or not t.is_definite:
        return False
    head = re.escape(re.split(r" (?:of|on|for|at|in|from|with) ", t.clause.subject)[0].split()[-1])
    sections = {p.section for p in prose.places if re.search(rf"\b{head}\b", p.reading.bare)}
    return len(sections - {place.section}) > 0 and len(names("x " + core)) < 2


def _worth(core: str, question: str, asked: WordedQuestion, t: ClauseInContext | None, named: int) -> float:
    worth = asked.worth
    words = len(core.split())
    if asked.family in ("when", "period") and words > 8:
        worth = max(worth, 0.75)
    worth -= 0.1 * (words < 8) + 0.1 * (words > 24) + 0.05 * (len(question.split()) > 30)
    worth += 0.05 * min(2, named)  # a name can be replaced by a description, which makes an implicit question possible
    return worth - 0.1 * bool(t and t.before)


def draft_factoid(sentences: NumberedSentences, corpus: OfflineCorpus, seed_text: str, avoid: str) -> Factoid | None:
    """Return the best question with a short answer about the sentences; among kinds of questions with similar scores, a hash of
    `seed_text` decides.

    Never returns a question that is similar to one in `avoid`; returns None if no question is good enough."""
    by_family: dict[str, list[QuestionOption]] = {}
    for option in options(sentences, corpus, avoid):
        if option.worth >= _MIN_WORTH:
            by_family.setdefault(option.asked.family, []).append(option)
    for options_of in by_family.values():
        options_of.sort(key=lambda o: (-round(o.worth, 1), derived_id(seed_text, o.question)))
    # choose the family first, so that frequent facts (people were born) do not dominate the questions
    families = sorted(
        by_family, key=lambda f: (by_family[f][0].worth < 0.75, by_family[f][0].worth < 0.85, derived_id(seed_text, f))
    )
    for option in (o for family in families for o in by_family[family][:6]):
        if not is_ambiguous(option.core, option.asked, option.reading, corpus):
            return Factoid(option.question, option.asked.answer, option.evidence, score=option.worth)
    return None


_MIN_WORTH = 0.6
