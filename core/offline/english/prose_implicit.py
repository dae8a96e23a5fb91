"""Implicit questions on running text: a name of the explicit question gives way to what another sentence says of it: its role,
what it did, what it is called for."""

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from core.ids import derived_id
from core.numbered import Numbered
from core.offline.corpus import Corpus
from core.offline.english.checks import is_avoided
from core.offline.english.documents import Prose
from core.offline.english.names import dates, has_balanced_marks, names
from core.offline.english.prose_clauses import text_of, told
from core.offline.english.quantities import quantities
from core.offline.english.words import MONTHS, NATIONALITY, PERSON_NOUNS, TITLES, each
from core.offline.factoid import Factoid
from core.text import content_words

_KINDS = each(
    "company corporation group association society institute institution university college school academy department "
    "ministry office agency authority commission committee council board court tribunal hospital clinic museum gallery "
    "library theatre orchestra hall house palace castle church cathedral abbey temple bridge tower station airport port "
    "harbour river lake island mountain forest park garden street square city town village club team party bank fund trust "
    "foundation prize festival act treaty book novel film album song battle press journal"
)
"""What a name's last word can say that it is; these words may stand in its description."""
_POINTS = re.compile(r"\b(?:he|she|it|they|him|them|his|her|its|their|this|these|those|that|such|we|our|us|who|which|same|"
                     r"there|"
                     r"then|also|later|earlier|I|you|your)\b")  # fmt: skip
Shown = Sequence[tuple[int, Prose, int]]
"""(number, document, place in it) of the sentences of running text that are shown."""


def draft_prose_implicit(
    question: str, answer: str, sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str
) -> Factoid | None:
    """The explicit question with one of its names described, from the numbered sentences of running text; None when no sentence
    describes one so that only it can be meant."""
    shown = []
    for number, sentence in enumerate(sentences.sentences, 1):
        found = corpus.places.get((sentence.span.document, sentence.span.start))
        if found is not None:
            shown.append((number, *found))
    fact = _fact(question, answer, shown)
    if fact is None:
        return None
    options: list[tuple[float, str, Factoid]] = []
    for name, start, end in _mentions(question, shown):
        for number, words, worth in _descriptions(name, shown, corpus):
            made = question[:start] + words + question[end:]
            made = made[0].upper() + made[1:]
            worth -= 0.2 * (number == fact) + 0.01 * max(0, len(made.split()) - 25)
            if worth < _WORTH_ASKING or not _is_fit(made, words, name, answer) or is_avoided(made, avoid):
                continue
            factoid = Factoid(made, answer, tuple(sorted({fact, number})), name, worth)
            options.append((-round(worth, 1), derived_id(seed_text, made), factoid))
    if not options:
        options += _by_document(question, answer, fact, shown, seed_text, avoid)
    for year, start, end in _years(question, shown):
        for number, words in _year_of(year, fact, shown, corpus):
            made = f"{question[:start]}the year in which {words}{question[end:]}"
            if len(made.split()) <= 44 and answer.lower() not in words.lower() and not is_avoided(made, avoid):
                factoid = Factoid(made, answer, tuple(sorted({fact, number})), year, 0.55)
                options.append((-0.6, derived_id(seed_text, made), factoid))
    return min(options, key=lambda o: o[:2])[2] if options else None


