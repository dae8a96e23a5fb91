"""Share code between systems that decide during generation whether to search: continue a partial reply, find its first
sentence, and list the passages used."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.agent import Completion, Sampling
from core.errors import BenchError
from core.nouns import Hit, Prompt, Span
from core.text.language import find_row
from core.text.text import split_sentences
from eval.settings import Setting, Settings
from eval.system import Inputs, SystemFailed, Tools

GO_ON = Setting(
    "turn",
    "How the agent's text so far is sent back to it: turn (in the user's message), message (as an unfinished "
    "message), text (as one text, to /v1/completions).",
    choices=("turn", "message", "text"),
)
TOP_P = Setting(1.0, "Share of the probability from which tokens are sampled (top-p); not used at temperature 0.", kind="share")
RepeatCounter = Callable[[str, str, str], int]
"""A function that returns how many characters at the beginning of the reply repeat the text so far, from (text so far, reply,
language)."""


class AddedText(NamedTuple):
    """The text that one call added to the agent's partial answer."""

    text: str
    completion: Completion
    skipped: int
    """Number of characters at the beginning of the completion in which the agent repeated its earlier text."""


async def continue_reply(
    tools: Tools,
    prompt: Prompt,
    inputs: Inputs,
    so_far: str,
    settings: Settings,
    sampling: Sampling,
    count_repeated: RepeatCounter,
) -> AddedText:
    """Let the agent continue its reply `so_far`, which is an input of the prompt, and return what it adds. Raises SystemFailed
    if the endpoint withholds the text, AgentError if the call fails."""
    how = settings["go_on"]
    if how == "turn":
        completion = await tools.agent(prompt, {**inputs, "so_far": so_far}, sampling)
        skipped = count_repeated(so_far, completion.text, prompt.language)
    else:
        going = replace(sampling, prefill=so_far, prefill_mode="text" if how == "text" else "message")
        completion = await tools.agent(prompt, {**inputs, "so_far": ""}, going)
        skipped = 0
    if completion.finish in ("filter", "content_filter"):
        raise SystemFailed("The endpoint's content filter withheld a part of the answer.", stop="refused")
    return AddedText(completion.text[skipped:], completion, skipped)


def count_repeated_sentences(so_far: str, reply: str, language: str) -> int:
    """Return how many characters at the beginning of the reply repeat earlier sentences of `so_far`, or the beginning of the
    last sentence of `so_far`."""
    written, end = " ".join(so_far.split()), 0
    for start, stop in split_sentences(reply, language):
        if " ".join(reply[start:stop].split()) not in written:
            break
        end = stop
    last = so_far[split_sentences(so_far, language)[-1][0] :].strip() if written else ""
    rest = reply[end:].lstrip()
    return len(reply) - len(rest) + len(last) if last and rest.startswith(last) else end


def count_repeated_text(so_far: str, reply: str, language: str) -> int:
    """If the reply begins by repeating all of `so_far`, return the number of characters of this beginning; else return 0."""
    rest, written = reply.lstrip(), so_far.strip()
    return len(reply) - len(rest) + len(written) if written and rest.startswith(written) else 0


def find_first_sentence(text: str, language: str) -> int:
    """Return the end offset of the first sentence of the text, or the length of the text if it has no sentence end."""
    sentences = split_sentences(text, language)
    return sentences[0][1] if sentences else len(text)


def append_piece(so_far: str, piece: str, language: str) -> str:
    """Return the partial answer with one more piece, after a space if the language has spaces between sentences."""
    if not so_far or not piece or not find_row(language).separator or so_far[-1].isspace() or piece[0].isspace():
        return so_far + piece
    is_ended = so_far.rstrip("\"'”’)]").endswith((".", "!", "?", ":", ";"))
    return f"{so_far} {piece}" if is_ended else so_far + piece


def number_passages(hits: Sequence[Hit], tools: Tools) -> str:
    """Return the texts of the passages as one context for a prompt, each preceded by its rank."""
    return "\n\n".join(f"[{rank}] {tools.text(hit.span).strip()}" for rank, hit in enumerate(hits, 1))


def list_passages(searches: Iterable[Sequence[Hit]]) -> tuple[Span, ...]:
    """Return the distinct passages of all searches, search by search, best first."""
    return tuple(dict.fromkeys(hit.span for hits in searches for hit in hits))


def refuse_agent(system: str, needs: str, instead: str) -> BenchError:
    """Return the error to raise if the system needs an ability that the agent does not have."""
    return BenchError(f"unsupported: {system} needs {needs}; {instead}.")
