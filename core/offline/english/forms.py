"""The forms that any English clause allows: when and where it happened, by whom, how many, and who or what its subject is."""

import re
from collections.abc import Iterator

from core.offline.corpus import Corpus
from core.offline.english.asked import Asked
from core.offline.english.clauses import Clause
from core.offline.english.names import DATE, DAY, is_person, names
from core.offline.english.words import MONTHS, PARTICIPLES, PERSON_NOUNS, TITLES, UPPER, each

_DATE_PP = re.compile(
    rf",? ?\b(?P<p>in|on|during|since) (?P<the>(?:the (?:spring|summer|autumn|winter|fall|year) (?:of )?|early |late |"
    rf"mid-)?)(?P<d>{DATE.pattern})(?: CE| AD)?(?! ?BC| (?:[A-Z][a-z]|film|season|edition|novel|album|census|election|World|"
    rf"book|play|"
    rf"[a-z]+s\b))"
)
_OTHER_DATE = re.compile(
    rf"\b(?:from|to|until|between|before|after|by|since) (?:the )?(?:{DATE.pattern})|\d{{4}}[-–/]\d+|\d{{4}}s"
)


def _verb_front(c: Clause) -> tuple[str, str] | None:
    """("was", "founded") or ("did", "marry"): what stands before and after the subject in a question."""
    if c.verb.split(" ")[-1] in ("died", "born") or re.match(r"(?:that|how|why|whether|to (?=[a-z]))\b", c.rest):
        return None
    if c.form == "passive":
        return c.auxiliary, c.verb
    if c.form == "past" and c.base:
        has_no_object = re.match(r"(?:on|in|by|at|through|via|under|worldwide|theatrically)\b", c.rest)
        return None if c.base in ("release", "publish", "film", "record", "direct") and has_no_object else ("did", c.base)
    if c.form == "present" and c.base:
        return "does", c.base
    return None


def when(c: Clause) -> Iterator[Asked]:
    """ "X was founded in 1901" -> "In which year was X founded?"; nothing when two dates could be meant."""
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
        if (
            after.startswith((",", " and", " or", " to"))
            or re.match(r"[^ ,.;]", after)
            or dates_in(kept)
            or _OTHER_DATE.search(kept)
        ):
            return
    else:
        return
    if slot["p"] == "since" or (slot["the"] and slot["the"].split()[0] in ("early", "late", "mid-")):
        return
    kept = re.sub(r"(?:^|,? )at (?:the )?age (?:of )?[\w-]+$", "", kept.strip(" ,"))
    body = f"{front[0]} {c.subject} {front[1]}{' ' + kept if kept else ''}"
    date = slot["d"]
    questions: tuple[str, ...]
    if DAY.search(date):
        questions = (f"On what date {body}?", f"When {body}?")
    elif re.fullmatch(r"\d{4}", date):
        questions = (f"In which year {body}?", f"In what year {body}?", f"When {body}?")
    else:
        questions = (f"In which month and year {body}?", f"When {body}?")
    specific = c.topic is not None or len(names(f"x {c.subject} {kept}")) > 0
    worth = 0.8 if specific else 0.5
    if not kept:
        worth -= 0.3 if c.form == "past" else 0.1
    yield Asked(questions, date, "date" if DAY.search(date) else "year", worth, "when", c.topic, c.is_named)


_PERIOD = re.compile(r" ?\b(?P<a>(?:between \d{4} and|from \d{4} (?:to|until)) \d{4})\b(?!\d)")


def period(c: Clause) -> Iterator[Asked]:
    """"X was built between 1924 and 1936" -> "During which period was X built?"."""
    front = _verb_front(c)
    match = _PERIOD.search(c.rest)
    if front is None or match is None or c.lead:
        return
    kept = (c.rest[: match.start()].rstrip(" ,") + c.rest[match.end() :]).strip(" ,")
    if dates_in(kept) or re.search(r"\b(?:and|or|of)$|\d", c.rest[: match.start()].rstrip()):
        return
    body = f"{front[0]} {c.subject} {front[1]}{' ' + kept if kept else ''}"
    between = f"Between which years {body}?" if match["a"].startswith("b") else f"From when to when {body}?"
    questions = (f"During which period {body}?", between)
    yield Asked(questions, match["a"], "date", 0.8 if kept or c.topic else 0.6, "period", c.topic, c.is_named)


