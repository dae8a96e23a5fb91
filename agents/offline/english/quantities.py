"""Questions about quantities in English text: how many metres, what percentage, how much money. A question about a quantity
keeps the words around the quantity."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.offline.english.clauses import ClauseInContext
from agents.offline.english.worded_question import WordedQuestion
from agents.offline.english.words import ABBREVIATED, MEASURES, MONEY, NUMBER
from core.text.english_names import DATE, UPPER, names, split_words


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, found in a text."""

    start: int
    """Offset of the quantity's beginning, including a preposition or hedge (such as "about") before the number."""
    end: int
    preposition: str
    hedge: str
    """Words such as "up to", "more than" or "at least" before the number that an answer or question keeps; else empty."""
    text: str
    """The number and its unit, as the text writes them."""
    number: str
    unit: str
    """Unit as a question names it: metres, percentage, thalers, leaves; empty for money whose unit is only abbreviated."""


_PREPOSITION = r"(?:(?P<p>by|to|at|for|within|after|in|from|of|under|over|into|on|with|below|above|beyond) )?"
_HEDGE = (
    r"(?P<h>(?:(?:on average|about|some|nearly|almost|only|barely|around|roughly|approximately|up to|more than|over|at "
    r"least|less than|fewer than|at most|no more than|a total of|between) )*)"
)
_NUMBERS = re.compile(rf"(?<![\w.,-])(?:{_PREPOSITION}{_HEDGE})(?P<a>{NUMBER}(?: ± [\d.]+)?)(?![\d,]*\d|-\w)")
_UNIT = re.compile(
    r"^(?: ?(?P<pc>%|per cent\b|percent\b)"
    rf"| ?(?P<abb>{'|'.join(sorted(map(re.escape, ABBREVIATED), key=len, reverse=True))})(?P<per> (?:per|a) [a-z]+)?(?![\w'’])"
    r"|(?P<money>(?<=million)(?= |,|$)(?! [a-z]*s\b))"
    r"| (?P<noun>(?:[a-z][a-z-]+ ){0,2}?(?:[a-z][a-z-]*[a-z]s|people|men|women|children|persons|feet))(?![\w'’-]))"
)
_NO_UNIT = split_words(
    "of in on at for from to with by and or the a an its their his her per as was were is are than times others"
)
_LABELS = re.compile(
    r"\b(?:gate|claim|entry|part|mark|no\.?|number|chapter|section|page|figure|table|room|volume|version|level|step|case|firmware|"
    r"release|line|type|class|article|rule|day|age|aged|pan|±)\s*$",
    re.IGNORECASE,
)
_DIMENSIONS = {
    "wide": "wide",
    "in width": "wide",
    "long": "long",
    "in length": "long",
    "high": "high",
    "in height": "high",
    "deep": "deep",
    "in depth": "deep",
    "thick": "thick",
    "in thickness": "thick",
    "tall": "tall",
    "old": "old",
    "across": "wide",
    "in diameter": "wide",
}
_TIMES = split_words("seconds minutes hours days weeks months years decades centuries swings")


def quantities(text: str, m_is_millions: bool = False) -> list[Quantity]:
    """Return, in order, the numbers with units in a text, without years and without numbers in labels such as "page 3"."""
    quantities = []
    dated = [(m.start(), m.end()) for m in DATE.finditer(text)]
    for match in _NUMBERS.finditer(text):
        start, end = match.span("a")
        unit = _UNIT.match(text[end:])
        if not unit or any(a <= start < b for a, b in dated) or _LABELS.search(text[:start]):
            continue
        said = _name_unit(unit, m_is_millions)
        if said is None or (re.fullmatch(r"1[5-9]\d\d|20\d\d", match["a"]) and unit["abb"] in (None, "s")):
            continue
        hedge = " ".join(
            re.sub(
                r"\b(?:on average|about|some|nearly|almost|only|barely|around|roughly|approximately|a total of|"
                r"between)\b",
                "",
                match["h"],
            ).split()
        )
        stop = end + unit.end()
        whole = text[start:stop]
        quantities.append(Quantity(match.start(), stop, match["p"] or "", hedge, whole, match["a"], said))
    return quantities


def _name_unit(unit: re.Match[str], m_is_millions: bool) -> str | None:
    if unit["pc"]:
        return "percentage"
    if unit["money"] is not None:
        return ""
    if unit["abb"]:
        if unit["abb"] == "m" and m_is_millions:
            return "" if not unit["per"] else None
        return ABBREVIATED[unit["abb"]] + (unit["per"] or "")
    noun: str = unit["noun"]
    words = noun.split()
    return None if any(w in _NO_UNIT for w in words) or words[-1].endswith(("ss", "ous", "is")) else noun


