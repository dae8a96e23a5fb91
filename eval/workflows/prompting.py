"""What systems share on the way to an answer: a call with a prompt of their own, and the passages of several searches."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from core.agent import Sampling
from core.errors import BenchError
from core.nouns import Hit, Span
from eval.system import Search, Tools
from eval.workflows.answering import read_answer
from prompts.prompt import load
from prompts.reply import ask_for


async def ask_fields(
    tools: Tools, prompt: str, language: str, inputs: Mapping[str, object], settings: Mapping[str, Any], max_tokens: int
) -> dict[str, Any]:
    """The fields of the reply to one of our prompts, asked again when it cannot be read. Raises Unreadable, AgentError."""
    return (await ask_for(_ask(tools), load(prompt, language), inputs, _sampling(settings, max_tokens))).values


async def ask_text(
    tools: Tools, prompt: str, language: str, inputs: Mapping[str, object], settings: Mapping[str, Any], max_tokens: int
) -> str:
    """The reply to one of our prompts that asks for plain text. Raises SystemFailed, AgentError."""
    return read_answer(await _ask(tools)(load(prompt, language), inputs, _sampling(settings, max_tokens)))


def require_search(tools: Tools, system: str) -> Search:
    """The run's search; raises BenchError when it has none."""
    if tools.retrieve is None:
        raise BenchError(f"The system {system} searches and the run has no retriever: name one with --retriever.")
    return tools.retrieve


def merge_hits(lists: Iterable[Sequence[Hit]]) -> list[Span]:
    """The passages of several searches in rank order, the first of each before the second of any, duplicates removed."""
    rows = zip_longest(*lists)
    return list(dict.fromkeys(hit.span for row in rows for hit in row if hit is not None))


def _ask(tools: Tools) -> Any:
    if tools.ask is None:
        raise BenchError("This system asks an agent and the run has none: name one with --agent.")
    return tools.ask


def _sampling(settings: Mapping[str, Any], max_tokens: int) -> Sampling:
    return Sampling(temperature=settings.get("temperature", 0.0), max_tokens=max_tokens, seed=settings.get("seed"))
