"""What varying will come to before it starts: prompts are filled with a few of the items."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builders.perturbations.grammar import REGENERATIONS
from builders.variation.perturbation import perturbations
from core.agent import Agent, Sampling
from core.nouns import Item
from prompts.prompt import load
from store.ledger.calls import TypicalCall
from workbench.build.drafting.call_estimate import UNKNOWN_REPLY_TOKENS, CallSum, Rehearsal, WorkEstimate
from workbench.build.varying.vary_choice import VaryRequest


@dataclass(frozen=True, slots=True)
class VaryEstimate(WorkEstimate):
    """With a verifier an error of grammar may take several calls."""

    items: int
    variants: int
    """At most."""


def estimate_variants(
    request: VaryRequest,
    n: int,
    sampled: Sequence[Item],
    agent: Agent | None,
    typical: Mapping[str, TypicalCall],
    has_verifier: bool,
) -> VaryEstimate:
    """What varying `n` items comes to; prompts are filled with the sampled ones."""
    variants = n * len(request.kinds)
    able = {kind: [item for item in sampled if perturbations()[kind].why_not(item.language) is None] for kind in request.asking}
    if agent is None or not any(able.values()):
        return VaryEstimate(CallSum(), CallSum(), ["These kinds ask no agent: they cost nothing."], n, variants)
    rehearsal = Rehearsal(agent, typical)
    least, most = [], []
    for kind, items in able.items():
        calls = [[asyncio.run(_rehearse(kind, item, rehearsal))] for item in items]
        one = CallSum.mean(calls).times(n)
        least.append(one)
        most.append(one.times(1 + REGENERATIONS) if kind == "grammar" and has_verifier else one)
    notes = [f"Prompts filled with {len(sampled)} of the items.", "Calls that the ledger holds already cost nothing."]
    if not typical:
        notes.append(f"{agent.name} has not answered here yet: a reply is taken to have {UNKNOWN_REPLY_TOKENS} tokens at most.")
    if "grammar" in request.kinds and has_verifier:
        notes.append(f"An error of grammar that the verifier does not find is asked for again, at most {REGENERATIONS} times.")
    lower, higher = (CallSum.total(sums).on_clock([agent]) for sums in (least, most))
    return VaryEstimate(lower, higher, notes, n, variants)


async def _rehearse(kind: str, item: Item, rehearsal: Rehearsal) -> CallSum:
    name = perturbations()[kind].prompt
    assert name is not None
    prompt = load(name, item.language)
    inputs = {key: item.question if key == "question" else "" for key in prompt.inputs}
    await rehearsal.ask(prompt, inputs, Sampling(max_tokens=512))
    return rehearsal.calls[-1]