def _by_document(
    question: str, answer: str, fact: int, shown: Shown, seed_text: str, avoid: str
) -> Iterator[tuple[float, str, Factoid]]:
    """The document described by something else that it says: "the case in which Ms Lom was called by the defendant"."""
    home = next(prose for number, prose, _ in shown if number == fact)
    if not home.name or question.count(home.name) != 1:
        return
    referent = home.name.removeprefix("the ").strip('"')
    for number, prose, at in shown:
        if prose is not home or abs(number - fact) < 2:
            continue
        for t in told(prose, at):
            c = t.clause
            lead = f" {c.lead[:1].lower()}{c.lead[1:]}" if c.lead else ""
            said = " ".join(f"{c.subject} {c.auxiliary} {c.verb} {c.rest}{lead}".split())
            specific = len({n.text for n in names("x " + said)}) + len(dates(said)) + len(quantities(said))
            if t.before or c.form not in ("past", "passive", "perfect") or specific < 2 or not 6 <= len(said.split()) <= 17:
                continue
            is_told = names("x " + said) or dates(said)
            if not is_told or "," in said or _POINTS.search(said) or re.search(r" and (?:Dr|Mr|Ms|Mrs) ", said):
                continue
            words = f"the {home.kind} in which {said}" if home.kind == "case" else f"the {home.kind} that records that {said}"
            made = question.replace(home.name, words)
            if _is_fit(made, words, referent, answer, home.kind) and not is_avoided(made, avoid):
                factoid = Factoid(made, answer, tuple(sorted({fact, number})), referent, 0.5)
                yield -0.5, derived_id(seed_text, made), factoid


def _years(question: str, shown: Shown) -> Iterator[tuple[str, int, int]]:
    """(year, start, end) of a year that stands behind "in", outside the document's name."""
    titles = "".join(prose.name for prose in {id(p): p for _, p, _ in shown}.values())
    for match in re.finditer(r"\bin (1[2-9]\d\d|20\d\d)(?=[,?]| (?!to\b|and\b|or\b))", question):
        if match[0] not in titles:
            yield match[1], match.start(1), match.end(1)


def _year_of(year: str, fact: int, shown: Shown, corpus: Corpus) -> Iterator[tuple[int, str]]:
    """(number, clause) of what another sentence says happened in that year: "the Salt Charter was sealed"."""
    for number, prose, at in shown:
        text = text_of(prose.places[at])
        if number == fact or year not in text or len(dates(text)) != 1:
            continue
        for t in told(prose, at):
            c = t.clause
            rest, lead = c.rest, c.lead
            if year in rest:
                rest = re.sub(rf",? ?(?:in|on) (?:the [a-z]+ of )?(?:\d{{1,2}} )?(?:(?:{MONTHS}) )?{year}$", "", rest)
            said = " ".join(f"{c.subject} {c.auxiliary} {c.verb} {rest}".split())
            if t.before or c.form == "copula" or year in said or (lead and year not in lead) or (not lead and rest == c.rest):
                continue
            if lead and not re.match(rf"(?:In|On) (?:the [a-z]+ of )?(?:\d{{1,2}} )?(?:(?:{MONTHS}) )?{year}$", lead):
                continue
            if 4 <= len(said.split()) <= 16 and not _POINTS.search(said) and "," not in said and names("x " + said):
                yield number, said


_WORTH_ASKING = 0.45


def _fact(question: str, answer: str, shown: Shown) -> int | None:
    for prose in {id(p): p for _, p, _ in shown}.values():
        question = re.sub(rf'(?:the section "[^"]*" of )?{re.escape(prose.name)}', "", question) if prose.name else question
    wanted = set(content_words(question, "en"))
    best: tuple[float, int] | None = None
    for number, prose, at in shown:
        text = prose.places[at].reading.text
        if answer in text or answer in prose.places[at].reading.sentence.text:
            share = len(wanted & set(content_words(text, "en"))) / max(1, len(wanted))
            if best is None or share > best[0]:
                best = (share, number)
    return best[1] if best and best[0] >= 0.3 else None


def _mentions(question: str, shown: Shown) -> Iterator[tuple[str, int, int]]:
    """(name, start, end) of the names in the question that are not its document's, with an article and a trade before them."""
    titled = [(m.start(), m.end()) for prose in {id(p): p for _, p, _ in shown}.values() if prose.name
              for m in re.finditer(re.escape(prose.name), question)]  # fmt: skip
    titled += [(m.start(), m.end()) for m in re.finditer(r'"[^"]+"', question)]
    for found in names("x " + question[0].lower() + question[1:]):
        start, end = found.start - 2, found.end - 2
        if any(a <= start < b for a, b in titled) or re.match(r"['’-]|\w", question[end : end + 1]):
            continue
        if len(found.text) < 4 or found.text in MONTHS.split("|") or re.fullmatch(NATIONALITY, found.text):
            continue
        if article := re.search(r"\b[Tt]he (?:[a-z]+ )?$", question[:start]):
            start = article.start()
        elif re.search(r"\b(?:a|an|first|second|last|this|[a-z]+['’]s) $", question[:start]):
            continue
        yield found.text, start, end


