"""The Python API of Benchwright: `import benchwright as bw`. `open` opens a workspace, `score` scores predictions without a
workspace, and `compare` compares two results question by question. The other names are for people who write plug-ins. Each
public name is imported when it is first used, so that a process loads only the modules that it needs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.installation import VERSION as __version__
from core.installation import complete_name

if TYPE_CHECKING:
    from agents.kind import AgentKind, AgentOrder, AgentSetting
    from benchwright.comparing import compare_results as compare
    from benchwright.scoring import ScoredPredictions
    from benchwright.scoring import score_records as score
    from benchwright.workspace import ReportFrames, RunHandle, Workspace
    from benchwright.workspace import open_workspace as open
    from builders.drafting.prompting import ask_draft, draft_item
    from builders.task import Kit, Task, Window, WindowRule
    from builders.variation.perturbation import (
        Perturbation,
        PerturbationSetting,
        PerturbedText,
        VariantMaker,
        VariationAgent,
        VariationFailed,
    )
    from core.agent import Completion, Sampling
    from core.errors import AgentError, BenchError, WorkspaceHeld
    from core.nouns import Document, Hit, Item, Message, Prompt, Provenance, Span, Step
    from eval.metric import JudgedScore, Metric, ScoringCase, Unscored, Values
    from eval.retriever import Passages, Retriever, RetrieverContext, Search
    from eval.settings import Setting
    from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
    from store.format import Bundle, Format

_PLACES = {
    "benchwright.comparing": {"compare": "compare_results"},
    "benchwright.scoring": {"score": "score_records", "ScoredPredictions": ""},
    "benchwright.workspace": {"open": "open_workspace", "Workspace": "", "RunHandle": "", "ReportFrames": ""},
    "agents.kind": {"AgentKind": "", "AgentOrder": "", "AgentSetting": ""},
    "builders.drafting.prompting": {"ask_draft": "", "draft_item": ""},
    "builders.task": {"Kit": "", "Task": "", "Window": "", "WindowRule": ""},
    "builders.variation.perturbation": dict.fromkeys(
        ("Perturbation", "PerturbationSetting", "PerturbedText", "VariantMaker", "VariationAgent", "VariationFailed"), ""
    ),
    "core.agent": {"Completion": "", "Sampling": ""},
    "core.errors": {"AgentError": "", "BenchError": "", "WorkspaceHeld": ""},
    "core.nouns": dict.fromkeys(("Document", "Hit", "Item", "Message", "Prompt", "Provenance", "Span", "Step"), ""),
    "eval.metric": dict.fromkeys(("JudgedScore", "Metric", "ScoringCase", "Unscored", "Values"), ""),
    "eval.retriever": {"Passages": "", "Retriever": "", "RetrieverContext": "", "Search": ""},
    "eval.settings": {"Setting": ""},
    "eval.system": dict.fromkeys(("Answer", "Question", "SystemAdapter", "SystemFailed", "Tools"), ""),
    "store.format": {"Bundle": "", "Format": ""},
}
"""Dict from module to the public names that come from it, each with its name in that module; "" stands for the same name."""
_WHERE = {name: (module, own or name) for module, names in _PLACES.items() for name, own in names.items()}

__all__ = [
    "AgentError",
    "AgentKind",
    "AgentOrder",
    "AgentSetting",
    "Answer",
    "BenchError",
    "Bundle",
    "Completion",
    "Document",
    "Format",
    "Hit",
    "Item",
    "JudgedScore",
    "Kit",
    "Message",
    "Metric",
    "Passages",
    "Perturbation",
    "PerturbationSetting",
    "PerturbedText",
    "Prompt",
    "Provenance",
    "Question",
    "ReportFrames",
    "Retriever",
    "RetrieverContext",
    "RunHandle",
    "Sampling",
    "ScoredPredictions",
    "ScoringCase",
    "Search",
    "Setting",
    "Span",
    "Step",
    "SystemAdapter",
    "SystemFailed",
    "Task",
    "Tools",
    "Unscored",
    "Values",
    "VariantMaker",
    "VariationAgent",
    "VariationFailed",
    "Window",
    "WindowRule",
    "Workspace",
    "WorkspaceHeld",
    "__version__",
    "ask_draft",
    "compare",
    "draft_item",
    "open",
    "score",
]


def __getattr__(name: str) -> Any:
    """Import and return the object that has this public name."""
    if name not in _WHERE:
        raise AttributeError(f"benchwright has no {name!r}")
    module, own = _WHERE[name]
    value = getattr(import_module(module if module.startswith("benchwright.") else complete_name(module)), own)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
