"""LLM gates: checks of one draft that ask agents. They flag and never refuse; a finding keeps the questions and replies.

One gate per file in builders/llm_gates/, with the constant LLM_GATE."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from builders.gate import Finding
from builders.task import AskAgent, Task
from core.agent import await_each
from core.catalog import catalog, pick
from core.errors import AgentError, Unreadable
from core.ids import content_hash
from core.nouns import Item, Span, Verdict
from prompts.prompt import load

ANSWERS_PER_AGENT = 3
"""Number of times that one agent gets the same question."""
SAMPLE_TEMPERATURE = 0.7
"""Temperature of the samples, above 0 so that samples differ."""


class GateJudge(NamedTuple):
    """An agent that a gate calls about a draft."""

    name: str
    ask: AskAgent
    is_offline: bool = False
    """Whether the agent works without an LLM. Such agents always agree with their own drafts, so gates do not call them."""


@dataclass(frozen=True, slots=True)
class LlmGateContext:
    """The inputs and agents of an LLM gate, other than the item."""

    text_of: Callable[[Span], str]
    """Returns a span's text; raises BenchError for a missing document."""
    whole: Callable[[str], str]
    """Returns a document's text by its id; raises BenchError for a missing document."""
    task: Task
    judges: tuple[GateJudge, ...]
    samples: int = ANSWERS_PER_AGENT
    seed: int = 0
    temperature: float = SAMPLE_TEMPERATURE


@dataclass(frozen=True, kw_only=True, slots=True)
class LlmGate:
    """One LLM gate, named after its file."""

    label: str
    about: str
    """The gate's question to the agent, as a sentence for people."""
    version: str
    """Version of the gate's rules; part of a verdict's identity."""
    check: Callable[[Item, LlmGateContext], Awaitable[Finding]]
    """Checks an item with one judge or more. Raises Unreadable or AgentError without a required reply, and BudgetReached."""
    prompts: Callable[[Task], tuple[str, ...]]
    """Names of the gate's prompts; another text of a prompt gives verdicts of another version."""
    judges: int = 1
    """Maximum number of agents that the gate calls."""


def llm_gates() -> Mapping[str, LlmGate]:
    """Return name -> LLM gate, for every LLM gate."""
    return catalog("builders.llm_gates", "LLM_GATE", LlmGate)


async def ask_gates(item: Item, names: Iterable[str], context: LlmGateContext) -> tuple[Verdict, ...]:
    """Return the verdicts of the named LLM gates on the revision, in order. A gate that cannot run gives the reason and does
    not pass.

    Raises BenchError if a name is unknown, AgentError if the error ends the whole job, and BudgetReached."""
    return tuple(await await_each(_verdict(item, name, pick(llm_gates(), name, "LLM gate"), context) for name in names))


async def _verdict(item: Item, name: str, gate: LlmGate, context: LlmGateContext) -> Verdict:
    """Return the verdict of one gate. The version of the verdict is the gate's version and a hash of everything on which the
    answers depend: the agents, their settings and the prompts."""
    judges = context.judges[: gate.judges]
    how = {
        "rules": gate.version,
        "prompts": [load(prompt, item.language).identity for prompt in gate.prompts(context.task)],
        "agents": [judge.name for judge in judges],
        "samples": context.samples,
        "seed": context.seed,
        "temperature": context.temperature,
    }
    finding = await _run_gate(item, gate, replace(context, judges=judges))
    version = f"{gate.version}.{content_hash(how)[-8:]}"
    return Verdict(
        item.id, item.revision, name, version, finding.outcome, finding.why, {**how, **finding.details}, finding.calls
    )


async def _run_gate(item: Item, gate: LlmGate, context: LlmGateContext) -> Finding:
    able = tuple(judge for judge in context.judges if not judge.is_offline)
    if not context.judges:
        return not_run("no judge")
    if not able:
        return not_run(f"the agent cannot judge ({context.judges[0].name} is not an LLM)")
    if not context.task.is_question:
        return not_run("its task asks for a text to be written, and no answer to it is the right one")
    if not item.answers or item.labels.get("frame"):
        return not_run("it has no answer yet")
    try:
        return await gate.check(item, replace(context, judges=able))
    except Unreadable as error:
        return replace(not_run(str(error)), calls=error.calls)
    except AgentError as error:
        if error.stops_job:
            raise
        return not_run(str(error))


def not_run(why: str) -> Finding:
    """Return the result of a gate that was not run, with the reason."""
    return Finding("not run", f"Not run: {why.rstrip('.')}.")
