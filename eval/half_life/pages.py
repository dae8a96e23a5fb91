"""Ask questions on web pages again of newer copies of the pages, by rules or by an agent. Rules see whether the pages still
state a gold answer; they cannot know another answer."""

from collections.abc import Sequence
from typing import NamedTuple

from core.nouns import Document, Item
from core.quality.crag import explain_unanswering
from core.quality.half_life import CheckedAnswer, DecayOutcome
from core.retrieval.chunks import chunk
from core.retrieval.search import Bm25Index
from core.text.refusals import is_refusal
from eval.metrics.crag_truthfulness import PHRASES, lower_text
from eval.shortcuts._judging import THRESHOLD, PreparedText, judge_answer

NO_PAGE = "no newer page was given"
AGENT_MISSED = "the agent does not find a gold answer in the released pages"
CHUNK_TOKENS, PASSAGES = 256, 5
"""Size of the passages of a page, and number of passages that an agent reads."""


class PagePair(NamedTuple):
    """A released page of a question, and its newer copy."""

    before: Document
    after: Document | None
    """The newer copy; None = none was given, or it has no text."""
    is_given: bool
    """Whether a newer copy was given."""

    @property
    def is_same(self) -> bool:
        """Whether both copies show the same characters; markup and white space may differ."""
        return self.after is not None and _squeeze(self.after.text) == _squeeze(self.before.text)


def check_pages(item: Item, pages: Sequence[PagePair], evidence: Sequence[tuple[str, str]]) -> CheckedAnswer:
    """Return what became of the answer by rules. `evidence` contains (document, text) for each evidence span of the item.

    unchanged: the words of all pages, or all evidence, are the same, or a page that stated a gold answer still states one.
    gone: no page that stated a gold answer has any text left. not_found: no such page states a gold answer. A gold answer is
    stated if its words stand in the page (all its content words, if it has more than ten); yes, no, and an answer that the
    question contains say nothing."""
    before = item.answers[0] if item.answers else ""

    def give(outcome: DecayOutcome, why: str) -> CheckedAnswer:
        return CheckedAnswer(item=item.id, outcome=outcome, why=why, before=before)

    if not any(page.is_given for page in pages):
        return give("not_asked", NO_PAGE)
    if all(page.is_same for page in pages):
        return give("unchanged", "the pages show the same words")
    if all(page.is_given and not page.after for page in pages):
        return give("gone", "the newer pages have no text")
    newer = {page.before.id: page.after for page in pages if page.after}
    if evidence and all(id_ in newer and _squeeze(text) in _squeeze(newer[id_].text) for id_, text in evidence):
        return give("unchanged", "the evidence is still there")
    if (why := explain_unanswering(before)) and len(item.answers) < 2:
        return give("not_asked", f"its gold answer {why.partition(',')[0].partition(':')[0]}")
    stating = [page for page in pages if _states(item, page.before) is True]
    if not stating:
        reasons = [said for page in pages if isinstance(said := _states(item, page.before), str)]
        return give("not_asked", reasons[0] if reasons else "the released pages do not state the answer in its words")
    if any(page.after and _states(item, page.after) is True for page in stating):
        return give("unchanged", "a page still states the answer")
    if not all(page.is_given for page in stating):
        return give("not_asked", NO_PAGE)
    if not any(page.after for page in stating):
        return give("gone", "the newer page has no text")
    return give("not_found", "the newer page does not state the answer in its words")


def compare_replies(item: Item, before: str, after: str) -> CheckedAnswer:
    """Return what became of the answer by an agent's replies to the question on the released pages and on the newer ones. If
    the agent does not give a gold answer on the released pages, its reply on the newer ones says nothing."""
    gold = item.answers[0] if item.answers else ""
    if not gives_gold(item, before):
        return CheckedAnswer(item=item.id, outcome="not_asked", why=AGENT_MISSED, before=gold)
    if gives_gold(item, after):
        return CheckedAnswer(item=item.id, outcome="unchanged", why="the agent gives a gold answer", before=gold, after=after)
    if refuses(after, item.language):
        return CheckedAnswer(item=item.id, outcome="gone", why="the agent finds no answer", before=gold)
    return CheckedAnswer(item=item.id, outcome="changed", why="the agent gives another answer", before=gold, after=after)


def gives_gold(item: Item, reply: str) -> bool:
    """Return whether an agent's reply is right by a gold answer of the item."""
    question = PreparedText(item.question, item.language)
    said = judge_answer(PreparedText(reply, item.language), "reply", question, item.answers, THRESHOLD)
    return said is True


def choose_passages(question: str, language: str, pages: Sequence[Document]) -> str:
    """Return the passages of the pages that BM25 ranks first for the question, in rank order, with blank lines between them."""
    spans = [span for page in pages for span in chunk(page, CHUNK_TOKENS)]
    texts = {page.id: page.text for page in pages}
    cut = {span: texts[span.document][span.start : span.end].strip() for span in spans}
    hits = Bm25Index(spans, [cut[span] for span in spans], language).search(question, PASSAGES) if spans else []
    return "\n\n".join(cut[hit.span] for hit in hits)


def refuses(reply: str, language: str) -> bool:
    """Return whether a reply is empty or says that the agent does not know the answer."""
    low = lower_text(reply)
    return not low or is_refusal(reply) or any(lower_text(phrase) in low for phrase in PHRASES[language])


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _states(item: Item, page: Document) -> bool | str:
    """Return whether the page states a gold answer, or the reason why this cannot be decided."""
    text, question = PreparedText(page.text, item.language), PreparedText(item.question, item.language)
    return judge_answer(text, "passage", question, item.answers, threshold=1.0)
