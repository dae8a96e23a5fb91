"""Every question that one English sentence can be asked, by the table of rules and by the forms that any clause allows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.offline.corpus import Corpus
from core.offline.english_clauses import Clause, clause
from core.offline.english_names import DATE, DAY, is_person, names
from core.offline.english_rules import RULES, Rule
from core.offline.english_topics import Reading, Topic
from core.offline.english_words import MONTHS, PARTICIPLES, PAST, UPPER
from core.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a sentence answers, in several wordings."""

    questions: tuple[str, ...]
    answer: str
    kind: Kind
    worth: float
    family: str
    topic: Topic | None
    """What its subject stands for, when that is the paragraph's topic."""
    is_named: bool
    """Whether the sentence itself names what the question names."""


def ask(reading: Reading, corpus: Corpus, choice: int) -> list[Asked]:
    """All that can be asked of a sentence; nothing of a heading or a sentence whose subject is unclear."""
    if reading.is_heading or not _is_sound(reading):
        return []
    out = list(_life(reading, choice))
    found = clause(reading, choice, corpus.people, corpus.first_names)
    if found is not None:
        out += _by_rules(found)
        out += _when(found)
        out += _agent(found)
        out += _where(found)
        out += _reversed(found, corpus)
        out += _who_did(found, corpus)
        out += _how_many(found)
    return out


_LOST_WORDS = re.compile(r"[A-Za-z]  (?:and|or|is|was|in|of|,)|\b(?:[Tt]he|an?|in|of|by|as|called) (?:is|was|are|,|\.|and)(?= |$)|\b(?:in|of|by|the)\s*$|\(\s*[;,]")
"""Places where an extractor left a word out: "in the television series  and"."""


def _is_sound(reading: Reading) -> bool:
    raw = reading.sentence.text
    lost = _LOST_WORDS.search(" ".join(raw.split()) if reading.place == 1 else raw)
    return not lost and reading.text.count('"') % 2 == 0 and reading.bare.rstrip('" ').endswith((".", "!", "?")) and len(reading.bare.split()) >= 4


def _life(reading: Reading, choice: int) -> Iterator[Asked]:
    """Births and deaths from the bracket behind a person's name: "(25 November 1871 – 18 February 1933)"."""
    topic = reading.topic
    if reading.place != 1 or topic is None or topic.kind != "person":
        return
    from core.offline.english_topics import label

    name = label(topic, choice)
    day = rf"\d{{1,2}} (?:{MONTHS}) \d{{4}}|(?:{MONTHS}) \d{{1,2}}, ?\d{{4}}"
    bracket = re.search(r"\(([^()]*\d{4}[^()]*)\)", reading.text[: len(topic.title) + 200])
    if not bracket or re.search(r"\b(?:or|c\.|circa|about|before|after|baptised|bapt|fl\.|reign|ruled)|\?", bracket[1]):
        return
    halves = re.split(r"\s*[–—]\s*|\s-\s", bracket[1])
    if found := re.search(day, halves[0]):
        yield Asked((f"On what date was {name} born?", f"What is the date of birth of {name}?", f"When was {name} born?"), found[0], "date", 0.55, "birth", topic, True)
    if len(halves) == 2 and (found := re.search(day, halves[1])):
        yield Asked((f"On what date did {name} die?", f"What is the date of death of {name}?", f"When did {name} die?"), found[0], "date", 0.55, "death", topic, True)
    if place := re.search(rf"(?:{day}),? in ([{UPPER}][^;()–]{{2,40}}?)$", halves[0].strip()):
        yield Asked((f"Where was {name} born?", f"What is the birthplace of {name}?"), place[1], "place", 0.7, "birthplace", topic, True)
    if len(halves) == 2 and (place := re.search(rf"(?:{day}),? in ([{UPPER}][^;()–]{{2,40}}?)$", halves[1].strip())):
        yield Asked((f"Where did {name} die?", f"In which place did {name} die?"), place[1], "place", 0.7, "deathplace", topic, True)


