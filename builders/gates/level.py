"""Check an item's declared level: measure the level by fixed rules, without an agent, and flag the item if the two differ.
Levels have HawkBench's two axes (arXiv 2502.13465): factoid or rationale, explicit or implicit.

An item is a factoid when one sentence of its evidence, called the fact, contains the answer or all words of the answer. An item
is a rationale when no single sentence contains the answer and the evidence has at least RATIONALE sentences; with fewer
sentences the level is undefined. Level 1 is a factoid whose fact a search for the question finds; level 2 is a factoid whose
fact the search does not find. For a question that was made from a level 1 item, the fact counts as not found if the search
ranks the fact lower than a search for the level 1 question does. For any other question, the fact counts as not found if the
search does not rank the fact among the first EXPLICIT sentences. The search is BM25 over the sentences within NEAR characters
on either side of the fact. Level 3: a rationale. Level 4: a rationale with evidence in at least GLOBAL sections
(core/text/sections.py), counted over all documents. core/quality/level_audit.py makes a table of the measured levels and the
necessity gate's verdicts: if one piece of evidence is not necessary, levels 2 and 4 count as one level lower."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from builders.gate import Finding, Gate, GateContext
from builders.near_duplicate_index import normalise_words
from core.errors import BenchError
from core.nouns import Item, Span
from core.retrieval.search import Bm25Index
from core.text.sections import sections
from core.text.text import content_words, split_sentences

EXPLICIT, RATIONALE, GLOBAL = 3, 3, 4
NEAR_CHARACTERS = 20_000
END_OFFSET = 10**9
"""An offset that is larger than the length of any document."""
RULES = {
    "explicit_rank": EXPLICIT,
    "rationale_sentences": RATIONALE,
    "global_sections": GLOBAL,
    "near_characters": NEAR_CHARACTERS,
}


def check(item: Item, context: GateContext) -> Finding:
    if item.level not in (1, 2, 3, 4):
        return Finding("not run", "The item's task has none of the levels 1 to 4.", {"declared": item.level})
    nothing = {"declared": item.level, "measured": None}
    if not item.evidence or not item.answers:
        lacking = "evidence" if not item.evidence else "answer"
        return Finding(
            "not run", f"Its level is undefined, because it has no {lacking}.", nothing | {"undefined": f"no_{lacking}"}
        )
    try:
        measured, details, why = _measure_level(item, context)
    except BenchError as error:
        why = f"Its level is undefined, because its evidence cannot be read: {error}"
        return Finding("not run", why, nothing | {"undefined": "unreadable"})
    recorded = {"declared": item.level, "measured": measured, **details, "rules": RULES}
    if measured is None:
        return Finding("not run", f"Its level is undefined, because {why}.", recorded | {"undefined": "few_sentences"})
    if measured != item.level:
        return Finding(
            "flag", f"The item is declared to be of level {item.level} and measures as level {measured}: {why}.", recorded
        )
    return Finding("pass", "", recorded)


def _measure_level(item: Item, context: GateContext) -> tuple[int | None, dict[str, Any], str]:
    """Return three values: the measured level from 1 to 4 (None = undefined), the measurements that determine the level, and
    the reason as a sentence."""
    sentences = [sentence for span in item.evidence for sentence in _sentences(span, context.text_of(span), item.language)]
    fact = next(
        (span for span, text in sentences if any(_stands_in(answer, text, item.language) for answer in item.answers)), None
    )
    of_sections = {(span.document, n) for span in item.evidence for n in _sections_of(span, context)}
    details: dict[str, Any] = {
        "evidence": len(item.evidence),
        "sentences": len(sentences),
        "sections": len(of_sections),
        "documents": len({span.document for span in item.evidence}),
        "distance": _distance(item.evidence),
        "in_one_sentence": fact is not None,
    }
    if fact is None:
        if len(sentences) < RATIONALE:
            return (
                None,
                details,
                (
                    f"its answer is in no sentence of its evidence, which has only {len(sentences)} of the {RATIONALE} "
                    "sentences that a rationale needs"
                ),
            )
        level = 4 if len(of_sections) >= GLOBAL else 3
        return (
            level,
            details,
            (
                f"its answer is in no single sentence, and its evidence is in {len(of_sections)} "
                f"{'section' if len(of_sections) == 1 else 'sections'}"
            ),
        )
    rank, among = _rank(item.question, fact, item.language, context)
    source = next(
        (str(step["question"]) for step in item.steps if step.get("kind") == "source_item" and step.get("question")), None
    )
    details |= {"rank": rank, "of": among}
    if source is None:
        said = f"its answer is in one sentence, which a search for its question ranks {rank} of {among}"
        return 2 if rank > EXPLICIT else 1, details, said
    before, _ = _rank(source, fact, item.language, context)
    details |= {"rank_of_source": before, "rank_shift": rank - before}
    said = f"which a search ranks {rank} of {among} for its question and {before} for the question it was made from"
    return 2 if rank > before else 1, details, f"its answer is in one sentence, {said}"


def _sentences(span: Span, text: str, language: str) -> list[tuple[Span, str]]:
    return [(Span(span.document, span.start + a, span.start + b), text[a:b]) for a, b in split_sentences(text, language)]


def _stands_in(answer: str, sentence: str, language: str) -> bool:
    """Check whether the sentence contains the answer verbatim, or at least every content word of the answer."""
    if normalise_words(answer) and normalise_words(answer) in normalise_words(sentence):
        return True
    said = set(content_words(answer, language))
    return bool(said) and said <= set(content_words(sentence, language))


def _sections_of(span: Span, context: GateContext) -> list[int]:
    """Return the indices of the document's sections that the span overlaps."""
    ends = _section_bounds(context.text_of(Span(span.document, 0, END_OFFSET)))
    return [n for n, (start, end) in enumerate(ends) if span.start < end and start < span.end]


@lru_cache(maxsize=8)
def _section_bounds(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((part.start, part.end) for part in sections(text).parts)


def _distance(evidence: Sequence[Span]) -> int | None:
    """Return the number of characters between the first and the last piece of evidence in one document, as the maximum over all
    documents; None if no document has two pieces of evidence."""
    distances = [b.start - a.end for a in evidence for b in evidence if a.document == b.document and a.end <= b.start]
    return max(distances, default=None)


def _rank(question: str, fact: Span, language: str, context: GateContext) -> tuple[int, int]:
    """Search for the question by BM25 and return (rank of the sentence with the answer, number of sentences searched). Ranks
    start at 1. If the sentence shares no word with the question, its rank is the number of hits plus one."""
    begin = max(0, fact.start - NEAR_CHARACTERS)
    text = context.text_of(Span(fact.document, begin, fact.end + NEAR_CHARACTERS))
    index, spans = _index(fact.document, begin, text, language)
    hits = [hit.span for hit in index.search(question, len(spans))]
    place = next((n for n, span in enumerate(hits, 1) if span.start < fact.end and fact.start < span.end), len(hits) + 1)
    return place, len(spans)


@lru_cache(maxsize=8)
def _index(document: str, begin: int, text: str, language: str) -> tuple[Bm25Index, list[Span]]:
    cuts = [(a, b) for a, b in split_sentences(text, language) if text[a:b].strip()]
    spans = [Span(document, begin + a, begin + b) for a, b in cuts]
    return Bm25Index(spans, [text[a:b] for a, b in cuts], language), spans


GATE = Gate(version="1", check=check)