def dates_in(text: str) -> list[str]:
    """The dates of a text."""
    return [m[0] for m in DATE.finditer(text)]


_BY = re.compile(
    rf"^(?P<before>[^,;]{{0,60}}?)\bby (?:the )?(?:[a-z]+ ){{0,3}}(?P<a>(?:[{UPPER}][^,;.]*?)(?=$|,| in | on | at | for | as |"
    rf" with | to | from | and [a-z]| during | after | before | between | under ))(?P<after>.*)$"
)
_AGENT_VERBS = each(
    "founded established built designed discovered invented composed written directed produced published painted "
    "commissioned created developed introduced defeated killed assassinated murdered replaced succeeded appointed elected "
    "nominated performed narrated recorded edited translated illustrated conquered destroyed occupied acquired bought "
    "purchased sold owned led commanded organised organized opened signed proposed described named sponsored inspired "
    "portrayed played voiced adapted recorded covered sung hosted presented managed coached operated manufactured released "
    "distributed launched constructed restored"
)  # fmt: skip


def agent(c: Clause) -> Iterator[Asked]:
    """ "X was founded by Y" -> "Who founded X?"."""
    if c.form != "passive" or c.verb.split(" ")[-1].lower() not in _AGENT_VERBS:
        return
    match = _BY.match(c.rest)
    if not match or re.search(r" (?:by|from|upon) ", f" {match['before']} {match['after']} "):
        return
    run = next((n for n in names(match["a"]) if n.start == 0), None)
    if run is None or (
        run.end < len(match["a"]) - 1 and not re.fullmatch(rf"(?:, | and |,? and )[{UPPER}].*", match["a"][run.end :])
    ):
        return
    adverb, _, participle = c.verb.rpartition(" ")
    past = f"{adverb} {PARTICIPLES.get(participle, participle)}".strip()
    after = re.sub(r"^,.*", "", match["after"]).rstrip(" ,")
    tail = (match["before"].rstrip() and " " + match["before"].strip()) + after
    who = _who(match["a"])
    lead = f" {_lower(c.lead)}" if c.lead else ""
    yield Asked((f"{who} {past} {c.subject}{tail}{lead}?", f"By {'which company' if who == 'Which company' else 'whom'} "
                                                           f"{c.auxiliary} {c.subject} {c.verb}{tail}{lead}?"),
                match["a"], "person", 0.85, "agent", c.topic, c.is_named)  # fmt: skip


def _who(name: str) -> str:
    if re.search(
        r"\b(?:Company|Corporation|Records|Pictures|Studios?|Films|Inc|Ltd|Entertainment|Productions|Press|Books|Publishers)\b",
        name,
    ):
        return "Which company"
    return "Who"


def _lower(lead: str) -> str:
    return lead[0].lower() + lead[1:] if lead else ""


_PLACE_END = re.compile(
    rf"^(?P<before>.*?)(?:^| )(?P<p>in|at|near) (?P<a>(?:the )?[{UPPER}][\w'’.-]*(?: (?:[{UPPER}][\w'’.-]*|of|the|de|la|upon|"
    rf"on|am))*(?:, [{UPPER}][\w'’. -]*)?)(?P<after>(?: (?:in|on) (?:{DATE.pattern}))?)$"
)
_PLACE_VERBS = each(
    "filmed shot held built born raised buried educated founded established baptised baptized crowned executed imprisoned "
    "exiled exhibited premiered staged launched manufactured recorded signed published opened settled grew lived died "
    "married worked taught practised practiced performed studied discovered constructed erected killed arrested ended began "
    "spent stationed displayed preserved housed kept"
)  # fmt: skip


def where(c: Clause) -> Iterator[Asked]:
    """ "X was held in Y" -> "Where was X held?"."""
    front = _verb_front(c)
    if front is None or c.verb.split(" ")[-1].lower() not in _PLACE_VERBS:
        return
    match = _PLACE_END.match(c.rest)
    if (
        not match
        or re.search(
            r"\b(?:film|album|role|series|season|Festival|Awards?|episode|Championships?|Cup|League|Army|War|Battle|century)\b",
            match["a"],
        )
        or dates_in(match["a"])
    ):
        return
    if re.search(r"\b(?:in|at|near|from|to|by|and|of)$", match["before"]) or any(
        m in match["a"].split() for m in MONTHS.split("|")
    ):
        return
    tail = " ".join(t for t in (front[1], match["before"].strip(), match["after"].strip(), _lower(c.lead)) if t)
    where = {"at": ("Where", "At which place"), "near": ("Near which place",)}.get(match["p"], ("Where", "In which place"))
    yield Asked(
        tuple(f"{w} {front[0]} {c.subject} {tail}?" for w in where), match["a"], "place", 0.75, "where", c.topic, c.is_named
    )


