"""Builds questions about an English sentence of running text: quantities, days and years, roles, and descriptions of
persons."""

import re
from collections.abc import Iterator

from agents.offline.english.clauses import Clause, ClauseInContext, read_clauses, text_of
from agents.offline.english.documents import Prose
from agents.offline.english.quantities import quantity_of
from agents.offline.english.worded_question import WordedQuestion
from agents.offline.english.words import PERSON_NOUNS
from core.text.english_names import DATE, DAY, NAME, NATIONALITY, TITLES, UPPER, names


def ask_prose(prose: Prose, at: int) -> Iterator[tuple[WordedQuestion, ClauseInContext | None]]:
    """Yield every question about the sentence at index `at`, each with the clause that it was built from (None = not built from
    a clause)."""
    for t in read_clauses(prose, at):
        for asked in (
            *quantity_of(t, prose.m_is_millions),
            *(worded for worded in (*ask_when(t.clause), *period(t.clause)) if not _ELSEWHERE.search(worded.questions[0])),
            *reversed_copula(t, prose),
            *_which_person(t, prose),
        ):
            yield asked, t
    text = text_of(prose.places[at])
    for asked in (*_ask_who_is_described(text, prose), *ask_definition(text, prose.places[at].reading.text)):
        yield asked, None


_ELSEWHERE = re.compile(r", (?:[a-z]+ed|found|built|made|held|sold|bought|kept|lost|written|drawn|known|seen) ")
"""Pattern of a participle after a comma: a date behind it belongs to the participle, not to the main clause."""

_N = rf"(?>{NAME.pattern})"


_DESCRIBED = re.compile(rf"(?P<a>{_N}), (?P<r>(?:the |an? )?[a-z][^,;:]{{8,60}})(?:, (?=[a-z])|$)")


def _ask_who_is_described(text: str, prose: Prose) -> Iterator[WordedQuestion]:
    """Yield "Who is described as the defendant's chief designer?" for "Greta Vey, the defendant's chief designer, was
    candid"."""
    for match in _DESCRIBED.finditer(text):
        name, role = match["a"], match["r"]
        words = role.split()
        head = re.split(r" (?:of|at|in|for|to|from) ", role)[0].split()[-1]
        is_person = name in prose.people or " ".join(name.split()[1:]) in prose.people
        if is_person and head in PERSON_NOUNS and len(words) > 2 and not re.search(r"\b(?:and|who|which|was|were|is)\b", role):
            yield WordedQuestion((f"Who is described as {role}?",), name, "person", 0.8, "described")


def _which_person(t: ClauseInContext, prose: Prose) -> Iterator[WordedQuestion]:
    """Yield "Who was the engineer of the barrier?" for "The engineer of the barrier was Marit Oskarsen"."""
    c = t.clause
    if c.form != "copula" or c.kind not in ("thing", "person") or len(c.subject.split()) < 4:
        return
    if re.search(r"(?:ed|ing)$", c.subject):
        return
    match = re.match(NAME.pattern, c.rest)
    if match and c.rest[match.end() :][:1] in ("", ","):
        is_person = c.kind == "person" or match[0] in prose.people
        yield WordedQuestion(
            (f"{'Who' if is_person else 'What'} {c.auxiliary} {c.subject}?",),
            match[0],
            "person" if is_person else "name",
            0.8,
            "reversed",
        )


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
    """Return the verbs that a question puts before and after the subject, such as ("was", "founded") or ("did", "marry"), or
    None if the clause suits no question about its time."""
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


def ask_when(c: Clause) -> Iterator[WordedQuestion]:
    """Yield "In which year was X founded?" for "X was founded in 1901"; yields nothing if two dates are possible."""
    front = _verb_front(c)
    if front is None or c.form == "present":
        return
    rest = c.rest
    dates = list(_DATE_PP.finditer(rest))
    if c.lead and (lead := _DATE_PP.match(c.lead[0].lower() + c.lead[1:])):
        if dates or _OTHER_DATE.search(rest) or len(dates_in(rest)):
            return
        slot, kept = lead, rest
    elif len(dates) == 1 and not c.lead:
        slot = dates[0]
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
    specific = len(names(f"x {c.subject} {kept}")) > 0
    worth = 0.8 if specific else 0.5
    if not kept:
        worth -= 0.3 if c.form == "past" else 0.1
    yield WordedQuestion(questions, date, "date" if DAY.search(date) else "year", worth, "when")


