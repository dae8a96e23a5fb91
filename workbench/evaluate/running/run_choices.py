"""List what a person can choose for a run in a form: systems, retrievers and metrics with their settings and descriptions."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from builders.task import tasks
from core.catalog import find_module, pick
from eval.metric import metrics
from eval.reports.latency import MODES
from eval.retriever import retrievers
from eval.running.retrieval import CHUNK_TOKENS, SEARCH_LANGUAGE, SEARCH_LANGUAGES
from eval.settings import Setting
from eval.system import systems
from workbench.evaluate.scoring.scores import COST_METRICS, RETRIEVAL_METRICS

COMMAND_LINE_ONLY = ("program",)
"""Systems that run a program file of this machine. People who use the app from another computer must not choose these
systems."""


class RunSetting(NamedTuple):
    """One setting of a run, as a form shows it."""

    name: str
    default: Any
    """Default value, which has the setting's type, or None if the setting is unset by default."""
    kind: type
    about: str = ""
    of: tuple[str, ...] = ()
    """Values that the setting can have; empty if every value is possible."""


class SystemChoice(NamedTuple):
    """One system that a person can choose for a run."""

    name: str
    label: str
    family: str
    about: str
    needs_agent: bool
    needs_retriever: bool
    settings: tuple[RunSetting, ...]


class RunChoices(NamedTuple):
    """Everything that a person can choose for a run."""

    systems: Mapping[str, SystemChoice]
    retrievers: Mapping[str, tuple[RunSetting, ...]]
    """Dict from retriever to the settings that no other retriever has."""
    metrics: tuple[str, ...]
    judged: frozenset[str]
    """Names of the metrics that need a judge."""
    retrieval: tuple[RunSetting, ...] = (
        RunSetting("chunk_tokens", CHUNK_TOKENS, int, "Maximum number of tokens in a passage."),
        RunSetting("chunk_overlap", 0, int, "Number of tokens that two neighbouring passages share."),
        RunSetting(
            SEARCH_LANGUAGE,
            "own",
            str,
            "Documents that a question searches: in its own language, in all other languages, or in all languages.",
            SEARCH_LANGUAGES,
        ),
    )
    """The settings that every retriever has."""
    answering: tuple[RunSetting, ...] = (
        RunSetting("max_tokens", None, int, "Maximum tokens of an answer; empty = the task's own length."),
        RunSetting("temperature", None, float, "Empty = 0."),
        RunSetting("seed", None, int, "Seed sent to the agent, if its endpoint takes one."),
    )
    """The settings that every system with an agent has."""
    load: tuple[RunSetting, ...] = (
        RunSetting("concurrency", None, int, "Number of questions asked at the same time; empty = what the agent allows."),
        RunSetting("item_timeout", None, float, "Maximum seconds for one question, including waiting; empty = no limit."),
        RunSetting(
            "mode",
            "throughput",
            str,
            "probe = measure latency: a sample, each call made anew, `concurrency` at once (1).",
            MODES,
        ),
    )
    """The settings that limit the load of a run on the agent."""


def list_choices() -> RunChoices:
    """Return everything that a form for a run offers. The list of systems begins with standard systems and ends with lower
    bounds, upper bounds and external systems."""
    choices = [_describe_system(name) for name in systems() if name not in COMMAND_LINE_ONLY]
    order = {"standard": 0, "floor": 2, "ceiling": 3, "outside": 4}
    ordered = sorted(choices, key=lambda system: (order.get(system.family, 1), system.family, system.name))
    return RunChoices(
        systems={system.name: system for system in ordered},
        retrievers={name: _list_settings(retriever.settings) for name, retriever in retrievers().items()},
        metrics=tuple(metrics()),
        judged=frozenset(name for name, metric in metrics().items() if metric.judge),
    )


def default_metrics(task_names: Iterable[str]) -> list[str]:
    """Return the metrics of the given tasks, and the metrics that every run is scored with."""
    of_tasks = [metric for name in task_names for metric in pick(tasks(), name, "task").metrics]
    return list(dict.fromkeys([*of_tasks, *RETRIEVAL_METRICS, *COST_METRICS]))


def _describe_system(name: str) -> SystemChoice:
    adapter, text = systems()[name], find_module("eval.systems", name).__doc__ or ""
    settings, about = _list_settings(adapter.settings), _describe(text)
    return SystemChoice(name, adapter.label, adapter.family, about, adapter.needs_agent, adapter.needs_retriever, settings)


def _list_settings(declared: Mapping[str, Setting]) -> tuple[RunSetting, ...]:
    return tuple(
        RunSetting(name, setting.default, type(setting.default), setting.about, setting.choices)
        for name, setting in declared.items()
    )


def _describe(text: str) -> str:
    """Return the first paragraph of a system's module docstring, without the name of the system and the colon."""
    words = " ".join(text.split("\n\n")[0].split())
    sentence = words.partition(": ")[2] or words
    return sentence[:1].upper() + sentence[1:]
