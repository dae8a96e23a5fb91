"""Estimate the cost and time of LLM gates (checks by a model) before they run, with prompts filled in for a few of the
items."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from builders.drafting.answers import EQUALITY
from builders.llm_gate import GateJudge
from builders.task import AskAgent, Task, tasks
from core.agent import Agent, Completion, Sampling, describe_headroom
from core.errors import BenchError
from core.nouns import Item, Prompt
from store.ledger.calls import Ledger, TypicalCall
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.call_estimate import UNKNOWN_REPLY_TOKENS, CallSum, Rehearsal, WorkEstimate
from workbench.build.drafting.llm_gates import make_look
from workbench.build.gating.gate_choice import GateRequest

SAMPLED_ITEMS = 5
"""Number of items of each task whose prompts are filled in to make the estimate."""


@dataclass(frozen=True, slots=True)
class GateRunEstimate(WorkEstimate):
    """The estimate for running gates on items. The minimum assumes that every answer is word for word the same; the maximum
    assumes that a judge must grade each answer."""

    items: int = 0
    left_out: int = 0
    """Number of items that are left out, because this installation does not have their task."""
    mark: str = ""
    """Hash of the request and the items; `plan` compares it, so that nothing runs that was not estimated."""


def estimate_gates(
    request: GateRequest,
    agents: Sequence[Agent],
    of_task: Mapping[str, Sequence[str]],
    load_items: Callable[[Sequence[str]], list[Item]],
    corpus: CorpusStage,
    ledger: Ledger,
) -> GateRunEstimate:
    """Estimate the cost and time of running the gates. `of_task` is a dict from task to the ids of its items."""
    typical = {agent.name: ledger.load_typical_calls(agent.name) for agent in agents}
    known = {name: ids for name, ids in of_task.items() if name in tasks()}
    left_out = sum(map(len, of_task.values())) - sum(map(len, known.values()))
    if not request.llm_gates:
        return GateRunEstimate(CallSum(), CallSum(), ["These gates ask no agent: they cost nothing."], left_out=left_out)
    samples = {name: load_items(ids[:: max(1, len(ids) // SAMPLED_ITEMS)][:SAMPLED_ITEMS]) for name, ids in known.items()}

    def estimate(is_right: bool) -> CallSum:
        sums = []
        for name, items in samples.items():
            calls = [_rehearse(item, is_right, request, agents, typical, tasks()[name], corpus) for item in items]
            sums.append(CallSum.mean(calls).times(len(known[name])))
        return CallSum.total(sums).on_clock(agents)

    notes = _list_notes(sum(map(len, samples.values())), typical)
    return GateRunEstimate(estimate(True), estimate(False).add_thinking(), notes + describe_headroom(agents), left_out=left_out)


def _rehearse(
    item: Item,
    is_right: bool,
    request: GateRequest,
    agents: Sequence[Agent],
    typical: Mapping[str, Mapping[str, TypicalCall]],
    task: Task,
    corpus: CorpusStage,
) -> list[CallSum]:
    """Return the calls that the gates would make for one item if all answers were right (`is_right` is True) or all were
    wrong."""
    rehearsals = [Rehearsal(agent, typical[agent.name]) for agent in agents]
    judges = tuple(
        GateJudge(rehearsal.agent.name, _answer_for(rehearsal, item, is_right), rehearsal.agent.is_offline)
        for rehearsal in rehearsals
    )
    look = make_look(request.choice, judges, task, request.seed, corpus)

    async def run() -> None:
        await look(item)

    with suppress(BenchError):
        asyncio.run(run())
    return [call for rehearsal in rehearsals for call in rehearsal.calls]


def _answer_for(rehearsal: Rehearsal, item: Item, is_right: bool) -> AskAgent:
    """Return a stand-in for an agent; if `is_right` is true, it replies with the item's own answer."""

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        completion = await rehearsal.ask(prompt, inputs, sampling)
        return replace(completion, text=item.answers[0]) if is_right and prompt.skill == "answer" else completion

    return ask


def _list_notes(sampled: int, typical: Mapping[str, Mapping[str, TypicalCall]]) -> list[str]:
    """Return sentences that name the basis of the estimate."""
    known = [name for name, calls in typical.items() if calls]
    replies = (
        f"None of these agents has answered in this workspace yet: a reply is assumed to have {UNKNOWN_REPLY_TOKENS} tokens at "
        "most."
    )
    if known:
        replies = f"Length and time of replies are those of earlier answers of {', '.join(known)}."
    return [
        f"Prompts filled with {sampled} of the items. The lower figure assumes that every answer agrees word for word, the "
        f"higher one that each is graded ({EQUALITY}).",
        replies,
        "Calls that are in the ledger already cost nothing again.",
    ]