_PERIOD = re.compile(r" ?\b(?P<a>(?:between \d{4} and|from \d{4} (?:to|until)) \d{4})\b(?!\d)")


def period(c: Clause) -> Iterator[WordedQuestion]:
    """Yield "During which period was X built?" for "X was built between 1924 and 1936"."""
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
    yield WordedQuestion(questions, match["a"], "date", 0.8 if kept else 0.6, "period")


def dates_in(text: str) -> list[str]:
    """Return the dates that occur in an English text, in order."""
    return [m[0] for m in DATE.finditer(text)]


_DEFINITE = re.compile(
    r"^(?P<np>the (?:\d+(?:st|nd|rd|th) |first |second |third |fourth |fifth |sixth |only |last |largest |"
    r"oldest |longest |highest |tallest |smallest |eldest |youngest "
    r"|current |founding |chief |main |principal |original |founder |co-founder |director |author |"
    r"president |capital |mother |father |wife |husband |head |creator "
    r"|chairman |composer |governor |mayor |king |queen |winner |owner |inventor |seat |name |birthplace |"
    r"brainchild |home |hometown |site |headquarters |official )[^;]{6,110})$",
    re.I,
)


def reversed_copula(t: ClauseInContext, prose: Prose) -> Iterator[WordedQuestion]:
    """Yield "Who was the fourth bishop of Y?" for "X was the fourth bishop of Y"."""
    c = t.clause
    match = (
        _DEFINITE.match(c.rest) if c.form == "copula" and not t.before and not c.lead and c.kind in ("person", "name") else None
    )
    if not match or not re.search(rf"[{UPPER}]|\d", match["np"]) or not re.search(r"\b(?:of|in|to|for|at|from)\b", match["np"]):
        return
    np = match["np"]
    if re.search(r", (?:an?|the) [^,]*$", np):
        np = np[: np.rindex(", ")]
    head = re.split(r" (?:of|in|to|for|at|from) ", np)[0].split()[-1]
    is_person = c.kind == "person" or c.subject in prose.people or head.lower() in PERSON_NOUNS or head in TITLES
    if is_person:
        yield WordedQuestion((f"Who {c.auxiliary} {np}?",), c.subject, "person", 0.9, "reversed")


_DEFINED = re.compile(
    rf"^(?P<s>{NAME.pattern}),? (?P<be>is|was) an? (?:retired |former )?(?P<a>{NATIONALITY}) (?P<n>[a-z][a-z -]{{3,30}}?)"
    r"(?=$|[,.;]| and | who | from | of | in | best | known | active)"
)
_BORN = re.compile(r"\((?:[^()]*; ?)?(?:born|b\.) (?P<a>[^()]*?)\)")


def ask_definition(bare: str, text: str) -> Iterator[WordedQuestion]:
    """Yield questions about nationality and date of birth for "Ann Quill (born 26 August 1951) is an Irish canoer"."""
    match = _DEFINED.match(bare)
    if match is None or " " not in match["s"] or match["n"].split()[-1] not in PERSON_NOUNS:
        return
    name, be = match["s"], match["be"]
    words = (f"What {be} the nationality of {name}?", f"Of what nationality {be} the {match['n']} {name}?")
    yield WordedQuestion(words, match["a"], "phrase", 0.7, "nationality")
    born = _BORN.search(text)
    if born and DAY.fullmatch(born["a"]):
        yield WordedQuestion(
            (f"When was {name} born?", f"What is the date of birth of {name}?"), born["a"], "date", 0.75, "born"
        )
