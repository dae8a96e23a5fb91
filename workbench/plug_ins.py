"""What can be named on a command line: the plug-ins of this installation, kind by kind."""

from collections.abc import Callable, Iterable, Mapping

from builders.task import tasks
from builders.variation.perturbation import perturbations
from eval.metric import metrics
from eval.preset import presets
from eval.retriever import retrievers
from eval.system import systems
from workbench.evaluate.running.run_presets import PRESETS
from workbench.release.releases import formats

PLUG_INS: Mapping[str, Callable[[], Iterable[str]]] = {
    "task": tasks,
    "perturbation": perturbations,
    "system": systems,
    "retriever": retrievers,
    "metric": metrics,
    "preset": presets,
    "run preset": lambda: PRESETS,
    "format out": lambda: (name for name, one in formats().items() if one.write),
    "format in": lambda: (name for name, one in formats().items() if one.read),
}
"""kind -> the names that there are; reads the plug-ins when it is called."""