def _by_rules(c: Clause) -> Iterator[Asked]:
    for rule in RULES:
        if c.kind not in rule.subjects:
            continue
        text = f"{c.auxiliary} {c.whole[len(c.auxiliary):].lstrip()}".strip() if c.topic and c.form == "copula" and c.kind == "work" else c.predicate
        match = rule.pattern.search(text)
        if match and match["a"].strip():
            yield from _filled(rule, match, c)


def _filled(rule: Rule, match: re.Match[str], c: Clause) -> Iterator[Asked]:
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


_PERSONAL = re.compile(r"\b(?:founder|director|author|composer|father|mother|wife|husband|son|daughter|brother|sister|president|mayor|owner|head|leader|producer"
                       r"|writer|winner|king|queen|architect|chairman|coach|manager|editor|designer|captain|bishop|judge|name of the father)\b")  # fmt: skip


def _looks_personal(subject: str) -> bool:
    head = re.split(r" of | for | in ", subject)[0]
    return bool(_PERSONAL.search(head)) and not re.search(r"\bname\b", head)


_DATE_PP = re.compile(rf",? ?\b(?P<p>in|on|during|since) (?P<the>(?:the (?:spring|summer|autumn|winter|fall|year) (?:of )?|early |late |mid-)?)(?P<d>{DATE.pattern})(?! (?:[A-Z][a-z]|film|season|edition|novel|album|census|election|World|book|play|[a-z]+s\b))")
_OTHER_DATE = re.compile(rf"\b(?:from|to|until|between|before|after|by|since) (?:the )?(?:{DATE.pattern})|\d{{4}}[-–/]\d+|\d{{4}}s")


def _verb_front(c: Clause) -> tuple[str, str] | None:
    """("was", "founded") or ("did", "marry"): what stands before and after the subject in a question."""
    if c.verb.split(" ")[-1] in ("died", "born") or re.match(r"(?:that|how|why|whether|to)\b", c.rest):
        return None
    if c.form == "passive":
        return c.auxiliary, c.verb
    if c.form == "past" and c.base:
        return "did", c.base
    if c.form == "present" and c.base:
        return "does", c.base
    return None


def _when(c: Clause) -> Iterator[Asked]:
    front = _verb_front(c)
    if front is None or c.form == "present":
        return
    rest = c.rest
    found = list(_DATE_PP.finditer(rest))
    if c.lead and (lead := _DATE_PP.match(c.lead[0].lower() + c.lead[1:])):
        if found or _OTHER_DATE.search(rest) or len(dates_in(rest)):
            return
        slot, kept = lead, rest
    elif len(found) == 1 and not c.lead:
        slot = found[0]
        after = rest[slot.end() :]
        kept = rest[: slot.start()].rstrip(" ,") + after
        if after.startswith((",", " and", " or", " to")) or re.match(r"[^ ,.;]", after) or dates_in(kept) or _OTHER_DATE.search(kept):
            return
    else:
        return
    if slot["p"] == "since" or (slot["the"] and slot["the"].split()[0] in ("early", "late", "mid-")):
        return
    kept = re.sub(r",? at (?:the )?age (?:of )?[\w-]+$", "", kept.strip(" ,"))
    body = f"{front[0]} {c.subject} {front[1]}{' ' + kept if kept else ''}"
    date = slot["d"]
    if DAY.search(date):
        questions = (f"On what date {body}?", f"When {body}?")
    elif re.fullmatch(r"\d{4}", date):
        questions = (f"In which year {body}?", f"In what year {body}?", f"When {body}?")
    else:
        questions = (f"In which month and year {body}?", f"When {body}?")
    specific = len(names(kept)) > 0 or c.topic is not None
    worth = (0.8 if specific else 0.5) - (0.3 if not kept and front[1] not in ("founded", "established", "built", "abolished", "opened", "demolished", "destroyed", "released") else 0)
    yield Asked(questions, date, "date" if DAY.search(date) else "year", worth, "when", c.topic, c.is_named)


def dates_in(text: str) -> list[str]:
    """The dates of a text."""
    return [m[0] for m in DATE.finditer(text)]


