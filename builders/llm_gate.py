"""Define LLM gates: checks of one draft that call agents. LLM gates flag a draft but never refuse it, and their verdicts store
the agents' replies.

Each file in builders/llm_gates/ defines one gate as its constant LLM_GATE."""

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
"""Number of times that an LLM gate asks each agent the same question."""
SAMPLE_TEMPERATURE = 0.7
"""Sampling temperature at which an agent answers, above 0 so that its repeated answers differ."""


class GateJudge(NamedTuple):
    """An agent that an LLM gate calls about a draft."""

    name: str
    ask: AskAgent
    is_offline: bool = False
    """Whether the agent works without an LLM. An offline agent always agrees with its own drafts, so gates do not call it."""


@dataclass(frozen=True, slots=True)
class LlmGateContext:
    """The data that an LLM gate may use besides the item: the agents, their settings, and the texts of documents."""

    text_of: Callable[[Span], str]
    """Returns the text of a span; raises BenchError if its document is missing."""
    whole: Callable[[str], str]
    """Returns the text of a document by its id; raises BenchError if the document is missing."""
    task: Task
    judges: tuple[GateJudge, ...]
    samples: int = ANSWERS_PER_AGENT
    seed: int = 0
    temperature: float = SAMPLE_TEMPERATURE


@dataclass(frozen=True, kw_only=True, slots=True)
class LlmGate:
    """One LLM gate: its check, prompts and version. The name of a gate is the name of its file."""

    label: str
    about: str
    """Sentence for people that says what the gate finds out by asking agents."""
    version: str
    """Version of the gate's rules; it is part of the id of every verdict of the gate."""
    check: Callable[[Item, LlmGateContext], Awaitable[Finding]]
    """Checks an item with one or more judges. Raises Unreadable or AgentError if a needed reply is missing, or
    BudgetReached."""
    prompts: Callable[[Task], tuple[str, ...]]
    """Names of the prompts that the gate uses; a changed prompt text changes the version of its verdicts."""
    judges: int = 1
    """Maximum number of different agents that the gate calls for one draft."""


def llm_gates() -> Mapping[str, LlmGate]:
    """Return all LLM gates as a dict from name to LlmGate."""
    return catalog("builders.llm_gates", "LLM_GATE", LlmGate)


async def ask_gates(item: Item, names: Iterable[str], context: LlmGateContext) -> tuple[Verdict, ...]:
    """Return the verdicts of the LLM gates named in `names` on the item's current revision, in the order of `names`. A gate
    that cannot run gives a verdict "not run" with the reason.

    Raises BenchError if a name is unknown, AgentError if an error of an agent ends the whole job, or BudgetReached."""
    return tuple(await await_each(_verdict(item, name, pick(llm_gates(), name, "LLM gate"), context) for name in names))


async def _verdict(item: Item, name: str, gate: LlmGate, context: LlmGateContext) -> Verdict:
    """Return the verdict of one LLM gate. The verdict's version combines the gate's version with a hash of everything that
    determines the agents' answers: the agents, their settings and the prompts."""
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
        return not_run("its task asks for a text to be written, which has no single right answer")
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
    """Return the result "not run" of a gate, with the reason."""
    return Finding("not run", f"Not run: {why.rstrip('.')}.")