_DEFINITE = re.compile(r"^(?P<np>the (?:\d+(?:st|nd|rd|th) |first |second |third |fourth |fifth |sixth |only |last |largest |"
                       r"oldest |longest |highest |tallest |smallest |eldest |youngest "
                       r"|current |founding |chief |main |principal |original |founder |co-founder |director |author |"
                       r"president |capital |mother |father |wife |husband |head |creator "
                       r"|chairman |composer |governor |mayor |king |queen |winner |owner |inventor |seat |name |birthplace |"
                       r"brainchild |home |hometown |site |headquarters |official )[^;]{6,110})$", re.I)  # fmt: skip


def reversed_copula(c: Clause, corpus: Corpus) -> Iterator[Asked]:
    """ "X was the fourth bishop of Y" -> "Who was the fourth bishop of Y?"."""
    if c.form != "copula" or not c.is_named or c.lead or c.kind == "attribute":
        return
    match = _DEFINITE.match(c.rest)
    if not match or not re.search(rf"[{UPPER}]|\d", match["np"]) or not re.search(r"\b(?:of|in|to|for|at|from)\b", match["np"]):
        return
    np = match["np"]
    if re.search(r", (?:an?|the) [^,]*$", np):
        np = np[: np.rindex(", ")]
    if (re.search(r"^the (?:name|brainchild|home|site|seat) ", np) and c.kind == "person") or (
        re.match(
            r"the (?:eldest|youngest|only|first|second|third|fourth|fifth|sixth) (?:son|daughter|child|album|single|studio|"
            r"novel|film|book|song|EP|volume|season|wife)\b",
            np,
        )
        and c.kind == "work"
    ):
        return
    answer = c.topic.name if c.topic else c.subject.removeprefix("the ")
    person = c.kind == "person" or is_person(answer, corpus.people, corpus.first_names)
    head = re.split(r" (?:of|in|to|for|at|from) ", np)[0].split()[-1]
    person = person or (c.kind not in ("work", "place", "group") and (head.lower() in PERSON_NOUNS or head in TITLES))
    what = "Who" if person else _which(c)
    yield Asked((f"{what} {c.auxiliary} {np}?",), answer, "person" if person else "name", 0.9, "reversed", None, True)


def _which(c: Clause) -> str:
    noun = c.topic.noun if c.topic else ""
    return f"Which {noun}" if noun else "What"


def who_did(c: Clause, corpus: Corpus) -> Iterator[Asked]:
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


_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)"
)
_COUNT = re.compile(
    rf"^(?P<lead>(?:a total of |more than |over |about |around |approximately |at least )?)(?P<a>{_NUMBER}) (?P<n>(?:[a-z-]+ "
    rf"){{0,3}}?(?P<h>[a-z-]+s|children|people|men|women))(?P<after>(?: (?:for|in|of|with|from|between|at|to|by|on) .*)?)$"
)


def how_many(c: Clause) -> Iterator[Asked]:
    """ "X scored 12 goals for Y" -> "How many goals did X score for Y?"."""
    front = (
        _verb_front(c)
        if c.form in ("past", "present")
        else ("does" if c.auxiliary == "has" else "did", "have")
        if c.form == "have"
        else None
    )
    if front is None:
        return
    match = _COUNT.match(c.rest)
    if (
        not match
        or (
            match["h"] in ("times", "years", "days", "months", "weeks")
            and front[1] not in ("serve", "rule", "reign", "spend", "win")
        )
        or re.search(r"\band\b", match["n"])
    ):
        return
    if (re.search(rf"\b{_NUMBER}\b", match["after"]) and not DATE.search(match["after"])) or re.match(
        r" of (?:which|whom)", match["after"]
    ):
        return
    lead = f" {_lower(c.lead)}" if c.lead else ""
    yield Asked(
        (f"How many {match['n']} {front[0]} {c.subject} {front[1]}{match['after']}{lead}?",),
        match["lead"].removeprefix("a total of ") + match["a"],
        "number",
        0.85,
        "how_many",
        c.topic,
        c.is_named,
    )
