"""Local generation: requests that wait together run as one batch, against one after the other, in tokens per second. The model
is a Llama with random weights, of a size at which reading the weights is most of a step, as with real ones on a processor."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from agents.huggingface.chat_text import PLAIN
from agents.huggingface.huggingface import HuggingFaceAgent
from core.agent import Completion, Sampling
from core.nouns import Message, Prompt
from tests.benchmarks.table import head, row
from tests.eval.tiny_llama import WORDS, tiny_llama

REQUESTS, TOKENS, WIDTH, LAYERS, ROUNDS = 16, 48, 768, 4, 2
PROMPT = Prompt("answer/short.en", "answer", (Message("user", "$words"),), ("words",))


def main() -> None:
    import torch

    torch.set_num_threads(1)
    head()
    with tempfile.TemporaryDirectory() as place:
        folder = tiny_llama(Path(place), width=WIDTH, layers=LAYERS, heads=max(1, WIDTH // 64))
        agent = HuggingFaceAgent(folder, template=PLAIN)
        words = WORDS.split()
        texts = [" ".join(words[place % 7 :][: 6 + place]) for place in range(REQUESTS)]
        singly, batched = 0.0, 0.0
        for _ in range(ROUNDS):
            alone, one_by_one = asyncio.run(ask_singly(agent, texts))
            together, at_once = asyncio.run(ask_together(agent, texts))
            if [reply.text for reply in alone] != [reply.text for reply in together]:
                raise SystemExit("the answers of a batch differ from those of one at a time")
            singly, batched = max(singly, one_by_one), max(batched, at_once)
    row(f"{REQUESTS} requests of {TOKENS} tokens, tokens per second", "one at a time", singly, batched, 3, higher=True)


async def ask_singly(agent: HuggingFaceAgent, texts: Sequence[str]) -> tuple[list[Completion], float]:
    """(replies, tokens per second)."""
    began = time.perf_counter()
    replies = [await agent.ask(PROMPT, {"words": text}, Sampling(max_tokens=TOKENS)) for text in texts]
    return replies, sum(reply.tokens_out or 0 for reply in replies) / (time.perf_counter() - began)


async def ask_together(agent: HuggingFaceAgent, texts: Sequence[str]) -> tuple[list[Completion], float]:
    """(replies, tokens per second)."""
    began = time.perf_counter()
    asks = (agent.ask(PROMPT, {"words": text}, Sampling(max_tokens=TOKENS)) for text in texts)
    replies = list(await asyncio.gather(*asks))
    return replies, sum(reply.tokens_out or 0 for reply in replies) / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
