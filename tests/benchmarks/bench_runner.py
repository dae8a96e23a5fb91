"""The runner's sliding window at 32 and 64 questions in flight over an agent in this process that takes 1 s: share of the ideal
(questions / window x 1 s), beside lock-step batches of the same size over service times that vary. Target: at least .9."""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.agents.agent import Completion, Sampling
from core.nouns import Document, Message, Prompt, Span
from eval.retrieval import tools_over
from eval.runner import run
from eval.system import Question, systems

TARGET = 0.9
ROUNDS = 8
"""Questions per place of the window."""
PROMPT = Prompt("answer/bench.en", "answer", (Message("user", "$question $context"),), ("question", "context"))
DOCUMENT = Document("d", "The mill stands by the river and was bought by Ada Quill in 1911. " * 40, "Mill")
Ask = Callable[[Prompt, Mapping[str, object], Sampling], Awaitable[Completion]]


def agent(window: int) -> Ask:
    """An endpoint of `window` places whose service time varies around 1 s."""
    chance, places = random.Random(7), asyncio.Semaphore(window)

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        seconds = chance.choice((0.5, 0.75, 1.0, 1.25, 1.5))
        async with places:
            await asyncio.sleep(seconds)
        return Completion("Ada Quill", tokens_in=700, tokens_out=2, seconds=seconds, call="c")

    return ask


def questions(n: int) -> list[Question]:
    words = "Who bought the mill?"
    span = (Span("d", 0, 66),)
    return [Question(str(i), words, words, "en", "explicit_factoid", PROMPT, 32, evidence=span) for i in range(n)]


async def in_a_window(window: int) -> float:
    """Seconds for all questions through the runner, the last ones' tail included."""
    tools = tools_over([DOCUMENT], {}, agent(window), None)
    began = time.perf_counter()
    async for _ in run(questions(window * ROUNDS), systems()["oracle"], {}, tools, run_id="r", concurrency=window):
        pass
    return time.perf_counter() - began


async def in_lock_step(window: int) -> float:
    """Seconds for the same calls in batches, each waiting for its slowest."""
    ask = agent(window)
    began = time.perf_counter()
    for _ in range(ROUNDS):
        await asyncio.gather(*(ask(PROMPT, {}, Sampling()) for _ in range(window)))
    return time.perf_counter() - began


def main() -> None:
    print(f"{'runner':<34}{'peer':>8}{'ours':>8}{'ratio':>8}{'target':>8}  held")
    for window in (32, 64):
        theirs, ours = ROUNDS / asyncio.run(in_lock_step(window)), ROUNDS / asyncio.run(in_a_window(window))
        label = f"share of ideal, window {window}, 1 s"
        held = "yes" if ours >= TARGET else "no"
        print(f"{label:<34}{theirs:>8.3f}{ours:>8.3f}{ours / theirs:>8.2f}{TARGET:>8.2f}  {held}")


if __name__ == "__main__":
    main()
