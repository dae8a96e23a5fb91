"""Everything that a clause of running text can be asked: quantities, days and years, who and where, and names."""

import re
from collections.abc import Iterator

from core.offline.corpus import Corpus
from core.offline.english.asked import Asked
from core.offline.english.documents import Prose
from core.offline.english.forms import agent, dates_in, period, when, where
from core.offline.english.names import DATE, DAY, NAME, names
from core.offline.english.prose_clauses import HEDGE, Told, text_of, told
from core.offline.english.prose_words import NUMBER, PROSE_PAST
from core.offline.english.quantities import count_of_subject, quantities, quantity_of, sized_subject
from core.offline.english.words import ORGANISATION, PARTICIPLES, PERSON_NOUNS, PLACE, SAME_PARTICIPLE, TITLES


def ask_prose(prose: Prose, at: int, corpus: Corpus) -> Iterator[tuple[Asked, Told | None]]:
    """Every question about the sentence at that place, with the clause it was made from, if it was made from one."""
    for t in told(prose, at):
        made = [
            *count_of_subject(t),
            *quantity_of(t, prose.m_is_millions),
            *sized_subject(t, prose.m_is_millions),
            *(a for a in (*when(t.clause), *period(t.clause)) if not _is_bare(t) and not _ELSEWHERE.search(a.questions[0])),
            *agent(t.clause),
            *where(t.clause),
            *_who(t, prose),
            *_which_person(t, prose),
            *_called(t),
        ]
        for asked in made:
            yield asked, t
    text = text_of(prose.places[at])
    for asked in (
        *_there_were(text),
        *_described(text, prose),
        *_inserted(text, prose, prose.places[at].reading.sentence.text),
    ):
        yield asked, None


_N = rf"(?>{NAME.pattern})"
_THERE = re.compile(
    rf"^(?P<lead>[A-Z][^,;:]{{2,40}}, )?[Tt]here (?P<be>were|are) {HEDGE}?(?P<a>{NUMBER}) "
    r"(?P<n>(?:[a-z-]+ ){0,2}(?:[a-z-]+s|people|men|women|children))"
    r"(?P<rest> (?:in|on|at|between|from|for|of|under)\b[^;:]*)$"
)


def _there_were(text: str) -> Iterator[Asked]:
    """ "There were 38 closings between 1973 and 2021" -> "What was the number of closings between 1973 and 2021?"."""
    match = _THERE.match(text)
    if match is None or len(match["rest"].split()) < 3:
        return
    rest = re.split(r", ", match["rest"])[0]
    lead = f" {match['lead'][0].lower()}{match['lead'][1:-2]}" if match["lead"] else ""
    yield Asked(
        (f"What {'was' if match['be'] == 'were' else 'is'} the number of {match['n']}{rest}{lead}?",),
        match["a"],
        "number",
        0.8,
        "how_many",
        None,
        True,
    )


_DESCRIBED = re.compile(rf"(?P<a>{_N}), (?P<r>(?:the |an? )?[a-z][^,;:]{{8,60}})(?:, (?=[a-z])|$)")


def _described(text: str, prose: Prose) -> Iterator[Asked]:
    """ "Greta Vey, the defendant's chief designer, was candid" -> "Who is described as the defendant's chief designer?"."""
    for match in _DESCRIBED.finditer(text):
        name, role = match["a"], match["r"]
        words = role.split()
        head = re.split(r" (?:of|at|in|for|to|from) ", role)[0].split()[-1]
        is_person = name in prose.people or " ".join(name.split()[1:]) in prose.people
        if is_person and head in PERSON_NOUNS and len(words) > 2 and not re.search(r"\b(?:and|who|which|was|were|is)\b", role):
            yield Asked((f"Who is described as {role}?",), name, "person", 0.8, "described", None, True)


_INSERTED = re.compile(
    rf"(?P<np>(?:[Tt]he )?(?:{NAME.pattern})(?: \d+(?:\.\d+)+)?), (?:which (?P<be>was|were) )?(?P<v>[a-z]+) "
    rf"(?P<mid>[^,;:]{{0,60}}?)(?P<p>on|in) (?P<a>{DATE.pattern})(?=,|$| and )"
)


def _inserted(text: str, prose: Prose, raw: str) -> Iterator[Asked]:
    """ "Firmware 3.2, issued in March 2017, also compares ..." -> "In which month and year was Firmware 3.2 issued?"."""
    for match in _INSERTED.finditer(text):
        verb, date = match["v"], match["a"]
        is_done = (verb.endswith("ed") and verb in PROSE_PAST) or verb in PARTICIPLES or verb in SAME_PARTICIPLE
        if not is_done or verb in ("born", "died") or dates_in(match["mid"]) or match["np"].split()[0] in ("He", "She", "It"):
            continue
        name = match["np"]
        if re.search(r"\b(?:of|in|at|with|from|to|for|on|[a-z]+[rt]) (?:the )?$", text[: match.start()]):
            continue  # "a pig stamped with the name of Hadrian, found in 1902"
        if name in prose.people or re.match(r"[A-Z]\. ", name):
            continue
        name = f'"{name}"' if f"*{name}" in raw or f"_{name}" in raw else name
        name = name[0].lower() + name[1:] if name.startswith("The ") else name
        asks = "On what date" if DAY.search(date) else "In which year" if date.isdigit() else "In which month and year"
        question = f"{asks} {match['be'] or 'was'} {name} {verb} {match['mid']}".strip()
        yield Asked((f"{question}?",), date, "date" if DAY.search(date) else "year", 0.8, "when", None, True)


