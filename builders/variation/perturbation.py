"""Defines Perturbation: one way to put an item's question in another form. Each file in builders/perturbations/ defines one as
its constant PERTURBATION. It always starts from the item's own question, never from another variant."""

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
    """Raised if this variant of this item cannot be made; the message gives the reason in one sentence."""


@dataclass(frozen=True, slots=True)
class PerturbationSetting:
    """A setting of a perturbation."""

    default: Any
    about: str
    """Description of the setting, in one sentence for people."""
    among: tuple[str, ...] = ()
    """Allowed values; empty = any value of the default's type."""
    above: float | None = None
    """Lower limit (exclusive) of a number; None = no limit."""
    is_identity: bool = True
    """Whether the value affects the variant; False = all values give the same variant."""


@dataclass(frozen=True, slots=True)
class VariationAgent:
    """The agent to call for a variant, and its settings."""

    ask: AskAgent
    name: str
    is_offline: bool = False
    """Whether the agent works without an LLM; its variants are marked."""
    judge: "VariationAgent | None" = None
    """Another agent for a second opinion on the result; None = no second opinion."""
    say: Callable[[str], None] = lambda message: None
    """Callback for progress messages: one line of text for people."""


class PerturbedText(NamedTuple):
    """The text of a variant and its provenance."""

    text: str
    generator: str
    """Generator of the text: an agent's name, or a package with its version."""
    checks: Mapping[str, Any]
    """Details of how the text was created: mode, prompt, calls, verdict. The guards' numbers come with
    builders.variation.guards."""


@runtime_checkable
class VariantChecker(Protocol):
    """A maker that can check a stored variant again."""

    async def check_again(self, item: Item, text: str, checks: Mapping[str, Any], voice: VariationAgent) -> Mapping[str, Any]:
        """Return the checks of the variant, with missing checks added if possible. Raises AgentError, BudgetReached."""


class VariantMaker(Protocol):
    """A perturbation in use in one job."""

    async def __call__(self, item: Item, seed: int, voice: VariationAgent | None) -> PerturbedText:
        """Return a variant of the item's question. Raises VariationFailed, Unreadable, AgentError, BudgetReached."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Perturbation:
    """One way to vary a question, named after its file."""

    label: str
    about: str
    """Description of the change to a question, in one sentence for people."""
    make: Callable[[Mapping[str, Any]], AbstractContextManager[VariantMaker]]
    """Returns a context manager with the maker of a job for the given settings. Entering it may load resources for seconds."""
    prompt: str | None = None
    """Name of the prompt for the agent, without the language; None = no agent, and no cost."""
    languages: tuple[str, ...] = FULL_LANGUAGES
    """Languages that the perturbation supports; empty = all languages."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Reason for each unsupported language."""
    settings: Mapping[str, PerturbationSetting] = field(default_factory=dict)
    version: str = "1"
    """Version of the rules; other rules give other variants."""

    def why_not(self, language: str) -> str | None:
        """Return the reason why the perturbation is not available in the given language, as a sentence, or None if it is
        available."""
        if not self.languages or language in self.languages:
            return None
        if why := self.missing.get(language):
            return f"{self.label} is not available for {language}: {why}."
        if len(self.languages) < len(FULL_LANGUAGES):
            return f"{self.label} is not available for {language}."
        return explain_missing(f"{self.label} is made", language)


def perturbations() -> Mapping[str, Perturbation]:
    """Return name -> perturbation, for every perturbation."""
    return catalog("builders.perturbations", "PERTURBATION", Perturbation)