def quantity_of(t: ClauseInContext, m_is_millions: bool) -> Iterator[WordedQuestion]:
    """Yield questions that ask for the quantity in a clause's predicate: the only quantity, or the first of several if "to",
    "and" or a similar word follows it."""
    c = t.clause
    matches = quantities(c.rest, m_is_millions)
    if not matches or quantities(c.subject, m_is_millions):
        return
    q, after = matches[0], c.rest[matches[0].end :]
    if len(matches) > 1 and not re.match(r",? (?:to|or|from|against|and) ", after):
        return
    before = c.rest[: q.start].strip(" ,")
    kept = _tail(after) if len(matches) == 1 else ""
    if (
        kept is None
        or re.search(r"\d|\bthat\b", before)
        or re.search(
            r"\b(?:and|or|than|by|the|an?|of|that|its|between|every|each|per|"
            r"whole|full|first|last|second|further|remaining|other|total|next|same|entire|additional|extra|final)$",
            before,
        )
    ):
        return
    after = kept
    answer = f"{q.hedge} {q.text}" if q.hedge in ("more than", "over", "at least", "less than", "fewer than") else q.text
    if c.form == "copula":
        yield from _copula(t, q, before, after, answer)
        return
    if sized := re.search(r"(?:^|^(?P<before>.*) )an? (?P<n>(?:[a-z-]+ ){0,2}[a-z-]+)$", before):
        if q.preposition == "of" and sized["n"].split()[-1] in MEASURES:
            words = [f"What {sized['n']}", t.front[0], c.subject, t.front[1], sized["before"] or "", after, _low(c.lead)]
            yield _word_question(words, answer, 0.8)
        return
    if after.startswith("of ") and q.unit != "percentage":
        q, after = replace(q, unit=f"{q.unit} {after}" if q.unit else ""), ""
    held = re.search(
        r"(?:^|^(?P<before>.*) )(?P<pp>(?:into|with|by|in|from|at|for|to) (?:an? )?(?:[a-z-]+ ){0,2}[a-z-]+)$", before
    )
    if q.preposition == "of" and held and q.unit and q.unit != "percentage":
        words = [
            f"{held['pp']} of how many {q.unit}",
            t.front[0],
            c.subject,
            t.front[1],
            held["before"] or "",
            after,
            _low(c.lead),
        ]
        yield _word_question(words, answer, 0.75)
        return
    wh = _question_word(q, after, c.base)
    if not wh or (q.preposition == "in" and q.unit not in (*_TIMES, "percentage")):
        return
    words = [wh, t.front[0], c.subject, t.front[1], before, "" if wh.endswith(after) and after else after, _low(c.lead)]
    is_thin = c.form != "present" and not (before or after or c.lead or q.preposition or names(f"x {c.subject}"))
    yield _word_question(words, answer, 0.65 if is_thin else 0.85 if names(f"x {c.rest} {c.subject}") else 0.75)


def _word_question(words: list[str], answer: str, worth: float) -> WordedQuestion:
    question = " ".join(" ".join(w for w in words if w).split())
    return WordedQuestion((question[0].upper() + question[1:] + "?",), answer, "number", worth, "quantity")


def _question_word(q: Quantity, after: str, verb: str) -> str:
    if q.preposition in ("of", "from", "with", "into") or (q.hedge and q.hedge.startswith("between")):
        return ""
    first = f"{q.preposition} " if q.preposition else ""
    hedge = "up to " if q.hedge == "up to" else ""
    if q.unit == "percentage":
        if q.preposition in ("", "in", "for") and after.startswith("of "):
            return f"{first}what percentage {after}"
        return f"{first}{hedge}what percentage" if q.preposition and q.preposition != "in" else ""
    if not q.unit:
        if not q.preposition and verb in ("pass", "exceed", "reach", "allow", "near"):
            return "what amount"
        return {"": "how much", "by": "by how much", "for": "for how much"}.get(q.preposition, "")
    if q.unit == "times" and "." in q.number:
        return ""
    if q.preposition == "on" or (q.preposition == "to" and MONEY.match(q.unit.split()[-1])):
        return ""
    return f"{first}{hedge}how many {q.unit}"


def _copula(t: ClauseInContext, q: Quantity, before: str, after: str, answer: str) -> Iterator[WordedQuestion]:
    c = t.clause
    if before or q.preposition:
        return
    for words, adjective in _DIMENSIONS.items():
        if re.match(rf"{words}\b", after):
            yield _word_question([f"How {adjective}", c.auxiliary, c.subject, _low(c.lead)], answer, 0.85)
            return
    head = re.split(r" (?:of|on|for|at|in|from|over|between|under|to) ", c.subject)[0].split()[-1].lower()
    subject = c.subject
    if not re.match(rf"(?:(?:the|an?) |[{UPPER}]\w+ [{UPPER}]|.*['’]s )", subject) and not head.endswith("s"):
        subject = f"the {subject[0].lower()}{subject[1:]}"
    if q.unit == "percentage" and after.startswith("of "):
        yield _word_question([f"What percentage {after}", c.auxiliary, c.subject], answer, 0.8)
    elif not q.unit:
        yield _word_question(["How much", c.auxiliary, c.subject, after, _low(c.lead)], answer, 0.75)
    elif head in MEASURES:
        yield _word_question(
            ["What", c.auxiliary, subject, "" if after.startswith("for ") else after, _low(c.lead)], answer, 0.85
        )


def _tail(after: str) -> str | None:
    """Return the words after the quantity that a question keeps ("" = none), or None if these words make a question
    impossible."""
    text = after.strip()
    text = text.split(",")[0].split(";")[0]
    if not text or re.search(r"\b(?:his|her|its|their)\b", text):
        return ""
    return text if _KEPT_WORD.match(text) else None


_KEPT_WORD = re.compile(
    r"(?:of|in|on|at|for|from|to|with|by|under|between|behind|against|over|a|an|per|wide|long|high|deep|thick|tall|across|each|"
    r"after|before|within|during|without|along|above|below|outside|near|as)\b"
)
"""Pattern of the words that may come directly after a quantity in a question."""


def _low(lead: str) -> str:
    return lead[:1].lower() + lead[1:]