def _descriptions(name: str, shown: Shown, corpus: Corpus) -> Iterator[tuple[int, str, float]]:
    """(number, noun phrase, worth) of what the sentences say of the name."""
    kind = _kind(name, shown)
    is_place = _is_place(name, shown)
    for number, prose, at in shown:
        text = text_of(prose.places[at])
        if '"' in text:
            continue
        for words, worth in (*_apposed(name, text), *_called(name, prose, at), *_deeds(name, kind, prose, at),
                             *(_happened(name, prose, at) if is_place and not kind else ())):  # fmt: skip
            specific = len([n for n in names("x " + words) if n.text != name]) + len(dates(words)) + len(quantities(words))
            if (not specific and len(words.split()) < 6) or _POINTS.search(
                re.sub(r"^the [a-z -]*? (?:who|that|whom)\b", "", words)
            ):
                continue
            if 4 <= len(words.split()) <= 24 and _is_unique(words, name, prose.places[at].reading.sentence.span.start, corpus):
                yield number, words, worth + 0.05 * min(3, specific)


def _kind(name: str, shown: Shown) -> str:
    """What the name is, in a word: "promoter", "bank", "person"; empty when nothing says it."""
    for _, prose, at in shown:
        text = text_of(prose.places[at])
        before = re.search(rf"\b(?:the|a|an) (?:[a-z]+ ){{0,2}}?([a-z]+),? (called |named )?{re.escape(name)}\b", text)
        behind = re.search(rf"\b{re.escape(name)}, (?:the|an?) (?:[a-z]+ ){{0,3}}?([a-z]+)(?=,| of| from| in|$)", text)
        if before and (before[2] or before[1] in PERSON_NOUNS or before[1] in _KINDS):
            return before[1]
        if behind and (behind[1] in PERSON_NOUNS or behind[1] in _KINDS):
            return behind[1]
        plain = " ".join(name.split()[1:]) if name.split()[0] in TITLES else name
        if name in prose.people or plain in prose.people:
            return "person"
    last = name.split()[-1].lower()
    return last if last in _KINDS else ""


def _apposed(name: str, text: str) -> Iterator[tuple[str, float]]:
    """ "Greta Vey, the defendant's chief designer," -> "the defendant's chief designer"."""
    if match := re.search(rf"\b{re.escape(name)}, (?P<a>the |an? )?(?P<w>[a-z][^,;:]{{6,80}})(?:,|$)", text):
        words = match["w"]
        head = re.split(r" (?:of|at|in|for|to|from|with|which|who) ", words)[0].split()[-1]
        if (match["a"] or head in PERSON_NOUNS) and not re.match(
            r"(?:and|but|who|which|where|when|while|[a-z]+ed|[a-z]+ing)\b", words
        ):
            yield f"the {words}", 0.6
    if match := re.match(rf"(?:The )?{re.escape(name)} (?:is|was) (?:the|an?) (?P<w>[a-z][^,;:]{{10,90}})", text):
        yield f"the {match['w']}", 0.6


def _called(name: str, prose: Prose, at: int) -> Iterator[tuple[str, float]]:
    """ "the defendant has sold a gate named Flexgate" -> "the gate that the defendant has sold"."""
    for t in told(prose, at):
        c = t.clause
        match = re.search(
            rf"^(?P<before>.*?)\ban? (?P<n>(?:[a-z-]+ ){{0,2}}[a-z-]+) (?:called|named) {re.escape(name)}$", c.rest
        )
        if match and c.form in ("past", "perfect", "passive"):
            said = " ".join(f"{c.auxiliary} {c.verb} {match['before']}".split())
            yield f"the {match['n']} that {c.subject} {said}", 0.6


