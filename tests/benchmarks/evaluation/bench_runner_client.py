"""The openai agent at 32 and 64 calls in flight against an endpoint that takes 1 s: share of the ideal (calls / places x 1 s),
beside the share of the package's bare client behind a semaphore. Target: at least .9 (evaluation.md, decision 9). The last line
has 5 % of 429 answers among them, each asking for half a second's rest: asked again, they and their rest leave about .75 of the
ideal to anybody. The package's client makes its own retries there; ours narrows until it has seen that the refusals are few."""

import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from core.agent import Sampling
from core.nouns import Message, Prompt
from tests.openai_server import running

TARGET, THROTTLED_TARGET = 0.9, 0.5
SECONDS = 1.0
ROUNDS = 6
"""Calls per place; the first round also opens the connections."""
PROMPT = Prompt("answer/bench.en", "answer", (Message("user", "Question: $question\n\n$context"),), ("question", "context"))
CONTEXT = "The mill stands by the river and was bought by Ada Quill in 1911. " * 40


def inputs(number: int) -> dict[str, str]:
    return {"question": f"Who bought mill {number}?", "context": CONTEXT}


THROTTLED = [{"share": 0.05, "fault": "status", "status": 429, "retry_after": 0.5}]


async def shared(url: str, places: int) -> tuple[float, float]:
    """Seconds that the agent takes, and the median of its reported service times."""
    agent = OpenAIAgent("m", url, "none", OpenAISettings(concurrency=places))
    started = time.perf_counter()
    done = await asyncio.gather(*(agent.ask(PROMPT, inputs(n), Sampling()) for n in range(places * ROUNDS)))
    seconds = time.perf_counter() - started
    await agent.close()
    return seconds, sorted(d.seconds for d in done)[len(done) // 2]


async def bare(url: str, places: int, retries: int = 0) -> float:
    """Seconds that the package's client takes for the same requests."""
    from openai import AsyncOpenAI

    client, gate = AsyncOpenAI(api_key="none", base_url=url, max_retries=retries), asyncio.Semaphore(places)

    async def call(number: int) -> None:
        messages = [{"role": m.role, "content": m.content} for m in PROMPT.fill(inputs(number))]
        async with gate:
            await client.chat.completions.create(model="m", messages=messages, temperature=0.0, max_tokens=512)

    started = time.perf_counter()
    await asyncio.gather(*(call(n) for n in range(places * ROUNDS)))
    seconds = time.perf_counter() - started
    await client.close()
    return seconds


def main() -> None:
    import openai  # noqa: F401  imported before the clock runs: both sides need it

    print(f"{'runner client':<34}{'peer':>8}{'ours':>8}{'ratio':>8}{'target':>8}  held   service time")
    with running(latency=SECONDS) as server:
        for places, script in ((32, []), (64, []), (64, THROTTLED)):
            server.script(script)
            server.reset()
            theirs = ROUNDS * SECONDS / asyncio.run(bare(server.url, places, retries=8 if script else 0))
            server.reset()
            took, service = asyncio.run(shared(server.url, places))
            ours = ROUNDS * SECONDS / took
            target = THROTTLED_TARGET if script else TARGET
            held = "yes" if ours >= target else "no"
            name = f"share of ideal, {places} in flight, {'5 % 429' if script else '1 s'}"
            print(f"{name:<34}{theirs:>8.3f}{ours:>8.3f}{ours / theirs:>8.2f}{target:>8.2f}  {held:<5}  {service:.3f} s")


if __name__ == "__main__":
    main()
