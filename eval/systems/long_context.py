"""long_context: the question's whole documents in the agent's window, no retrieval. What does not fit beside prompt and
reply is cut from the middle, and a step of the trace says which pieces were kept.

acceleration    a label: none, MInference, or any method of the server's; it changes nothing here and makes another run"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.nouns import Span, Step
from core.text.text import count_tokens
from eval.running.settings import read_whole_number
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, join_passages, join_question_text

MARGIN = 0.95
"""Share of the window that is filled: tokens are estimated, and endpoints count the roles of messages too."""
SHRINK_FACTOR = 0.95


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    spans = [Span(d.id, 0, len(d.text)) for d in map(tools.document, question.given) if d is not None]
    if not spans:
        raise SystemFailed("No document of the release belongs to this question.", stop="no_documents")
    kept = spans
    if tools.context is not None:
        kept = fit_spans(spans, _room(question, tools.context, settings), question.language, tools)
        if not kept:
            raise SystemFailed(f"The agent's window of {tools.context} tokens has no room for a document.", stop="too_long")
    note = "whole documents" if kept == spans else "cut from the middle to the agent's window"
    text = await answer_from(question, tools, join_passages(tools.text(span) for span in kept), settings)
    return Answer(text, steps=(Step("observation", note, spans=tuple(kept)),))


def _room(question: Question, window: int, settings: Mapping[str, Any]) -> int:
    """Tokens left for documents beside the prompt, the question and the reply."""
    frame = join_question_text(question) + "".join(m.content for m in question.prompt.messages) if question.prompt else ""
    reply = read_whole_number(settings, "max_tokens", question.max_tokens, 1)
    return int(window * MARGIN) - reply - count_tokens(frame, question.language)


def fit_spans(spans: Sequence[Span], tokens: int, language: str, tools: Tools) -> list[Span]:
    """The spans, or what is left of them in at most so many tokens: as much from the front of all as from their end."""
    needed = sum(count_tokens(tools.text(span), language) for span in spans)
    if needed <= tokens:
        return list(spans)
    total = sum(span.end - span.start for span in spans)
    half = int(total * max(tokens, 0) / needed / 2)
    while half > 0:
        kept = _front(spans, half) + _cut_back(spans, half)
        if sum(count_tokens(tools.text(span), language) for span in kept) <= tokens:
            return kept
        half = int(half * SHRINK_FACTOR)
    return []


def _front(spans: Sequence[Span], characters: int) -> list[Span]:
    kept = []
    for span in spans:
        take = min(characters, span.end - span.start)
        kept += [Span(span.document, span.start, span.start + take)] if take else []
        characters -= take
    return kept


def _cut_back(spans: Sequence[Span], characters: int) -> list[Span]:
    kept = []
    for span in reversed(spans):
        take = min(characters, span.end - span.start)
        kept += [Span(span.document, span.end - take, span.end)] if take else []
        characters -= take
    return kept[::-1]


SYSTEM = SystemAdapter(
    label="Long context", family="long context", needs_agent=True, settings={"acceleration": "none"}, answer=answer
)