_ELSEWHERE = re.compile(r", (?:[a-z]+ed|found|built|made|held|sold|bought|kept|lost|written|drawn|known|seen) ")
"""A participle behind a comma: the date is its own, not the clause's."""


def _is_bare(t: Told) -> bool:
    return t.clause.kind == "count"


def _person_in(subject: str, prose: Prose) -> str:
    """The full name that a subject is or ends with: "the promoter Cuthbert Straker"."""
    found = names("x " + subject)
    if not found or not subject.endswith(found[-1].text):
        return ""
    name = found[-1].text
    plain = " ".join(name.split()[1:]) if name.split()[0] in TITLES else name
    before = subject[: -len(name)].strip().split(" ")
    is_known = name in prose.people or plain in prose.people or before[-1] in PERSON_NOUNS
    if len(found) > 1 or not is_known or " " not in plain or ORGANISATION.search(name) or PLACE.search(name):
        return ""
    return name


def _who(t: Told, prose: Prose) -> Iterator[Asked]:
    """ "Tobias Rennick had built bridges in Drumcastle" -> "Who had built bridges in Drumcastle?"."""
    c = t.clause
    name = _person_in(c.subject, prose)
    if not name or t.before or c.form not in ("past", "passive", "perfect", "modal"):
        return
    tail = f"{c.rest} {c.lead[:1].lower()}{c.lead[1:]}".strip()
    specific = len({n.text for n in names("x " + tail)}) + len(dates_in(tail)) + len(quantities(tail))
    if len(tail.split()) < 4 or len(tail.split()) > 20 or not specific or re.search(r" and (?:Dr|Mr|Ms|[A-Z]\w+ [A-Z])", tail):
        return
    question = f"Who {c.auxiliary} {c.verb} {tail}?" if c.auxiliary else f"Who {c.verb} {tail}?"
    yield Asked((question,), name, "person", 0.75 + 0.05 * (specific > 1), "who_did", None, True)


def _which_person(t: Told, prose: Prose) -> Iterator[Asked]:
    """ "The engineer of the barrier was Marit Oskarsen" -> "Who was the engineer of the barrier?"."""
    c = t.clause
    if c.form != "copula" or c.kind not in ("thing", "person") or len(c.subject.split()) < 4:
        return
    if re.search(r"(?:ed|ing)$", c.subject):
        return
    match = re.match(NAME.pattern, c.rest)
    if match and c.rest[match.end() :][:1] in ("", ","):
        is_person = c.kind == "person" or match[0] in prose.people
        yield Asked((f"{'Who' if is_person else 'What'} {c.auxiliary} {c.subject}?",), match[0],
                    "person" if is_person else "name", 0.8, "reversed", None, True)  # fmt: skip


_CALLED = re.compile(rf"^(?P<before>.*?)(?:^|\b)(?P<p>(?:by|with|to|for|in|of) )?(?:an?|the) (?P<n>(?:[a-z-]+ ){{0,2}}[a-z-]+)"
                     rf" (?:called|named) (?P<a>{_N})$")  # fmt: skip
_APPOSED = re.compile(rf"^(?P<before>.*?)(?:^|\b)(?P<p>(?:by|to|for|from) )an? (?P<n>(?:[a-z-]+ ){{0,2}}[a-z-]+), (?P<a>{_N})$")


def _called(t: Told) -> Iterator[Asked]:
    """ "The defendant sold a gate named Flexgate" -> "What is the name of the gate that the defendant sold?"."""
    c = t.clause
    match = _CALLED.match(c.rest) or _APPOSED.match(c.rest)
    if c.form in ("copula", "") or c.kind == "count" or match is None or len(c.subject.split()) < 2:
        return
    noun = match["n"]
    is_person = noun.split()[-1] in PERSON_NOUNS or match.re is _APPOSED
    joint = f"{(match['p'] or '').strip()} {'whom' if is_person else 'which'}" if match["p"] else "who" if is_person else "that"
    if not match["p"] and is_person:
        joint = "whom"
    said = " ".join(f"{c.auxiliary} {c.verb} {match['before']} {c.lead[:1].lower()}{c.lead[1:]}".split())
    question = f"What is the name of the {noun} {joint} {c.subject} {said}?"
    yield Asked((question,), match["a"], "name", 0.85, "called", None, c.is_named)