def _deeds(name: str, kind: str, prose: Prose, at: int) -> Iterator[tuple[str, float]]:
    """ "The Saltmen's Savings Bank subscribed 9,000 thalers" -> "the bank that subscribed 9,000 thalers"."""
    if not kind:
        return
    for t in told(prose, at):
        c = t.clause
        plain = re.sub(r"^(?:the|a|an) (?:[a-z]+ )?", "", c.subject)
        short = name.split()[-1] if len(name.split()) > 1 and name.split()[-1] in prose.persons else name
        is_same = plain == name or (plain.split()[-1] == short and plain in prose.people and len(plain.split()) > 1)
        if not is_same or t.before or c.form not in ("past", "passive", "perfect"):
            continue
        lead = f" {c.lead[:1].lower()}{c.lead[1:]}" if c.lead and (dates(c.lead) or names("x " + c.lead)) else ""
        said = " ".join(f"{c.auxiliary} {c.verb} {c.rest}{lead}".split())
        if 3 <= len(said.split()) <= 16 and "," not in said:
            yield f"the {kind} {'who' if kind == 'person' or kind in PERSON_NOUNS else 'that'} {said}", 0.55


def _is_place(name: str, shown: Shown) -> bool:
    """Whether a name stands mostly behind at, in, from and to."""
    before = [
        text_of(p.places[at])[: m.start()] for _, p, at in shown for m in re.finditer(re.escape(name), text_of(p.places[at]))
    ]
    return sum(bool(re.search(r"\b(?:at|in|from|to|near|of|for)(?: the)? $", b, re.IGNORECASE)) for b in before) * 2 > len(
        before
    )


def _happened(name: str, prose: Prose, at: int) -> Iterator[tuple[str, float]]:
    """ "Gate 2 at Inverlash reported itself shut in November 2016" -> "the place where gate 2 reported itself shut ..."."""
    for t in told(prose, at):
        c = t.clause
        said = f"{c.subject} {c.auxiliary} {c.verb} {c.rest}"
        if c.lead and not re.search(re.escape(name), c.lead):
            said += f" {c.lead[:1].lower()}{c.lead[1:]}"
        left, n = re.subn(rf",? (?:at|in) {re.escape(name)}(?=$| (?!and\b|or\b))", "", said, count=1)
        if not n and re.fullmatch(rf"(?:At|In) {re.escape(name)}", c.lead):
            left, n = said, 1
        left = " ".join(left.split())
        if n and not t.before and c.form in ("past", "passive", "perfect") and 5 <= len(left.split()) <= 18 and "," not in left:
            yield f"the place where {left}", 0.5


def _is_unique(words: str, name: str, start: int, corpus: Corpus) -> bool:
    """Whether no sentence without the name holds all but all content words of the description."""
    wanted = content_words(words, "en")
    for index, share in corpus.nearest(wanted, "en", 5):
        other = corpus.readings[index]
        if share >= 0.9 and other.sentence.span.start != start and name not in other.text:
            return False
    return len(wanted) >= 2


def _is_fit(question: str, words: str, name: str, answer: str, kind: str = "") -> bool:
    """Whether a question with the name described neither says the name, nor the answer; words of `kind` may stand in it."""
    low = question.lower()
    telling = [
        w for w in re.findall(r"[^\W_]+", name) if len(w) > 2 and w[0].isupper() and w.lower() not in {*_KINDS, *kind.split()}
    ]
    return (
        fuzz.partial_ratio(name.lower(), low) < 85
        and not any(re.search(rf"\b{re.escape(w.lower())}(?:s|es)?\b", low) for w in telling)
        and answer.lower() not in low
        and not (set(re.findall(r"[A-Z][\w-]{3,}|\d{4}", answer)) & set(re.findall(r"[A-Z][\w-]{3,}|\d{4}", words)))
        and has_balanced_marks(question)
        and len(question.split()) <= 46
        and re.search(r"\bthe the\b|\bof of\b|\b(?:a|an) the\b|\bthe an?\b", low) is None
    )
