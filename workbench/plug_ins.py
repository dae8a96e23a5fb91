"""List the installed plug-ins that a command line can name, by kind of plug-in."""

from collections.abc import Callable, Iterable, Mapping

from builders.task import tasks
from builders.variation.perturbation import perturbations
from eval.metric import metrics
from eval.preset import presets
from eval.retriever import retrievers
from eval.shortcut import shortcuts
from eval.system import systems
from store.format import formats
from workbench.evaluate.running.run_presets import PRESETS
from workbench.launcher import launchers

PLUG_INS: Mapping[str, Callable[[], Iterable[str]]] = {
    "task": tasks,
    "perturbation": perturbations,
    "system": systems,
    "retriever": retrievers,
    "metric": metrics,
    "shortcut": shortcuts,
    "preset": presets,
    "launcher": launchers,
    "run preset": lambda: PRESETS,
    "format out": lambda: (name for name, one in formats().items() if one.write),
    "format in": lambda: (name for name, one in formats().items() if one.read),
}
"""Dict from kind of plug-in to a function that returns the names of the plug-ins of this kind."""
