"""The runner's sliding window at 32 and 64 questions in flight over an agent in this process that takes 1 s: share of the ideal
(questions / window x 1 s), beside the bare calls' own share behind a semaphore. Target: at least .9 (evaluation.md, 9)."""

import asyncio
import sys
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.agent import Completion, Sampling
from core.nouns import Document, Message, Prompt, Span
from eval.retriever import retrievers
from eval.running.retrieval import make_tools, prepare_retrieval
from eval.running.runner import answer_all
from eval.system import Question, systems

TARGET = 0.9
SECONDS = 1.0
ROUNDS = 6
"""Questions per place of the window."""
PROMPT = Prompt("answer/bench.en", "answer", (Message("user", "$question $context"),), ("question", "context"))
DOCUMENTS = [
    Document(str(n), f"Mill number {n} stands by the river and was bought by Ada Quill in {1700 + n}. " * 40, f"Mill {n}")
    for n in range(100)
]


async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
    prompt.fill(inputs)
    await asyncio.sleep(SECONDS)
    return Completion("Ada Quill", tokens_in=700, tokens_out=2, seconds=SECONDS, call="c")


def questions(n: int) -> list[Question]:
    words = "Who bought mill number 7 by the river?"
    gold = (Span("7", 0, 66),)
    return [Question(str(i), words, words, "en", "explicit_factoid", PROMPT, 32, evidence=gold) for i in range(n)]


async def ours(window: int) -> float:
    """Seconds for all questions through retrieval, prompt, agent and trace."""
    asked = questions(window * ROUNDS)
    prepared = prepare_retrieval(DOCUMENTS, asked, retrievers()["bm25"], {})
    tools = make_tools(DOCUMENTS, prepared.searches, ask, None)
    began = time.perf_counter()
    async for trace in answer_all(asked, systems()["vanilla"], {}, tools, run_id="r", concurrency=window):
        if trace.answer is None:
            raise SystemExit(f"a question failed: {trace.error}")
    return time.perf_counter() - began


async def bare(window: int) -> float:
    """Seconds for as many calls and nothing else."""
    gate = asyncio.Semaphore(window)

    async def call() -> None:
        async with gate:
            await ask(PROMPT, {"question": "q", "context": "c"}, Sampling())

    began = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(window * ROUNDS)))
    return time.perf_counter() - began


def main() -> None:
    print(f"{'runner':<34}{'peer':>8}{'ours':>8}{'ratio':>8}{'target':>8}  held")
    for window in (32, 64):
        theirs, own = ROUNDS * SECONDS / asyncio.run(bare(window)), ROUNDS * SECONDS / asyncio.run(ours(window))
        label = f"share of ideal, window {window}, 1 s"
        held = "yes" if own >= TARGET else "no"
        print(f"{label:<34}{theirs:>8.3f}{own:>8.3f}{own / theirs:>8.2f}{TARGET:>8.2f}  {held}")


if __name__ == "__main__":
    main()
