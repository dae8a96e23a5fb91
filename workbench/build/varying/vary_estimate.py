"""Estimate the cost and time of creating variants before it starts, with prompts filled in for a few of the items."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from builders.languagetool.checker import WEAK
from builders.perturbations.grammar import JUDGE, MAX_REGENERATIONS, count_regenerations
from builders.variation.perturbation import perturbations
from core.agent import Agent, Sampling, describe_headroom
from core.nouns import Item
from prompts.prompt import load
from store.ledger.calls import TypicalCall
from workbench.build.drafting.call_estimate import UNKNOWN_REPLY_TOKENS, CallSum, Rehearsal, WorkEstimate
from workbench.build.varying.vary_choice import GRAMMAR, VaryRequest


class EstimatedAgents(NamedTuple):
    """The agents that a request would call (None = none), each with a dict from prompt to the mean output tokens and seconds of
    earlier calls."""

    agent: Agent | None
    typical: Mapping[str, TypicalCall] = {}
    judge: Agent | None = None
    judge_typical: Mapping[str, TypicalCall] = {}


@dataclass(frozen=True, slots=True)
class VaryEstimate(WorkEstimate):
    """The estimate for creating variants. A variant with a grammar error can take several calls if LanguageTool checks it."""

    items: int
    variants: int
    """Number of variants if all of them can be created."""


def estimate_variants(
    request: VaryRequest,
    n: int,
    sampled: Sequence[Item],
    agents: EstimatedAgents,
    checked_languages: Collection[str],
) -> VaryEstimate:
    """Estimate the cost and time of creating variants of `n` items, with prompts filled in for the items `sampled`.
    `checked_languages` are the languages in which LanguageTool checks grammar errors."""
    agent, typical = agents.agent, agents.typical
    variants = n * len(request.kinds)
    able = {kind: [item for item in sampled if perturbations()[kind].why_not(item.language) is None] for kind in request.asking}
    if agent is None or not any(able.values()):
        return VaryEstimate(CallSum(), CallSum(), ["These kinds ask no agent: they cost nothing."], n, variants)
    rehearsal = Rehearsal(agent, typical)
    least, most = [], []
    for kind, items in able.items():
        calls = [asyncio.run(_rehearse(str(perturbations()[kind].prompt), item, rehearsal)) for item in items]
        asked_again = checked_languages if kind == GRAMMAR else ()
        factors = [1 + count_regenerations(item.language) if item.language in asked_again else 1 for item in items]
        least.append(CallSum.mean([[call] for call in calls]).times(n))
        most.append(CallSum.mean([[call.times(factor)] for call, factor in zip(calls, factors, strict=True)]).times(n))
    if agents.judge is not None and able.get(GRAMMAR):
        judging = Rehearsal(agents.judge, agents.judge_typical)
        opinions = CallSum.mean([[asyncio.run(_rehearse(JUDGE, item, judging))] for item in able[GRAMMAR]]).times(n)
        least.append(opinions)
        most.append(opinions)
    notes = [f"Prompts filled with {len(sampled)} of the items.", "Calls that are in the ledger already cost nothing again."]
    if not typical:
        notes.append(
            f"{agent.name} has not answered in this workspace yet: a reply is assumed to have {UNKNOWN_REPLY_TOKENS} tokens at "
            "most."
        )
    if checked_languages:
        notes.append(
            f"If LanguageTool finds no error in a variant, another variant is requested, at most {MAX_REGENERATIONS} times."
        )
        notes += [WEAK[language] for language in checked_languages if language in WEAK]
    asked = [agent, agents.judge] if agents.judge is not None else [agent]
    lower, higher = (CallSum.total(sums).on_clock(asked) for sums in (least, most))
    return VaryEstimate(lower, higher.add_thinking(), notes + describe_headroom(asked), n, variants)


async def _rehearse(name: str, item: Item, rehearsal: Rehearsal) -> CallSum:
    """Return the tokens, cost and time of one call with the prompt `name`, filled in with the item's question."""
    prompt = load(name, item.language)
    inputs = {key: item.question if key == "question" else "" for key in prompt.inputs}
    await rehearsal.ask(prompt, inputs, Sampling(max_tokens=512))
    return rehearsal.calls[-1]
