"""The English drafter: of all that a window's sentences can be asked, the question that reads best and has one answer in the
corpus. A question names its document, and the section where that helps, unless its own names tell what is meant. It rather says
that there is none."""

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
    """One question that could be drafted."""

    question: str
    core: str
    """The question without the words that name its document."""
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
"""Words that a question on running text must not hold."""
_ENDS = re.compile(r"\b(?:the|an?|and|or|of|than|that|which|who|as|but|not|no|only|more|be|been|up to|about)\?$", re.IGNORECASE)


def options(sentences: NumberedSentences, corpus: OfflineCorpus, avoid: str = "") -> Iterator[QuestionOption]:
    """Every question that passes the refusal list, in the sentences' order."""
    numbers = {(s.span.document, s.span.start): n for n, s in enumerate(sentences.sentences, 1)}
    for key, number in numbers.items():
        found = corpus.places.get(key)
        if found is None:
            continue
        prose, at = found
        place = prose.places[at]
        for asked, t in ask_prose(prose, at):
            choice = int(derived_id(place.reading.sentence.text, asked.answer)[:8], 16)
            core = asked.questions[choice % len(asked.questions)]
            core = core[0].upper() + core[1:]
            evidence = _evidence(number, t, prose, at, numbers)
            stands = _standing(asked.answer, place)
            if not evidence or not stands or _POINTS_OUT.search(core[:-1].replace("as long as", "")):
                continue
            asked = replace(asked, answer=stands)
            question = _anchored(core, asked, t, prose, place, corpus, choice)
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
    """The sentence's number, behind that of the one that names its subject; nothing when that one is not shown."""
    if t is None or not t.before:
        return (number,)
    named = prose.places[at - t.before].reading.sentence.span
    shown = numbers.get((named.document, named.start))
    return (shown, number) if shown else ()


def _standing(answer: str, place: SentencePlace) -> str:
    """The answer as the sentence writes it; empty when it does not stand there."""
    text = " ".join(place.reading.sentence.text.split())
    at = text.lower().find(answer.lower())
    return text[at : at + len(answer)] if at >= 0 and answer else ""


def _anchored(
    core: str,
    asked: WordedQuestion,
    t: ClauseInContext | None,
    prose: Prose,
    place: SentencePlace,
    corpus: OfflineCorpus,
    choice: int,
) -> str:
    """The question with its document's name where its own names do not tell what is meant; empty when nothing does."""
    subject_names = names("x " + (t.clause.subject if t else core[0].lower() + core[1:]))
    said = {n.text for n in names("x " + core[0].lower() + core[1:])}
    full = any(" " in n.text or n.text in prose.title for n in subject_names)
    if (full and len(said) > 1) or (asked.family in _TELLING and any(" " in name for name in said)):
        return core
    where = prose.within(place) if _needs_section(core, t, prose, place) else prose.name
    if not where or asked.answer in where:
        return core if full else ""
    if f"{prose.we}" and prose.we in core and prose.we.startswith("the authors"):
        return core
    low = core if core.startswith(tuple((subject_names and [subject_names[0].text]) or ["\0"])) else core[0].lower() + core[1:]
    fronts = (f"In {where}, {low}", f"According to {where}, {low}", f"{core[:-1]}, according to {where}?")
    return fronts[choice % len(fronts)]


_TELLING = ("reversed", "nationality", "born")
"""Families whose questions need no document where they hold a whole name."""


def _needs_section(core: str, t: ClauseInContext | None, prose: Prose, place: SentencePlace) -> bool:
    """Whether the subject's last word stands in other sections too, so that the heading tells which one is meant."""
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
    worth += 0.05 * min(2, named)  # what has a name can be described instead: an implicit question can follow
    return worth - 0.1 * bool(t and t.before)


def draft_factoid(sentences: NumberedSentences, corpus: OfflineCorpus, seed_text: str, avoid: str) -> Factoid | None:
    """The best explicit factoid of a window, its family drawn by a hash of `seed_text` among those of nearly the same worth.

    Never `avoid` or a question much like it; None when none is worth asking."""
    by_family: dict[str, list[QuestionOption]] = {}
    for option in options(sentences, corpus, avoid):
        if option.worth >= _WORTH_ASKING:
            by_family.setdefault(option.asked.family, []).append(option)
    for options_of in by_family.values():
        options_of.sort(key=lambda o: (-round(o.worth, 1), derived_id(seed_text, o.question)))
    # the family is drawn first, so that what a corpus is full of (people were born) does not fill its questions
    families = sorted(
        by_family, key=lambda f: (by_family[f][0].worth < 0.75, by_family[f][0].worth < 0.85, derived_id(seed_text, f))
    )
    for option in (o for family in families for o in by_family[family][:6]):
        if not is_ambiguous(option.core, option.asked, option.reading, corpus):
            return Factoid(option.question, option.asked.answer, option.evidence, score=option.worth)
    return None


_WORTH_ASKING = 0.6
