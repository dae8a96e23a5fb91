"""What a run of asked gates will come to, before it begins: prompts are filled with a few of the items, and the replies taken
to be as long and as slow as earlier ones of the same agents. Nothing is sent."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from statistics import fmean
from typing import Any

from builders.drafting.answers import EQUALITY
from builders.llm_gate import AskedContext, GateJudge, ask_gates
from builders.task import AskAgent, tasks
from core.agent import Agent, Completion, Sampling
from core.errors import BenchError
from core.nouns import Item, Prompt
from store.ledger.calls import Ledger
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.draft_estimate import EstimatedCall, Rehearsal, calls_at_once, on_the_clock, per_minute
from workbench.build.gating.gate_choice import GateRequest

SEEN = 5
"""Items of each task that prompts are filled with."""
SUMS = ("calls", "tokens_in", "tokens_out", "price", "seconds")


def estimate(
    wanted: GateRequest,
    agents: Sequence[Agent],
    of_task: Mapping[str, Sequence[str]],
    items: Callable[[Sequence[str]], list[Item]],
    corpus: CorpusStage,
    ledger: Ledger,
) -> dict[str, Any]:
    """{"left_out", "seen", each of SUMS: [least, most] or None where nobody knows, "rests"}: least = every answer agrees in its
    words, most = each is graded by a judge."""
    typical = {agent.name: ledger.load_typical_calls(agent.name) for agent in agents}
    totals: dict[str, list[float | None]] = {name: [0.0, 0.0] for name in SUMS}
    left, seen = 0, 0
    for name, ids in of_task.items():
        task = tasks().get(name)
        if task is None:
            left += len(ids)
            continue
        if not wanted.asked:
            continue
        step = max(1, len(ids) // SEEN)
        chosen = items(ids[::step][:SEEN])
        seen += len(chosen)
        for end, is_right in enumerate((True, False)):
            per: list[list[EstimatedCall]] = []
            for item in chosen:
                stand_ins = [Rehearsal(agent, typical[agent.name]) for agent in agents]
                judges = tuple(
                    GateJudge(agent.name, _answering(one, item, is_right), agent.is_offline)
                    for agent, one in zip(agents, stand_ins, strict=True)
                )
                context = AskedContext(
                    text_of=corpus.text,
                    whole=lambda one: corpus.document(one).text,
                    task=task,
                    judges=judges,
                    samples=wanted.samples,
                    seed=wanted.seed,
                )
                with suppress(BenchError):
                    asyncio.run(_rehearse(item, wanted, context))
                per.append([asked for one in stand_ins for asked in one.asked])
            _add(totals, end, per, len(ids))
    calls = totals["calls"]
    slowest = [calls_at_once(agent) for agent in agents] or [1]
    rate = [found for agent in agents if (found := per_minute(agent))]
    seconds = on_the_clock(totals["seconds"], calls, min(slowest), min(rate, default=None))
    return {**totals, "seconds": seconds, "left_out": left, "seen": seen, "rests": _rests(wanted, seen, typical)}


async def _rehearse(item: Item, wanted: GateRequest, context: AskedContext) -> None:
    await ask_gates(item, wanted.asked, context)


def _answering(rehearsal: Rehearsal, item: Item, is_right: bool) -> AskAgent:
    """The stand-in, whose answers are the item's own or nobody's."""

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        completion = await rehearsal.ask(prompt, inputs, sampling)
        return replace(completion, text=item.answers[0]) if is_right and prompt.skill == "answer" else completion

    return ask


def _add(totals: dict[str, list[float | None]], end: int, per: Sequence[Sequence[EstimatedCall]], n: int) -> None:
    """What those items came to, for all n of their task."""
    for name in SUMS:
        sums = [len(asked) if name == "calls" else _sum(getattr(one, name) for one in asked) for asked in per]
        before, known = totals[name][end], [value for value in sums if value is not None]
        is_known = before is not None and len(known) == len(sums)
        totals[name][end] = (
            before + fmean(known) * n if is_known and known and before is not None else (before if is_known else None)
        )


def _sum(values: Any) -> float | None:
    found = list(values)
    return None if None in found else float(sum(found))


def _rests(wanted: GateRequest, seen: int, typical: Mapping[str, Mapping[str, Any]]) -> list[str]:
    if not wanted.asked:
        return ["These gates ask nobody: they cost nothing."]
    said = [
        f"Prompts filled with {seen} of the items. The lower figure is when every answer agrees in its words, the higher "
        f"one when each is graded ({EQUALITY})."
    ]
    known = [name for name, found in typical.items() if found]
    unknown = "Nobody named has answered here yet: replies are taken to have 160 tokens at most, and the time is unknown."
    said.append(f"Length and time of replies are those of earlier answers of {', '.join(known)}." if known else unknown)
    said.append("What the ledger has answered already costs nothing again.")
    return said