_BY = re.compile(rf"^(?P<before>[^,;]{{0,60}}?)\bby (?:the )?(?P<a>(?:[{UPPER}][^,;.]*?)(?=$|,| in | on | at | for | as | with | to | from | and [a-z]| during | after | before | between | under ))(?P<after>.*)$")
_AGENT_VERBS = ("founded established built designed discovered invented composed written directed produced published painted commissioned "
                "created developed introduced defeated killed assassinated murdered replaced succeeded appointed elected nominated performed narrated recorded edited "
                "translated illustrated conquered destroyed occupied acquired bought purchased sold owned led commanded organised organized "
                "opened signed proposed described named sponsored inspired portrayed played voiced adapted recorded covered sung hosted presented "
                "managed coached operated manufactured released distributed launched constructed restored").split()  # fmt: skip


def _agent(c: Clause) -> Iterator[Asked]:
    if c.form != "passive" or c.verb.split(" ")[-1].lower() not in _AGENT_VERBS:
        return
    match = _BY.match(c.rest)
    if not match:
        return
    run = next((n for n in names(match["a"]) if n.start == 0), None)
    if run is None or run.end < len(match["a"]) - 1 and not re.fullmatch(rf"(?:, | and |,? and )[{UPPER}].*", match["a"][run.end :]):
        return
    adverb, _, participle = c.verb.rpartition(" ")
    past = f"{adverb} {PARTICIPLES.get(participle, participle)}".strip()
    after = re.sub(r"^,.*", "", match["after"]).rstrip(" ,")
    tail = (match["before"].rstrip() and " " + match["before"].strip()) + after
    who = _who(match["a"])
    lead = f" {_lower(c.lead)}" if c.lead else ""
    yield Asked((f"{who} {past} {c.subject}{tail}{lead}?", f"By {'which company' if who == 'Which company' else 'whom'} {c.auxiliary} {c.subject} {c.verb}{tail}{lead}?"),
                match["a"], "person", 0.85, "agent", c.topic, c.is_named)  # fmt: skip


def _who(name: str) -> str:
    if re.search(r"\b(?:Company|Corporation|Records|Pictures|Studios?|Films|Inc|Ltd|Entertainment|Productions|Press|Books|Publishers)\b", name):
        return "Which company"
    return "Who"


def _lower(lead: str) -> str:
    return lead[0].lower() + lead[1:] if lead else ""


_PLACE_END = re.compile(rf"^(?P<before>.*?)(?:^| )(?P<p>in|at|near) (?P<a>(?:the )?[{UPPER}][\w'’.-]*(?: (?:[{UPPER}][\w'’.-]*|of|the|de|la|upon|on|am))*(?:, [{UPPER}][\w'’. -]*)?)(?P<after>(?: (?:in|on) (?:{DATE.pattern}))?)$")
_PLACE_VERBS = ("filmed shot held built born raised buried educated founded established baptised baptized crowned executed imprisoned exiled exhibited premiered staged "
                "launched manufactured recorded signed published opened settled grew lived died married worked taught practised practiced performed studied "
                "discovered constructed erected killed arrested ended began spent stationed displayed preserved housed kept").split()  # fmt: skip


def _where(c: Clause) -> Iterator[Asked]:
    front = _verb_front(c)
    if front is None or c.verb.split(" ")[-1].lower() not in _PLACE_VERBS:
        return
    match = _PLACE_END.match(c.rest)
    if not match or re.search(r"\b(?:film|album|role|series|season|Festival|Awards?|episode|Championships?|Cup|League|Army|War|Battle|century)\b", match["a"]) or dates_in(match["a"]):
        return
    if re.search(r"\b(?:in|at|near|from|to|by|and|of)$", match["before"]) or any(m in match["a"].split() for m in MONTHS.split("|")):
        return
    tail = " ".join(t for t in (front[1], match["before"].strip(), match["after"].strip(), _lower(c.lead)) if t)
    where = {"at": ("Where", "At which place"), "near": ("Near which place",)}.get(match["p"], ("Where", "In which place"))
    yield Asked(tuple(f"{w} {front[0]} {c.subject} {tail}?" for w in where), match["a"], "place", 0.75, "where", c.topic, c.is_named)


