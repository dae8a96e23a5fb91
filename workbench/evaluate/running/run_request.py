"""Define the request for a run: one record, from the form or the command line, that is checked before any release is read."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from builders.task import tasks
from core.agent import Agent, Capability, can_complete
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.installation import COMMAND_WORDS
from eval.conversations.user import GOAL, USER_PROMPT
from eval.metric import metrics as metric_catalog
from eval.reports.latency import MODES, PROBE_QUESTIONS, is_probe
from eval.retriever import retrievers
from eval.running.retrieval import SEARCH_LANGUAGE, SEARCH_LANGUAGES
from eval.settings import read_choice, read_number, read_seconds, read_settings, read_whole_number
from eval.system import SystemAdapter, systems
from prompts.prompt import load
from workbench import settings as keys
from workbench.evaluate.running.run_conversations import SETTINGS, check_settings, name_user_agent
from workbench.evaluate.running.run_functions import read_environments
from workbench.evaluate.running.run_tables import read_noise
from workbench.setup.agents import Agents

WHOLE_NUMBERS = {"top_k": 1, "chunk_tokens": 1, "chunk_overlap": 0, "max_tokens": 1, "seed": 0, "concurrency": 1}
"""Dict from each common setting that is a whole number to its smallest possible value."""
COMMON_SETTINGS = (*WHOLE_NUMBERS, "temperature", "item_timeout", "mode", "query", SEARCH_LANGUAGE, *SETTINGS)
"""Names of the settings that every system has."""
NEEDS: Mapping[Capability, tuple[str, str]] = {
    "logprobs": ("the probabilities of tokens", "choose an endpoint that returns them (openai:MODEL)"),
    "tools": ("tool calls", "choose an endpoint that takes functions (openai:MODEL), or the workflow react"),
    "attention": ("a model's attention weights", "choose a local model (huggingface:FOLDER_OR_NAME)"),
}
"""Dict from a capability that a system needs to (name of the capability in words, the agents that have it)."""
MAX_COUNT = 1_000_000
"""Largest allowed number of repetitions, votes or sampled items."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRequest:
    """A person's request for a run: release, system, agent, retriever, metrics and settings."""

    release: str
    system: str
    agent: str | None = None
    retriever: str | None = None
    """Name of the retriever. The value None stands for bm25 if the system needs a retriever."""
    metrics: Sequence[str] | None = None
    """Names of the metrics. The value None stands for the default metrics of the items' tasks."""
    judges: Sequence[str] = ()
    votes: int = 1
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""
    settings: dict[str, Any] = field(default_factory=dict)
    variants: bool = False
    repeat: int = 1
    sample: int | None = None
    """Number of items to draw as a sample, or None for all items. A run that measures latency always has a sample."""
    seed: int = 0

    def __post_init__(self) -> None:
        if is_probe(self.settings) and self.sample is None:
            object.__setattr__(self, "sample", PROBE_QUESTIONS)

    def list_agents(self) -> list[str]:
        """Return the names of all agents of the run: its agent, its judges, and the agent that plays the user."""
        player = name_user_agent(self.settings, self.agent)
        named = [*([self.agent] if self.agent else []), *self.judges, *([player] if player else [])]
        return list(dict.fromkeys(named))

    def record(self) -> dict[str, Json]:
        """Return the fields that a job stores under their own names: all fields except release and budget."""
        record = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("release", "budget")}
        return record | {"judges": list(self.judges), "metrics": None if self.metrics is None else list(self.metrics)}

    @staticmethod
    def from_record(release: str, record: Mapping[str, Any]) -> "RunRequest":
        """Return the request that the fields of a job describe. Fields that do not belong to a request are ignored."""
        names = RunRequest.__dataclass_fields__.keys() - {"release", "budget"}
        return RunRequest(release=release, **{name: record[name] for name in names})

    def params(self, release_hash: str) -> dict[str, Json]:
        """Return the parameters of the job that executes the request."""
        return {"release": self.release, "release_hash": release_hash, **self.record(), "retriever": retriever_of(self)}

    def command(self) -> str:
        """Return the command line that makes the same request, quoted for a shell."""
        words = [*COMMAND_WORDS, "run", self.release, "--system", self.system]
        for name in ("agent", "retriever", "budget", "sample"):
            value = getattr(self, name)
            words += [] if value is None else [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        words += ["--metrics", ",".join(self.metrics)] if self.metrics is not None else []
        words += [word for judge in self.judges for word in ("--judge", judge)]
        for name, usual in (("votes", 1), ("repeat", 1), ("seed", 0)):
            count = getattr(self, name)
            words += [] if count == usual else [f"--{name}", str(count)]
        words += ["--variants"] if self.variants else []
        words += [word for key, value in self.settings.items() for word in ("--set", f"{key}={format_setting(value)}")]
        return shlex.join(words)


def format_setting(value: Any) -> str:
    """Return the setting's value as text that --set reads as the same value."""
    return value if isinstance(value, str) and keys.read_value(value) == value else json.dumps(value, ensure_ascii=False)


def retriever_of(request: RunRequest) -> str | None:
    """Return the request's retriever; if the request names none and the system needs one, return the default retriever."""
    return request.retriever or ("bm25" if pick(systems(), request.system, "system").needs_retriever else None)


def assign_settings(request: RunRequest) -> RunRequest:
    """Return the request with the metric's name before the key of each setting that only one metric has."""
    return replace(request, settings=keys.assign_to_metrics(request.settings, request.metrics, list_settings(request)))


def list_settings(request: RunRequest) -> set[str]:
    """Return the names of the settings of the request's system and retriever."""
    retriever = retriever_of(request)
    of_retriever = pick(retrievers(), retriever, "retriever").settings if retriever else ()
    return {*COMMON_SETTINGS, *pick(systems(), request.system, "system").settings, *of_retriever}


def check_request(request: RunRequest, agents: Agents) -> None:
    """Check that the parts of a request fit together, without reading a release. Raises BenchError if the parts do not fit."""
    adapter, own = pick(systems(), request.system, "system"), keys.select_own(request.settings)
    agents.check_addresses(own)
    if adapter.needs_agent and request.agent is None:
        raise BenchError(f"The system {request.system} asks an agent: name one with --agent.")
    read_noise(own, read_environments(adapter, own))
    if request.agent is not None:
        check_capabilities(adapter, request.agent, agents.check(request.agent, request.settings, request.budget))
    if player := name_user_agent(own, request.agent):
        played = agents.check(player, request.settings, request.budget, "agent" if player == request.agent else "user")
        if not can_complete(played, load(USER_PROMPT, "en")):
            raise BenchError(
                f"{player} works by rules and cannot play the user: name an LLM with --user-agent, or --user {GOAL}."
            )
    for judge in request.judges:
        agents.check(judge, request.settings, request.budget, owner="judge")
    for metric in request.metrics or ():
        pick(metric_catalog(), metric, "metric")
    embeds = agents.check_embedding(request.settings, request.budget)
    keys.check_owners(
        request.settings,
        {"agent": request.agent is not None, "judge": bool(request.judges), "embedding": embeds, "user": bool(player)},
    )
    check_retriever_settings(request, own)
    keys.check_known(own, list_settings(request), f"A run of {request.system}")
    check_common_settings(own)
    check_settings(own, request.agent is not None)
    retriever = retriever_of(request)
    if retriever is None and own.get(SEARCH_LANGUAGE, "own") != "own":
        raise BenchError(
            f"The setting {SEARCH_LANGUAGE} is for runs with a retriever: name one with --retriever, or leave the setting out."
        )
    complete = read_settings({**adapter.settings, **(retrievers()[retriever].settings if retriever else {})}, own)
    if adapter.check:
        adapter.check(complete)
    keys.select_metric_settings(request.settings, request.metrics)
    for name, value in (("--repeat", request.repeat), ("--votes", request.votes), ("--sample", request.sample)):
        if value is not None and not 1 <= value <= MAX_COUNT:
            raise BenchError(f"{name} is {value}: give a number from 1 to {MAX_COUNT}.")


def check_retriever_settings(request: RunRequest, own: Mapping[str, Any]) -> None:
    """Check that every retriever setting belongs to the request's retriever. Raises BenchError with the name of the right
    retriever if one does not."""
    for name in sorted(set(own) - list_settings(request)):
        owners = [other for other, retriever in retrievers().items() if name in retriever.settings]
        if owners:
            raise BenchError(
                f"The setting {name} belongs to the retriever {' or '.join(owners)}: add --retriever {owners[0]}, or leave the "
                "setting out."
            )


def check_capabilities(adapter: SystemAdapter, name: str, agent: Agent) -> None:
    """Check that agents of this kind can have the capability that the system needs. Raises BenchError if such agents never have
    the capability. Whether an endpoint really has the capability is known only after the run has started."""
    if adapter.capability is not None and adapter.capability not in getattr(agent, "gives", frozenset()):
        needs, instead = NEEDS[adapter.capability]
        raise BenchError(f"unsupported: {adapter.label} needs {needs}, which the agent {name} does not return: {instead}.")


def check_common_settings(own: Mapping[str, Any]) -> None:
    """Check the values of the settings that every system has. Raises BenchError if a value would make every answer fail."""
    for name, least in WHOLE_NUMBERS.items():
        read_whole_number(own, name, least, least)
    read_seconds(own, "item_timeout", 1.0)
    read_choice(own, "mode", MODES)
    read_choice(own, SEARCH_LANGUAGE, SEARCH_LANGUAGES)
    read_number(own, "temperature", 0.0)
    queries = sorted({name for task in tasks().values() for name in task.queries})
    if own.get("query", "") not in ("", *queries):
        raise BenchError(f"The setting query is {format_setting(own['query'])}: give {' or '.join(queries)}, or leave it out.")
    if re.match(r"\w+://[^/?#]*@", str(own.get("url"))):
        raise BenchError(
            "--set url= contains a password, which would be stored: put the key in an environment variable and name it in "
            "key_env."
        )
