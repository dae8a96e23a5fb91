"""Define Perturbation: one way to change the form of an item's question, e.g. with typing errors or in other words. Each file
in builders/perturbations/ defines one perturbation as its constant PERTURBATION. A perturbation always starts from the item's
own question, never from another variant."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from builders.task import AskAgent
from core.catalog import catalog
from core.errors import BenchError
from core.nouns import Item
from core.text.language import FULL_LANGUAGES, explain_missing


class VariationFailed(BenchError):
    """Raised if a variant of an item cannot be made; the message says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class PerturbationSetting:
    """A setting of a perturbation, with its default and its effect."""

    default: Any
    about: str
    """Description of the setting, in one sentence for people."""
    among: tuple[str, ...] = ()
    """The values that the setting may have; empty = any value of the default's type."""
    above: float | None = None
    """Lower limit (exclusive) of a setting that is a number; None = no limit."""
    is_identity: bool = True
    """Whether the setting changes the text of a variant and is therefore part of the variant's identity."""


@dataclass(frozen=True, slots=True)
class VariationAgent:
    """The agent that a perturbation calls for a variant, and its settings."""

    ask: AskAgent
    name: str
    is_offline: bool = False
    """Whether the agent works without an LLM; variants from such an agent are marked."""
    judge: "VariationAgent | None" = None
    """Another agent that gives a second opinion on the variant; None = no second opinion."""
    say: Callable[[str], None] = lambda message: None
    """Is called with a progress message, one line of text for people."""


class PerturbedText(NamedTuple):
    """The text of one variant, and how it was made."""

    text: str
    generator: str
    """Agent or package that made the text: an agent's name, or a package with its version."""
    checks: Mapping[str, Any]
    """Details of how the text was made: mode, prompt, calls, verdict. The measurements come from builders.variation.guards."""


@runtime_checkable
class VariantChecker(Protocol):
    """A VariantMaker that can also check a stored variant again."""

    async def check_again(self, item: Item, text: str, checks: Mapping[str, Any], voice: VariationAgent) -> Mapping[str, Any]:
        """Return the checks of a stored variant; missing checks are added if possible. Raises AgentError or BudgetReached if
        the agent cannot be called."""


class VariantMaker(Protocol):
    """A function that makes one variant of an item; a perturbation provides it for the duration of one job."""

    async def __call__(self, item: Item, seed: int, voice: VariationAgent | None) -> PerturbedText:
        """Return a variant of the item's question. Raises VariationFailed, Unreadable, AgentError, BudgetReached."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Perturbation:
    """One way to vary a question; its name is the name of its file."""

    label: str
    about: str
    """Description of the change to a question, in one sentence for people."""
    make: Callable[[Mapping[str, Any]], AbstractContextManager[VariantMaker]]
    """Returns a context manager that gives the VariantMaker for the settings. Entering the context manager may take seconds,
    because resources are loaded."""
    prompt: str | None = None
    """Name of the prompt for the agent, without the language; None = the perturbation calls no agent and costs nothing."""
    languages: tuple[str, ...] = FULL_LANGUAGES
    """Languages that the perturbation supports; empty = all languages."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """A dict from an unsupported language to the reason."""
    settings: Mapping[str, PerturbationSetting] = field(default_factory=dict)
    version: str = "1"
    """Version of the perturbation's rules; a new version gives new variants."""

    def why_not(self, language: str) -> str | None:
        """Return why the perturbation is not available in the language, as a sentence, or None if it is available."""
        if not self.languages or language in self.languages:
            return None
        if why := self.missing.get(language):
            return f"{self.label} is not available for {language}: {why}."
        if len(self.languages) < len(FULL_LANGUAGES):
            return f"{self.label} is not available for {language}."
        return explain_missing(f"{self.label} is made", language)


def perturbations() -> Mapping[str, Perturbation]:
    """Return all perturbations as a dict from name to Perturbation."""
    return catalog("builders.perturbations", "PERTURBATION", Perturbation)
