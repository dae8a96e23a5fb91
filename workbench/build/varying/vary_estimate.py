"""What varying will come to, before it begins: prompts are filled with a few of the items, and replies taken to be as long and
as slow as earlier ones of the same agent. Nothing is sent."""

import asyncio
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from builders.perturbations.grammar import REGENERATIONS
from builders.variation.perturbation import perturbations
from core.agent import Agent, Sampling
from core.nouns import Item
from prompts.prompt import load
from store.ledger.calls import Typical
from workbench.build.drafting.draft_estimate import EstimatedCall, Rehearsal, calls_at_once, on_the_clock, per_minute
from workbench.build.varying.vary_choice import Vary

SUMS = ("tokens_in", "tokens_out", "price", "seconds")


def estimate(
    wanted: Vary, n: int, seen: Sequence[Item], agent: Agent | None, typical: Mapping[str, Typical], has_verifier: bool
) -> dict[str, Any]:
    """{"variants": at most so many, "asking": of them by the agent, "calls" and each of SUMS: [least, most] or None where
    nobody knows, "rests": sentences}. With a verifier an error of grammar may take several calls."""
    asking = [(kind, item) for kind in wanted.asking for item in seen if perturbations()[kind].why_not(item.language) is None]
    out: dict[str, Any] = {
        "variants": n * len(wanted.kinds),
        "asking": n * len(wanted.asking),
        "calls": [0, 0],
        **{name: [0.0, 0.0] for name in SUMS},
    }
    if agent is None or not asking:
        return out | {"rests": ["These kinds ask nobody: they cost nothing."]}
    calls = {kind: (1 + REGENERATIONS if kind == "grammar" and has_verifier else 1) for kind in wanted.asking}
    rehearsal = Rehearsal(agent, typical)
    per: dict[str, list[EstimatedCall]] = {}
    for kind, item in asking:
        asyncio.run(_asked(kind, item, rehearsal))
        per.setdefault(kind, []).append(rehearsal.asked[-1])
    for end in (0, 1):
        out["calls"][end] = sum(n * (calls[kind] if end else 1) for kind in per)
        for name in SUMS:
            means = [_mean(getattr(one, name) for one in found) for found in per.values()]
            out[name][end] = (
                None
                if None in means
                else sum(n * (calls[kind] if end else 1) * (mean or 0.0) for kind, mean in zip(per, means, strict=True))
            )
    out["seconds"] = on_the_clock(out["seconds"], out["calls"], calls_at_once(agent), per_minute(agent))
    said = [f"Prompts filled with {len(seen)} of the items.", "What the ledger has answered already costs nothing again."]
    if not typical:
        said.append(f"{agent.name} has not answered here yet: replies are taken to have 160 tokens at most.")
    if "grammar" in wanted.kinds and has_verifier:
        said.append(f"An error of grammar that is not found is asked for again, {REGENERATIONS} times at most.")
    return out | {"rests": said}


async def _asked(kind: str, item: Item, rehearsal: Rehearsal) -> None:
    name = perturbations()[kind].prompt
    assert name is not None
    prompt = load(name, item.language)
    inputs = {key: item.question if key == "question" else "" for key in prompt.inputs}
    await rehearsal.ask(prompt, inputs, Sampling(max_tokens=512))


def _mean(values: Any) -> float | None:
    found = list(values)
    return None if None in found else fmean(found)
