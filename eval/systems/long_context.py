"""long_context: the agent answers from the question's whole documents in its context window, without retrieval. If the
documents do not fit in the window beside prompt and reply, the system cuts text from the middle, and a step of the trace
records which pieces it kept."""

from collections.abc import Sequence

from core.nouns import Span, Step
from core.text.text import count_tokens
from eval.settings import Setting, Settings, read_whole_number
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, join_passages, join_question_text, list_whole_documents

MAX_FILLED_SHARE = 0.95
"""Share (0..1) of the agent's context window that is filled: token counts are estimates, and endpoints also count message
roles."""
SHRINK_FACTOR = 0.95


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    whole = list_whole_documents(question.given, tools)
    if not whole:
        raise SystemFailed("No document of the release belongs to this question.", stop="no_documents")
    spans = whole
    if tools.context is not None:
        spans = fit_spans(whole, _count_room(question, tools.context, settings), question.language, tools)
        if not spans:
            raise SystemFailed(f"The agent's window of {tools.context} tokens has no room for a document.", stop="too_long")
    note = "whole documents" if spans == whole else "cut from the middle to the agent's window"
    text = await answer_from(question, tools, join_passages(tools.text(span) for span in spans), settings)
    return Answer(text, steps=(Step("observation", note, spans=tuple(spans)),))


def _count_room(question: Question, window: int, settings: Settings) -> int:
    """Return how many tokens of the window are left for documents, besides the prompt, the question and the reply."""
    frame = join_question_text(question) + "".join(m.content for m in question.prompt.messages) if question.prompt else ""
    reply = read_whole_number(settings, "max_tokens", question.max_tokens, 1)
    return int(window * MAX_FILLED_SHARE) - reply - count_tokens(frame, question.language)


def fit_spans(spans: Sequence[Span], tokens: int, language: str, tools: Tools) -> list[Span]:
    """Return the parts of the spans that fit in `tokens` tokens: equal lengths from the beginning and from the end of all their
    text."""

    def count(parts: Sequence[Span]) -> int:
        return sum(count_tokens(tools.text(span), language) for span in parts)

    needed = count(spans)
    if needed <= tokens:
        return list(spans)
    half = int(sum(span.end - span.start for span in spans) * max(tokens, 0) / needed / 2)
    while half > 0:
        ends = _cut_spans(spans, half, from_front=True) + _cut_spans(spans[::-1], half, from_front=False)[::-1]
        if count(ends) <= tokens:
            return ends
        half = int(half * SHRINK_FACTOR)
    return []


def _cut_spans(spans: Sequence[Span], characters: int, *, from_front: bool) -> list[Span]:
    """Return parts of the spans with `characters` characters in total, in the given order; each is cut at its end, or at its
    beginning if not `from_front`."""
    parts = []
    for span in spans:
        length = min(characters, span.end - span.start)
        start = span.start if from_front else span.end - length
        parts += [Span(span.document, start, start + length)] if length else []
        characters -= length
    return parts


SYSTEM = SystemAdapter(
    label="Long context",
    family="long context",
    needs_agent=True,
    settings={
        "acceleration": Setting(
            "none", "A label for the run's identity only: none, MInference, or the name of any method that the server uses."
        )
    },
    answer=answer,
)
