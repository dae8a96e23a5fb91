"""Every question that one English sentence can be asked, by the table of rules and by the forms that any clause allows."""

import re
from collections.abc import Iterator

from core.offline.corpus import Corpus
from core.offline.english.asked import Asked
from core.offline.english.clauses import Clause, clause
from core.offline.english.forms import agent, how_many, period, reversed_copula, when, where, who_did
from core.offline.english.life import life
from core.offline.english.names import DAY
from core.offline.english.rule import Rule
from core.offline.english.rules import RULES
from core.offline.english.topics import Reading, label
from core.offline.english.words import PAST


def ask(reading: Reading, corpus: Corpus, choice: int) -> list[Asked]:
    """All that can be asked of a sentence; nothing of a heading or a sentence whose subject is unclear."""
    if reading.is_heading or not _is_sound(reading):
        return []
    out = list(_life(reading, choice))
    found = clause(reading, corpus, choice)
    if found is not None:
        out += _by_rules(found)
        out += when(found)
        out += period(found)
        out += agent(found)
        out += where(found)
        out += reversed_copula(found, corpus)
        out += who_did(found, corpus)
        out += how_many(found)
    return out


_LOST_WORDS = re.compile(
    r"[A-Za-z]  (?:and|or|is|was|in|of|,)|\b(?:[Tt]he|an?|in|of|by|as|called) (?:is|was|are|,|\.|and)(?= |$)|\b(?:in|of|by|"
    r"the)\s*$|\(\s*[;,]"
)
"""Places where an extractor left a word out: "in the television series  and"."""


def _is_sound(reading: Reading) -> bool:
    raw = reading.sentence.text
    lost = _LOST_WORDS.search(" ".join(raw.split()) if reading.place == 1 else raw)
    return (
        not lost
        and reading.text.count('"') % 2 == 0
        and reading.bare.rstrip('" ').endswith((".", "!", "?"))
        and len(reading.bare.split()) >= 4
    )


def _life(reading: Reading, choice: int) -> Iterator[Asked]:
    """Births and deaths from the bracket behind a person's name."""
    topic, known = reading.topic, life(reading)
    if topic is None:
        return
    name = label(topic, choice)
    born = (f"On what date was {name} born?", f"What is the date of birth of {name}?", f"When was {name} born?")
    died = (f"On what date did {name} die?", f"What is the date of death of {name}?", f"When did {name} die?")
    if known.born:
        yield Asked(born, known.born, "date", 0.55, "birth", topic, True)
    if known.died:
        yield Asked(died, known.died, "date", 0.55, "death", topic, True)
    if known.birthplace:
        places = (f"Where was {name} born?", f"What is the birthplace of {name}?")
        yield Asked(places, known.birthplace, "place", 0.7, "birthplace", topic, True)
    if known.deathplace:
        places = (f"Where did {name} die?", f"In which place did {name} die?")
        yield Asked(places, known.deathplace, "place", 0.7, "deathplace", topic, True)


def _by_rules(c: Clause) -> Iterator[Asked]:
    for rule in RULES:
        if c.kind not in rule.subjects:
            continue
        text = (
            f"{c.auxiliary} {c.whole[len(c.auxiliary) :].lstrip()}".strip()
            if c.topic and c.form == "copula" and c.kind == "work"
            else c.predicate
        )
        match = rule.pattern.search(text)
        if match and match["a"].strip():
            yield from _filled(rule, match, c)


def _filled(rule: Rule, match: re.Match[str], c: Clause) -> Iterator[Asked]:
    if rule.kind == "person" and re.match(r", (?!Jr|Sr)[A-Z]", match.string[match.end("a") :]):
        return  # the first of a list whose end another clause cut off
    groups = {k: v or "" for k, v in match.groupdict().items()}
    be = c.auxiliary or "was"
    past = c.form in ("past", "passive") or be in ("was", "were", "had")
    words = groups | {
        "s": c.subject, "s0": c.topic.name if c.topic else c.subject, "be": be, "do": "did" if past else "does",
        "play": PAST.get(groups.get("v", ""), "play"), "own": "owned" if past else "owns", "hold": _held(groups.get("r", "")),
        "n_low": groups.get("n", "").lower(), "What": "Who" if _looks_personal(c.subject) else "What",
    }  # fmt: skip
    answer = re.sub(r"\s+", " ", match["a"]).strip(" ,")
    if answer.startswith('"') and answer.endswith('"'):
        answer = answer.strip('"').rstrip(",")
    questions = tuple(" ".join(template.format(**words).split()).replace(" ?", "?") for template in rule.questions)
    if rule.kind == "date" and not DAY.search(answer) and not answer.startswith("from"):
        questions = tuple(q for q in questions if "date" not in q) or questions
    elif rule.kind == "date" and DAY.search(answer):
        questions = tuple(q for q in questions if "year" not in q)
    yield Asked(questions, answer, rule.kind, rule.worth, rule.family, c.topic, c.is_named)


def _held(rest: str) -> str:
    return "take up" if rest.strip().startswith(("in", "on")) else "hold"


_PERSONAL = re.compile(r"\b(?:founder|director|author|composer|father|mother|wife|husband|grandson|granddaughter|grandfather|"
                       r"grandmother|uncle|aunt|nephew|niece|cousin|child|son|daughter|brother|sister|"
                       r"president|mayor|owner|head|leader|producer"
                       r"|writer|winner|king|queen|architect|chairman|coach|manager|editor|designer|captain|bishop|judge|name "
                       r"of the father)\b")  # fmt: skip


def _looks_personal(subject: str) -> bool:
    head = re.split(r" of | for | in ", subject)[0]
    return bool(_PERSONAL.search(head)) and not re.search(r"\bname\b", head)
