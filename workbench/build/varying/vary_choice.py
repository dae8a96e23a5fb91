"""How variants are asked for: which items, which kinds, with what settings; checked before anything is made."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from builders.variation.guards import NOT_MEASURED
from builders.variation.perturbation import Perturbation, perturbations
from core.catalog import pick
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Status
from core.retrieval.similarity import MODEL
from store.engine.database import Database
from store.items.finding import Search
from store.items.finding import ids as found_ids
from store.queue.kind import ItemKind
from store.releases.releases import get as release_of
from workbench import settings as keys
from workbench.setup.agents import Agents

MODEL_SETTING = "embedding_model"
ACCEPTED = "accepted"


@dataclass(frozen=True, kw_only=True, slots=True)
class Vary:
    """What somebody wants varied; None = any."""

    kinds: tuple[str, ...]
    agent: str | None = None
    """By name; only kinds that ask one need it."""
    task: str | None = None
    domain: str | None = None
    status: str | None = ACCEPTED
    release: str | None = None
    """Items of that release alone, in the words that they have now."""
    seed: int = 0
    budget: float | None = None
    """US dollars."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """KIND.NAME, or NAME for every kind that knows it; embedding_model; agent.NAME."""

    def __hash__(self) -> int:
        return hash(content_hash(asdict(self)))

    @property
    def asking(self) -> tuple[str, ...]:
        """Those of its kinds that ask an agent."""
        return tuple(kind for kind in self.kinds if perturbations()[kind].prompt)

    @property
    def model(self) -> str:
        """The embedding model that likeness in meaning is measured with."""
        return str(keys.own(self.settings).get(MODEL_SETTING, MODEL))

    def params(self) -> dict[str, Any]:
        """As a job keeps it; its budget stands with the job."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items() if name != "budget"
        }


def from_params(params: Mapping[str, Any], budget: float | None) -> Vary:
    """What a job was asked."""
    own = {name: params[name] for name in ("agent", "task", "domain", "status", "release", "seed", "settings")}
    return Vary(kinds=tuple(params["kinds"]), budget=budget, **own)


def check(wanted: Vary, agents: Agents) -> None:
    """Raises BenchError on what cannot be made, in a sentence."""
    if not wanted.kinds:
        raise BenchError(f"No kind is chosen: give one or more of {', '.join(perturbations())}.")
    for kind in wanted.kinds:
        pick(perturbations(), kind, "kind")
    if wanted.status is not None and wanted.status not in get_args(Status):
        raise BenchError(f"No status {wanted.status!r}; there are: {', '.join(get_args(Status))}.")
    if wanted.asking and wanted.agent is None:
        raise BenchError(f"{', '.join(wanted.asking)} asks an agent: name one with --agent.")
    if wanted.agent is not None:
        agents.check(wanted.agent, wanted.settings, wanted.budget if wanted.asking else None)
    keys.check_owners(wanted.settings, {"agent": wanted.agent is not None, "judge": False})
    own = keys.own(wanted.settings)
    known = {MODEL_SETTING}
    for kind in wanted.kinds:
        known |= {name for setting in perturbations()[kind].settings for name in (setting, f"{kind}.{setting}")}
    keys.only(own, known, "Varying these kinds")
    for kind in wanted.kinds:
        settings_of(kind, wanted, "")
    if wanted.model != NOT_MEASURED:
        from core.retrieval.embeddings import embedder

        if wanted.model == "lexical_vectors":
            raise BenchError("lexical_vectors compares letters, not meaning: set embedding_model to another model, or to none.")
        if wanted.model != MODEL:
            embedder(wanted.model)


def settings_of(kind: str, wanted: Vary, server: str) -> dict[str, Any]:
    """The kind's settings: its own, else those for all kinds, else the defaults; `server` = the workspace's verifier. Raises
    BenchError on a value that it cannot take."""
    own = keys.own(wanted.settings)
    found = {}
    for name, setting in perturbations()[kind].settings.items():
        value = own.get(f"{kind}.{name}", own.get(name, setting.default))
        wants = (int, float) if isinstance(setting.default, float) else type(setting.default)
        if setting.among and value not in setting.among:
            raise BenchError(f"The setting {kind}.{name} is {value!r}: give {' or '.join(setting.among)}.")
        if not isinstance(value, wants) or isinstance(value, bool):
            raise BenchError(f"The setting {kind}.{name} is {value!r}: give {_an(setting.default)}.")
        found[name] = value
    if "server" in found and not found["server"]:
        found["server"] = server
    return found


def items_of(database: Database, wanted: Vary) -> list[str]:
    """The ids of the items that are meant, in the order they came."""
    kind = ItemKind(task=wanted.task, domain=wanted.domain)
    status: Any = wanted.status
    found = found_ids(database, Search(kind=kind, status=status, order="oldest"))
    if wanted.release is None:
        return found
    members = {row["id"] for row in release_of(database, wanted.release).manifest["items"]}
    return [id_ for id_ in found if id_ in members]


def choices() -> list[dict[str, Any]]:
    """{"name", "label", "about", "asks": whether it asks an agent, "missing": {language: why}, "settings": {name: {"default",
    "about", "among"}}}, by name."""
    return [_choice(name, kind) for name, kind in perturbations().items()]


def _choice(name: str, kind: Perturbation) -> dict[str, Any]:
    settings = {key: asdict(setting) for key, setting in kind.settings.items()}
    missing = {language: kind.why_not(language) for language in ("en", "zh") if kind.why_not(language)}
    return {
        "name": name,
        "label": kind.label,
        "about": kind.about,
        "asks": kind.prompt is not None,
        "missing": missing,
        "settings": settings,
    }


def _an(default: Any) -> str:
    return "a number" if isinstance(default, float) else "a text"
