"""What a run can be made of: systems, retrievers and metrics with what they need and say of themselves, for a form."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from builders.task import tasks
from core.catalog import pick
from eval.metric import metrics
from eval.reports.latency import MODES
from eval.retriever import retrievers
from eval.running.retrieval import CHUNK_TOKENS
from eval.settings import Setting
from eval.system import systems
from workbench.evaluate.scoring.scores import COSTS, RETRIEVAL

COMMAND_LINE_ONLY = ("program",)
"""Systems that run a file of this machine: whoever can reach the screen must not name one."""


class RunSetting(NamedTuple):
    """One thing that can be set."""

    name: str
    default: Any
    """None = unset; a value's type is the setting's type."""
    kind: type
    about: str = ""
    of: tuple[str, ...] = ()
    """The words that it can be; empty = any."""


class SystemChoice(NamedTuple):
    """One system."""

    name: str
    label: str
    family: str
    about: str
    needs_agent: bool
    needs_retriever: bool
    settings: tuple[RunSetting, ...]


class Choices(NamedTuple):
    """Everything there is."""

    systems: Mapping[str, SystemChoice]
    retrievers: Mapping[str, tuple[RunSetting, ...]]
    """With their own settings."""
    retrieval: tuple[RunSetting, ...]
    """Settings of every retriever."""
    answering: tuple[RunSetting, ...]
    """Settings of every system that asks an agent."""
    going: tuple[RunSetting, ...]
    """Settings of how hard a run goes."""
    metrics: tuple[str, ...]
    judged: frozenset[str]
    """Metrics that want a judge."""


RETRIEVING = (
    RunSetting("chunk_tokens", CHUNK_TOKENS, int, "Tokens of a passage at most."),
    RunSetting("chunk_overlap", 0, int, "Tokens that two neighbouring passages share."),
)
ANSWERING = (
    RunSetting("max_tokens", None, int, "Tokens of an answer at most; empty = the task's own length."),
    RunSetting("temperature", None, float, "Empty = 0."),
    RunSetting("seed", None, int, "The agent's seed, where its endpoint takes one."),
)
GOING = (
    RunSetting("concurrency", None, int, "Questions in hand at once; empty = what the agent allows."),
    RunSetting("item_timeout", None, float, "Seconds for one question, waiting included; empty = no limit."),
    RunSetting(
        "mode", "throughput", str, "probe: the latency of a sample, asked anew, so many at once as concurrency says (1).", MODES
    ),
)


def choices() -> Choices:
    """Systems by family, the plain ones first, floors and those of elsewhere last; those for the command line alone are left
    out."""
    found = {name: _system(name) for name in systems() if name not in COMMAND_LINE_ONLY}
    order = {"standard": 0, "floor": 2, "outside": 3}
    ordered = sorted(found.values(), key=lambda s: (order.get(s.family, 1), s.family, s.name))
    return Choices(
        systems={s.name: s for s in ordered},
        retrievers={name: _settings(r.settings) for name, r in retrievers().items()},
        retrieval=RETRIEVING,
        answering=ANSWERING,
        going=GOING,
        metrics=tuple(metrics()),
        judged=frozenset(name for name, metric in metrics().items() if metric.judge),
    )


def default_metrics(names: Iterable[str]) -> list[str]:
    """The metrics of those tasks, with what every run tells."""
    own = [metric for name in names for metric in pick(tasks(), name, "task").metrics]
    return list(dict.fromkeys([*own, *RETRIEVAL, *COSTS]))


def _system(name: str) -> SystemChoice:
    adapter = systems()[name]
    return SystemChoice(
        name,
        adapter.label,
        adapter.family,
        _about(f"eval.systems.{name}"),
        adapter.needs_agent,
        adapter.needs_retriever,
        _settings(adapter.settings),
    )


def _settings(declared: Mapping[str, Setting]) -> tuple[RunSetting, ...]:
    return tuple(
        RunSetting(name, one.default, type(one.default), one.about[:1].upper() + one.about[1:], one.choices)
        for name, one in declared.items()
    )


def _about(module: str) -> str:
    """The first paragraph of its file, without its own name before the colon."""
    words = " ".join((sys.modules[module].__doc__ or "").split("\n\n")[0].split())
    said = words.partition(": ")[2] or words
    return said[:1].upper() + said[1:]
