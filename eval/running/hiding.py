"""Ask absence twins: an item's question, while the passages that prove its answer are hidden from the system's search. Hits of
a search that share a character with a hidden passage are left out, and more hits are requested until there are enough visible
ones, so every retriever and search engine can be used. Ranks and scores are those of the whole index."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from core.nouns import Document, Hit, Span
from core.retrieval.absence import AbsenceTwin, overlaps
from core.wording.answer_leaks import find_leaked_answer
from eval.retriever import Search
from eval.system import Question, SystemAdapter, Tools

MAX_DEPTH = 10_000
"""Maximum number of hits that are requested from a search, including hidden ones."""


def explain_inapplicable(adapter: SystemAdapter, retriever: str | None) -> str:
    """Return why passages cannot be hidden from the system, as a sentence fragment; "" if they can be hidden."""
    if adapter.build is not None:
        return "the system reads the whole corpus before the first question, so passages cannot be hidden from it"
    if adapter.needs_functions:
        return "the system reads documents and tables by functions, so passages cannot be hidden from it"
    return "" if retriever else "the run has no retriever, so passages cannot be hidden from the system"


def build_twin_question(question: Question) -> Question:
    """Return the question of an item's absence twin: the item's own question, without gold answers, evidence, and worked
    examples that contain a gold answer."""
    shown = tuple(
        shot for shot in question.shots if not find_leaked_answer("", " ".join([*shot.evidence, shot.answer]), question.answers)
    )
    return replace(question, answers=(), evidence=(), shots=shown)


def hide_passages(tools_for: Callable[[Question], Tools], twins: Mapping[str, AbsenceTwin]) -> Callable[[Question], Tools]:
    """Return a function that makes the tools for a twin's question: no search, text or document shows a hidden passage.
    `twins` is a dict from item to its twin."""

    def make_tools(question: Question) -> Tools:
        tools = tools_for(question)
        hidden: dict[str, list[Span]] = {}
        for passage in twins[question.item].hidden:
            hidden.setdefault(passage.span.document, []).append(passage.span)

        def is_hidden(span: Span) -> bool:
            return any(overlaps(span, other) for other in hidden.get(span.document, ()))

        def find_text(span: Span) -> str:
            return "" if is_hidden(span) else tools.text(span)

        def find_document(name: str) -> Document | None:
            return None if name in hidden else tools.document(name)

        search = tools.retrieve and _search_visible(tools.retrieve, is_hidden, len(twins[question.item].hidden))
        return replace(tools, retrieve=search, text=find_text, document=find_document, functions=None)

    return make_tools


def _search_visible(search: Search, is_hidden: Callable[[Span], bool], hidden: int) -> Search:
    def search_visible(query: str, k: int) -> list[Hit]:
        depth, before = k + hidden, -1
        while True:
            hits = search(query, depth)
            visible = [hit for hit in hits if not is_hidden(hit.span)]
            if len(visible) >= k or len(hits) <= before or depth >= MAX_DEPTH:
                return visible[:k]
            depth, before = min(2 * depth, MAX_DEPTH), len(hits)

    return search_visible