_DEFINITE = re.compile(r"^(?P<np>the (?:\d+(?:st|nd|rd|th) |first |second |third |fourth |fifth |sixth |only |last |largest |oldest |longest |highest |tallest |smallest |eldest |youngest "
                       r"|current |founding |chief |main |principal |original |founder |co-founder |director |author |president |capital |mother |father |wife |husband |head |creator "
                       r"|chairman |composer |governor |mayor |king |queen |winner |owner |inventor |seat |name |birthplace |brainchild |home |hometown |site |headquarters |official )[^;]{6,110})$", re.I)  # fmt: skip


def _reversed(c: Clause, corpus: Corpus) -> Iterator[Asked]:
    """"X was the fourth bishop of Y" -> "Who was the fourth bishop of Y?"."""
    if c.form != "copula" or not c.is_named or c.lead or c.kind == "attribute":
        return
    match = _DEFINITE.match(c.rest)
    if not match or not re.search(rf"[{UPPER}]|\d", match["np"]) or not re.search(r"\b(?:of|in|to|for|at|from)\b", match["np"]):
        return
    np = match["np"]
    if re.search(r"^the (?:name|brainchild|home|site|seat) ", np) and c.kind == "person" or re.match(r"the (?:eldest|youngest|only|first|second|third|fourth|fifth|sixth) (?:son|daughter|child|album|single|studio|novel|film|book|song|EP|volume|season|wife)\b", np) and c.kind == "work":
        return
    answer = c.topic.name if c.topic else c.subject.removeprefix("the ")
    person = c.kind == "person" or is_person(answer, corpus.people, corpus.first_names)
    what = "Who" if person else _which(c)
    yield Asked((f"{what} {c.auxiliary} {np}?",), answer, "person" if person else "name", 0.9, "reversed", None, True)


def _which(c: Clause) -> str:
    noun = c.topic.noun if c.topic else ""
    return f"Which {noun}" if noun else "What"


def _who_did(c: Clause, corpus: Corpus) -> Iterator[Asked]:
    """Subject questions: "Who won the award ...?"."""
    if c.form not in ("past", "passive") or not c.is_named or c.kind == "attribute" or (c.form == "past" and not c.base):
        return
    tail = c.rest + (f" {_lower(c.lead)}" if c.lead else "")
    specifics = {n.text for n in names(" x " + tail)} | set(dates_in(tail))
    if c.verb in ("died", "born") or len(specifics) < 2 or len(tail.split()) < 5 or len(tail.split()) > 22:
        return
    answer = c.topic.name if c.topic else c.subject.removeprefix("the ")
    person = c.kind == "person" or is_person(answer, corpus.people, corpus.first_names)
    if not person and not (c.topic and c.topic.noun):
        return
    what = "Who" if person else _which(c)
    verb = f"{c.auxiliary} {c.verb}".strip()
    yield Asked((f"{what} {verb} {tail}?",), answer, "person" if person else "name", 0.75, "who_did", None, True)


_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)"
_COUNT = re.compile(rf"^(?P<lead>(?:a total of |more than |over |about |around |approximately |at least )?)(?P<a>{_NUMBER}) (?P<n>(?:[a-z-]+ ){{0,3}}?(?P<h>[a-z-]+s|children|people|men|women))(?P<after>(?: (?:for|in|of|with|from|between|at|to|by|on) .*)?)$")


def _how_many(c: Clause) -> Iterator[Asked]:
    """"X scored 12 goals for Y" -> "How many goals did X score for Y?"."""
    front = _verb_front(c) if c.form in ("past", "present") else ("does" if c.auxiliary == "has" else "did", "have") if c.form == "have" else None
    if front is None:
        return
    match = _COUNT.match(c.rest)
    if not match or match["h"] in ("times", "years", "days", "months", "weeks") and front[1] not in ("serve", "rule", "reign", "spend", "win") or re.search(r"\band\b", match["n"]):
        return
    if re.search(rf"\b{_NUMBER}\b", match["after"]) and not DATE.search(match["after"]) or re.match(r" of (?:which|whom)", match["after"]):
        return
    lead = f" {_lower(c.lead)}" if c.lead else ""
    yield Asked((f"How many {match['n']} {front[0]} {c.subject} {front[1]}{match['after']}{lead}?",), match["lead"].removeprefix("a total of ") + match["a"], "number", 0.85, "how_many", c.topic, c.is_named)

