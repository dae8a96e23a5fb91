"""Share code between systems that answer from a context: fill and send prompts, read the reply, and join passages into a
context."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from core.agent import Completion, Sampling
from core.nouns import Hit, Prompt, Span
from core.quality.crag import ASKED_AT
from eval.settings import Settings, read_number, read_share, read_whole_number
from eval.system import Answer, Inputs, Question, SystemFailed, Tools
from prompts.prompt import load
from prompts.reply import ask_for


async def answer_from(question: Question, tools: Tools, context: str, settings: Settings) -> str:
    """Return the agent's answer to the question from this context. Raises SystemFailed if the reply was withheld or cut off
    before any text, AgentError if there was no reply."""
    inputs = question.fills or {"question": date_question_text(question)}
    return await reply_to(question.prompt, question, tools, {**inputs, "context": context}, settings)


async def answer_from_passages(
    question: Question, tools: Tools, passages: Sequence[Span], settings: Settings, is_ranked: bool = False
) -> Answer:
    """Let the agent answer from ranked passages, and return the Answer. The prompt shows the passages in document order, or in
    rank order if `is_ranked`."""
    context = join_passages(tools.text(span) for span in (passages if is_ranked else sorted(passages)))
    return Answer(await answer_from(question, tools, context, settings), retrieved=tuple(passages))


async def reply_to(prompt: Prompt | None, question: Question, tools: Tools, inputs: Inputs, settings: Settings) -> str:
    """Return the agent's reply to one of the task's prompts, with at most as many tokens as the setting `max_tokens` or, by
    default, the task allows."""
    ask = tools.agent
    if prompt is None:
        raise SystemFailed(f"The task {question.task} has no prompt for this system.", stop="no_prompt")
    max_tokens = read_whole_number(settings, "max_tokens", question.max_tokens, 1)
    return read_answer(await ask(prompt, inputs, make_sampling(settings, max_tokens)))


async def ask_fields(
    tools: Tools, prompt: str, language: str, inputs: Inputs, settings: Settings, max_tokens: int
) -> dict[str, Any]:
    """Return the fields of the agent's reply to one of the project's own prompts; if a reply is unreadable, the agent is asked
    again. Raises Unreadable if no reply is readable, AgentError if the call fails."""
    return (await ask_for(tools.agent, load(prompt, language), inputs, make_sampling(settings, max_tokens))).values


async def ask_text(tools: Tools, prompt: str, language: str, inputs: Inputs, settings: Settings, max_tokens: int) -> str:
    """Return the agent's reply as text to one of the project's own prompts. Raises SystemFailed if the reply was withheld or
    cut off before any text, AgentError if the call fails."""
    return read_answer(await tools.agent(load(prompt, language), inputs, make_sampling(settings, max_tokens)))


def make_sampling(settings: Settings, max_tokens: int, **more: Any) -> Sampling:
    """Return the sampling parameters that the settings give, with at most `max_tokens` tokens."""
    return Sampling(
        temperature=read_number(settings, "temperature", 0.0),
        top_p=read_share(settings, "top_p", 1.0),
        max_tokens=max_tokens,
        seed=settings.get("seed"),
        **more,
    )


def read_answer(completion: Completion) -> str:
    """Return the text of the agent's completion. A reply that reached its token limit counts as an answer if the reply has any
    text."""
    if completion.finish in ("filter", "content_filter"):
        raise SystemFailed("The endpoint's content filter withheld the answer.", stop="refused")
    if completion.finish == "length" and not completion.text.strip():
        raise SystemFailed("The reply reached its length limit before an answer began: raise max_tokens.", stop="cut")
    return completion.text.strip()


def join_question_text(question: Question) -> str:
    """Return the question together with its input texts."""
    return "\n\n".join([question.text, *question.inputs.values()])


def date_question_text(question: Question) -> str:
    """Return the question with its input texts and, if known, the time at which it is asked."""
    text = join_question_text(question)
    return f"{text}\n\n{ASKED_AT[question.language]}{question.now}" if question.now else text


def list_whole_documents(ids: Sequence[str], tools: Tools) -> list[Span]:
    """Return a span over the whole text of each of these documents that is in the release."""
    return [Span(d.id, 0, len(d.text)) for d in map(tools.document, ids) if d is not None]


def join_passages(texts: Iterable[str]) -> str:
    """Return the texts of passages as one context, with blank lines between them."""
    return "\n\n".join(text.strip() for text in texts)


def merge_hits(searches: Iterable[Sequence[Hit]]) -> list[Span]:
    """Return the distinct passages of several searches: the first of each search, then the second of each, ..."""
    rows = zip_longest(*searches)
    return list(dict.fromkeys(hit.span for row in rows for hit in row if hit is not None))


def locate_passages(contexts: Any, ids: Any, question: Question, tools: Tools) -> tuple[Span, ...] | None:
    """Return the spans that an outside system reports as its sources, best first; None if the system reports no sources. The
    texts in `contexts` (texts, or objects with text, content or page_content) are searched for in the release; without
    `contexts`, `ids` names whole documents."""
    if isinstance(contexts, list):
        return tuple(tools.locate(_read_text(context), question.given) for context in contexts)
    if isinstance(ids, list):
        documents = [(str(name), tools.document(str(name))) for name in ids]
        return tuple(Span(name, 0, len(document.text) if document else 0) for name, document in documents)
    return None


def read_count(value: Any) -> int | None:
    """Return a count that an outside system reported, or None if the value is not a count."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _read_text(passage: Any) -> str:
    fields = passage if isinstance(passage, dict) else {"text": passage}
    return next((str(fields[name]) for name in ("text", "content", "page_content") if fields.get(name)), "")
