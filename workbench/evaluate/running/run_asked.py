"""A run as it is asked for: one record from the form or the command line, checked before anything is read, and the command
line that asks for the same."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from builders.task import tasks
from core.agent import Agent, Capability
from core.catalog import pick
from core.errors import BenchError
from eval.metric import metrics as metric_catalog
from eval.reports.latency import MODES, PROBE_QUESTIONS, is_probe
from eval.retriever import retrievers
from eval.running.settings import read_choice, read_number, read_seconds, read_whole_number
from eval.system import SystemAdapter, systems
from workbench import settings as keys
from workbench.evaluate.running.run_functions import named
from workbench.evaluate.running.run_tables import noise_of
from workbench.setup.agents import Agents

COMMON = (
    "top_k",
    "chunk_tokens",
    "chunk_overlap",
    "max_tokens",
    "temperature",
    "seed",
    "item_timeout",
    "concurrency",
    "mode",
    "query",
)
"""Settings that every system takes."""
WANTS: Mapping[Capability, tuple[str, str]] = {
    "logprobs": ("the probabilities of tokens", "choose an endpoint that tells them (openai:MODEL)"),
    "tools": ("tool calls", "choose an endpoint that takes functions (openai:MODEL), or the workflow react"),
    "attention": ("a model's attention weights", "choose a local model (huggingface:FOLDER_OR_NAME)"),
}
"""What a system may need of an agent beside words, and where that is to be had."""
MOST = 1_000_000
"""Repetitions, votes or sampled items that may be asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRequest:
    """What somebody wants run."""

    KEPT: ClassVar = (
        "system",
        "agent",
        "retriever",
        "metrics",
        "judges",
        "votes",
        "settings",
        "variants",
        "repeat",
        "sample",
        "seed",
    )
    """What of it a job keeps by its own name."""
    release: str
    system: str
    agent: str | None = None
    retriever: str | None = None
    """None = bm25 where the system needs one."""
    metrics: Sequence[str] | None = None
    """None = those of the tasks."""
    judges: Sequence[str] = ()
    votes: int = 1
    budget: float | None = None
    """US dollars."""
    settings: dict[str, Any] = field(default_factory=dict)
    variants: bool = False
    repeat: int = 1
    sample: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """A latency probe is of a sample."""
        if is_probe(self.settings) and self.sample is None:
            object.__setattr__(self, "sample", PROBE_QUESTIONS)

    def params(self, release_hash: str) -> dict[str, Any]:
        """As a job keeps it."""
        return {
            "release": self.release,
            "release_hash": release_hash,
            **{name: getattr(self, name) for name in self.KEPT},
            "retriever": retriever_of(self),
            "judges": list(self.judges),
            "metrics": list(self.metrics) if self.metrics is not None else None,
        }

    def command(self) -> str:
        """The command line that asks for the same run, quoted for a shell."""
        words = ["python", "cli.py", "run", self.release, "--system", self.system]
        for name, value in (
            ("agent", self.agent),
            ("retriever", self.retriever),
            ("budget", self.budget),
            ("sample", self.sample),
        ):
            words += [] if value is None else [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        words += ["--metrics", ",".join(self.metrics)] if self.metrics is not None else []
        words += [word for judge in self.judges for word in ("--judge", judge)]
        for name, number_, usual in (("votes", self.votes, 1), ("repeat", self.repeat, 1), ("seed", self.seed, 0)):
            words += [] if number_ == usual else [f"--{name}", str(number_)]
        words += ["--variants"] if self.variants else []
        words += [word for key, value in self.settings.items() for word in ("--set", f"{key}={shown(value)}")]
        return shlex.join(words)


def shown(value: Any) -> str:
    """A setting's value as --set reads it back."""
    return value if isinstance(value, str) and keys.read(value) == value else json.dumps(value, ensure_ascii=False)


def retriever_of(asked: RunRequest) -> str | None:
    """The retriever named, or the usual one of a system that needs one."""
    return asked.retriever or ("bm25" if pick(systems(), asked.system, "system").needs_retriever else None)


def with_owners(asked: RunRequest) -> RunRequest:
    """The request with the metric that a setting without an owner belongs to."""
    adapter, retriever = pick(systems(), asked.system, "system"), retriever_of(asked)
    own = pick(retrievers(), retriever, "retriever").settings if retriever else {}
    return replace(asked, settings=keys.with_metric(asked.settings, asked.metrics, {*COMMON, *adapter.settings, *own}))


def check(asked: RunRequest, agents: Agents) -> None:
    """Raises BenchError when it does not fit together; reads no release."""
    adapter = pick(systems(), asked.system, "system")
    if adapter.needs_agent and asked.agent is None:
        raise BenchError(f"The system {asked.system} asks an agent: name one with --agent.")
    noise_of(keys.own(asked.settings), named(adapter, keys.own(asked.settings)))
    if asked.agent is not None:
        agent = agents.check(asked.agent, asked.settings, asked.budget)
        check_gifts(adapter, asked.agent, agent)
    for judge in asked.judges:
        agents.check(judge, asked.settings, asked.budget, owner="judge")
    for metric in asked.metrics or ():
        pick(metric_catalog(), metric, "metric")
    retriever = retriever_of(asked)
    own = dict(pick(retrievers(), retriever, "retriever").settings) if retriever else {}
    keys.check_owners(asked.settings, {"agent": asked.agent is not None, "judge": bool(asked.judges)})
    keys.only(keys.own(asked.settings), {*COMMON, *adapter.settings, *own}, f"A run of {asked.system}")
    check_common(keys.own(asked.settings))
    for name, of in adapter.words.items():
        read_choice(keys.own(asked.settings), name, of)
    keys.of_metrics(asked.settings, asked.metrics)
    for name, value in (("--repeat", asked.repeat), ("--votes", asked.votes), ("--sample", asked.sample)):
        if value is not None and not 1 <= value <= MOST:
            raise BenchError(f"{name} is {value}: give a number from 1 to {MOST}.")


def check_gifts(adapter: SystemAdapter, name: str, agent: Agent) -> None:
    """Raises BenchError when the system needs of its agent what that kind never gives; an endpoint is asked when the run
    begins."""
    if adapter.wants is not None and adapter.wants not in getattr(agent, "gives", frozenset()):
        needs, instead = WANTS[adapter.wants]
        raise BenchError(f"unsupported: {adapter.label} needs {needs}, which the agent {name} does not give: {instead}.")


def check_common(own: Mapping[str, Any]) -> None:
    """Raises BenchError on a value of the common settings that no system could use: each of its answers would fail by it."""
    for name, least in (
        ("top_k", 1),
        ("chunk_tokens", 1),
        ("chunk_overlap", 0),
        ("max_tokens", 1),
        ("seed", 0),
        ("concurrency", 1),
    ):
        read_whole_number(own, name, least, least)
    read_seconds(own, "item_timeout", 1.0)
    read_choice(own, "mode", MODES)
    read_number(own, "temperature", 0.0)
    named = sorted({name for task in tasks().values() for name in task.queries})
    if own.get("query", "") not in ("", *named):
        raise BenchError(f"The setting query is {shown(own['query'])}: give {' or '.join(named)}, or leave it out.")
    if re.match(r"\w+://[^/?#]*@", str(own.get("url"))):
        raise BenchError("--set url= holds a password, which would be stored: put the key in a variable, name it by key_env.")
