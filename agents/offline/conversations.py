"""Drafts a conversation by rules: of the questions about the given sentences, two or three that name the same thing. The first
question stays as it is; in the others, a phrase such as "that bridge" replaces the name. Things without a fitting phrase get no
conversation. There are no rules for Chinese: of six conversations drafted from 900 news texts, a reader accepted two."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.offline.corpus import OfflineCorpus
from agents.offline.english import drafter as english_drafter
from agents.offline.english.checks import is_ambiguous
from agents.offline.entities import named_in
from core.ids import derived_id
from core.quality.conversations import Exchange
from core.text.english_names import ORGANISATION, PLACE, TITLES
from core.text.numbered import NumberedSentences

MAX_TURNS = 3
_MIN_WORTH = 0.6
_PERSONAL = ("born", "nationality")
"""Families of questions that are asked about people only."""
_PERSONAL_TITLES = frozenset(title.rstrip(".") for title in TITLES)
_THING = re.compile(r"(?<= )(?:Act|Award|Barrier|Dock|Exchange|Festival|Fund|Prize|Treaty|Yard)$")
"""Pattern of the end of a name that says what kind of thing is named, beside places and organisations."""
_COMPANY = re.compile(r" (?:plc|Inc\.?|Ltd\.?|Corp\.?|AG|GmbH)(?!\w)")
"""Pattern of what follows the name of a company."""


class _Option(NamedTuple):
    """A question that may become a turn."""

    question: str
    """Question that is understood alone."""
    short: str
    """The same question without the name of its document, in which a phrase can replace the name of the thing."""
    answer: str
    evidence: tuple[int, ...]
    is_personal: bool


def draft(
    sentences: NumberedSentences,
    corpus: OfflineCorpus,
    language: str,
    seed_text: str,
    avoid: str,
    first: Exchange | None = None,
) -> dict[str, Any] | None:
    """Return {"goal", "turns"} of a conversation about the sentences, or None if no thing is asked about twice. `seed_text`
    decides between things with equally many questions; a first question in `avoid` is not asked again. If `first` is given, it
    is the first turn, and the follow-ups ask about a thing that it names."""
    groups: dict[str, list[_Option]] = {}
    for option in _list_options(sentences, corpus, avoid) if language == "en" else ():
        for name in named_in(option.short, "en"):
            if name not in option.answer and option.answer not in name:
                groups.setdefault(name, []).append(option)
    ranked = sorted(groups, key=lambda name: (-len({one.answer for one in groups[name]}), derived_id(seed_text, name)))
    if first:
        ranked = [name for name in ranked if name in f"{first.question}\n{first.answer}"]
    for name in ranked:
        phrase = _find_phrase(name, groups[name])
        turns = _list_turns(name, phrase, groups[name], first) if phrase else []
        if len(turns) > 1 and turns[0]["question"] not in avoid:
            return {"goal": f"Find out {len(turns)} facts about {name}.", "turns": turns}
    return None


def _list_turns(name: str, phrase: str, options: Sequence[_Option], first: Exchange | None) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    told = ""
    if first:
        turns.append({"question": first.question, "standalone": first.question, "answer": first.answer, "evidence": []})
        told = f"{first.answer}\n{first.question}"
    for one in options:
        if len(turns) == MAX_TURNS or one.answer in told or any(turn["standalone"] == one.question for turn in turns):
            continue
        short = re.sub(rf"{re.escape(name)}{_COMPANY.pattern}", name, one.short)
        if turns and not re.search(rf"(?:^|[a-z’'] ){re.escape(name)}", short):
            continue  # a part of a longer name
        question = short.replace(name, phrase) if turns else one.question
        if turns and (name.split()[-1] in question or question == one.short):
            continue
        question = question[0].upper() + question[1:]
        alone = one.short if first else one.question  # a given first turn may not name the document
        turns.append({"question": question, "standalone": alone, "answer": one.answer, "evidence": list(one.evidence)})
        told += f"\n{one.answer}\n{one.question}"
    return turns


def _find_phrase(name: str, options: Sequence[_Option]) -> str:
    """Return the phrase that stands for the name in a follow-up, or "" if no phrase fits."""
    if any(_COMPANY.match(one.short.partition(name)[2]) for one in options):
        return "that company"
    if name.split()[0].rstrip(".") in _PERSONAL_TITLES and " " in name:
        return "that person"
    if kind := _THING.search(name) or PLACE.search(name) or ORGANISATION.search(name):
        return f"that {kind[0].lower()}" if kind.end() == len(name) and not name.startswith(kind[0]) else ""
    return "that person" if " " in name and any(one.is_personal for one in options) else ""


def _list_options(sentences: NumberedSentences, corpus: OfflineCorpus, avoid: str) -> list[_Option]:
    return [
        _Option(one.question, one.core, one.asked.answer, one.evidence, one.asked.family in _PERSONAL)
        for one in english_drafter.options(sentences, corpus, avoid)
        if one.worth >= _MIN_WORTH and not is_ambiguous(one.core, one.asked, one.reading, corpus)
    ]


def describe_none(language: str) -> Mapping[str, Any]:
    """Return the reply that no conversation can be drafted."""
    why = "离线代理没有中文对话的规则。" if language == "zh" else "No thing in these sentences can be asked about twice."
    return {"goal": "", "turns": [], "none": why}
