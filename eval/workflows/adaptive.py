"""What systems share that decide while they write whether to search: going on with a partial reply, cutting its first sentence,
the passages they were given, and one sentence for an agent that cannot do what they need."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.agent import Completion, Sampling
from core.errors import BenchError
from core.nouns import Hit, Prompt, Span
from core.text.text import split_sentences
from eval.running.settings import read_choice, read_number, read_share, read_whole_number
from eval.system import AskInRun, SystemFailed, Tools

GO_ON = ("turn", "message", "text")
"""How an agent is told what it wrote so far: within the user's turn, as a last message that is not finished, or as one text."""
RepeatCounter = Callable[[str, str, str], int]
"""(what was said, the reply, language) -> characters of the reply that only say it again."""


class AddedText(NamedTuple):
    """What one call added."""

    text: str
    completion: Completion
    skipped: int
    """Characters of the completion before it: what the agent said a second time."""


async def continue_reply(
    tools: Tools,
    prompt: Prompt,
    inputs: Mapping[str, object],
    so_far: str,
    settings: Mapping[str, Any],
    sampling: Sampling,
    again: RepeatCounter,
) -> AddedText:
    """The prompt's reply from where it stands; `again` counts what it says a second time. The prompt has the input so_far.
    Raises SystemFailed, AgentError."""
    how = read_choice(settings, "go_on", GO_ON)
    if how == "turn":
        completion = await require_agent(tools)(prompt, {**inputs, "so_far": so_far}, sampling)
        skipped = again(so_far, completion.text, prompt.language)
    else:
        going = replace(sampling, prefill=so_far, prefill_mode="text" if how == "text" else "message")
        completion = await require_agent(tools)(prompt, {**inputs, "so_far": ""}, going)
        skipped = 0
    if completion.finish in ("filter", "content_filter"):
        raise SystemFailed("The endpoint's filter held a part of the answer back.", stop="refused")
    return AddedText(completion.text[skipped:], completion, skipped)


def make_sampling(settings: Mapping[str, Any], max_tokens: int, **more: Any) -> Sampling:
    """As the settings want it."""
    return Sampling(
        temperature=read_number(settings, "temperature", 0.0),
        top_p=read_share(settings, "top_p", 1.0),
        max_tokens=max_tokens,
        seed=settings.get("seed"),
        **more,
    )


def require_agent(tools: Tools) -> AskInRun:
    """The run's agent; raises BenchError when it has none."""
    if tools.ask is None:
        raise BenchError("This system asks an agent and the run has none: name one with --agent.")
    return tools.ask


def count_repeated_sentences(so_far: str, reply: str, language: str) -> int:
    """Characters at the reply's beginning that only say sentences again which were said, or how the last one began."""
    known, end = " ".join(so_far.split()), 0
    for start, stop in split_sentences(reply, language):
        if " ".join(reply[start:stop].split()) not in known:
            break
        end = stop
    last = so_far[split_sentences(so_far, language)[-1][0] :].strip() if known else ""
    rest = reply[end:].lstrip()
    return len(reply) - len(rest) + len(last) if last and rest.startswith(last) else end


def count_repeated_text(so_far: str, reply: str, language: str) -> int:
    """Characters at the reply's beginning that say again all that was said."""
    rest, known = reply.lstrip(), so_far.strip()
    return len(reply) - len(rest) + len(known) if known and rest.startswith(known) else 0


def find_first_sentence(text: str, language: str) -> int:
    """Where the first sentence ends; the text's length when it holds none."""
    found = split_sentences(text, language)
    return found[0][1] if found else len(text)


def append_piece(so_far: str, piece: str, language: str) -> str:
    """The reply with one more piece; a space between two sentences where the language wants one."""
    if not so_far or not piece or language == "zh" or so_far[-1].isspace() or piece[0].isspace():
        return so_far + piece
    ended = so_far.rstrip("\"'”’)]").endswith((".", "!", "?", ":", ";"))
    return f"{so_far} {piece}" if ended else so_far + piece


def number_passages(hits: Sequence[Hit], tools: Tools) -> str:
    """Passages as a context, each behind its rank."""
    return "\n\n".join(f"[{rank}] {tools.text(hit.span).strip()}" for rank, hit in enumerate(hits, 1))


def list_passages(searches: Iterable[Sequence[Hit]]) -> tuple[Span, ...]:
    """Every passage that any search brought, search after search, best first, once each."""
    return tuple(dict.fromkeys(hit.span for hits in searches for hit in hits))


def read_positive(settings: Mapping[str, Any], name: str) -> int:
    """A number of tokens or rounds above 0."""
    return read_whole_number(settings, name, 1, 1)


def refuse_agent(system: str, needs: str, instead: str) -> BenchError:
    """One sentence for an agent that cannot do what the system needs."""
    return BenchError(f"unsupported: {system} needs {needs}; {instead}.")
