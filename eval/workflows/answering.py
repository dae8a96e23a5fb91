"""What systems share when they answer from a text: the task's own answer prompt filled with question and context, one call, and
what its finish means."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.agent import Completion, Sampling
from core.errors import BenchError
from core.nouns import Prompt, Span
from core.quality.crag import ASKED_AT
from eval.running.settings import read_whole_number
from eval.system import Question, SystemFailed, Tools


async def answer_from(question: Question, tools: Tools, context: str, settings: Mapping[str, Any]) -> str:
    """The agent's answer to the question from that context. Raises SystemFailed when the reply was cut before a word or held
    back, AgentError when none came."""
    filled = question.fills or {"question": date_question_text(question)}
    return await reply_to(question.prompt, question, tools, {**filled, "context": context}, settings)


async def reply_to(
    prompt: Prompt | None, question: Question, tools: Tools, inputs: Mapping[str, object], settings: Mapping[str, Any]
) -> str:
    """The reply to one of the task's prompts, in at most `max_tokens` (the task's length hint unless set)."""
    if tools.ask is None:
        raise BenchError("This system asks an agent and the run has none: name one with --agent.")
    if prompt is None:
        raise SystemFailed(f"The task {question.task} has no prompt for this system.", stop="no_prompt")
    most = read_whole_number(settings, "max_tokens", question.max_tokens, 1)
    sampling = Sampling(temperature=settings.get("temperature", 0.0), max_tokens=most, seed=settings.get("seed"))
    return read_answer(await tools.ask(prompt, inputs, sampling))


def read_answer(completion: Completion) -> str:
    """The completion's text; one that its length limit cut after some words counts as the answer that it is."""
    if completion.finish in ("filter", "content_filter"):
        raise SystemFailed("The endpoint's filter held the answer back.", stop="refused")
    if completion.finish == "length" and not completion.text.strip():
        raise SystemFailed("The reply reached its length limit before an answer began: raise max_tokens.", stop="cut")
    return completion.text.strip()


def join_question_text(question: Question) -> str:
    """The question with the further texts that belong to it."""
    return "\n\n".join([question.text, *question.inputs.values()])


def date_question_text(question: Question) -> str:
    """As asked, with the time at which it is asked where one is known."""
    return (
        f"{join_question_text(question)}\n\n{ASKED_AT[question.language]}{question.now}"
        if question.now
        else join_question_text(question)
    )


def join_passages(texts: Iterable[str]) -> str:
    """Passages as one context, a blank line between two."""
    return "\n\n".join(text.strip() for text in texts)


def locate_passages(contexts: Any, ids: Any, question: Question, tools: Tools) -> tuple[Span, ...] | None:
    """Spans of what an outside system says it answered from, best first: `contexts` (texts, or objects with text, content or
    page_content) where they stand in the release, else whole documents by their `ids`; None when it tells neither."""
    if isinstance(contexts, list):
        return tuple(tools.locate(_words(context), question.given) for context in contexts)
    if isinstance(ids, list):
        named = [(str(name), tools.document(str(name))) for name in ids]
        return tuple(Span(name, 0, len(document.text) if document else 0) for name, document in named)
    return None


def read_count(value: Any) -> int | None:
    """A count that an outside system told, None when it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _words(passage: Any) -> str:
    fields = passage if isinstance(passage, dict) else {"text": passage}
    return next((str(fields[name]) for name in ("text", "content", "page_content") if fields.get(name)), "")
