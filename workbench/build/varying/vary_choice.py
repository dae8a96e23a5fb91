"""Define a request for variants (which items, kinds and settings), and check it before any variant is created."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, get_args

from agents.kind import needs_no_model
from builders.languagetool.server import check_server
from builders.variation.guards import NOT_MEASURED
from builders.variation.perturbation import perturbations
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Status
from core.retrieval.similarity import MODEL
from store.engine.database import Database
from store.items import finding
from store.items.finding import ItemSearch
from store.queue.kind import ItemKind
from store.releases import releases
from workbench import settings as keys
from workbench.setup.agents import Agents

MODEL_SETTING = "embedding_model"
ACCEPTED = "accepted"
GRAMMAR = "grammar"
"""Name of the kind of variant with a grammar error, which LanguageTool and a judge can check."""


class KindCard(NamedTuple):
    """A kind of variant as a row in the list of kinds."""

    name: str
    label: str
    about: str
    asks: bool
    """Whether an agent writes the variants of this kind."""
    languages: tuple[str, ...]
    """Codes of the languages for which this kind of variant exists; empty means all languages."""
    settings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class VaryRequest:
    """A request for variants of some kinds; a filter for items that is None selects all items."""

    kinds: tuple[str, ...]
    agent: str | None = None
    """Name of the agent that writes the variants; only some kinds need an agent."""
    task: str | None = None
    domain: str | None = None
    status: str | None = ACCEPTED
    release: str | None = None
    """Name of a release; only its items are varied, with their current text. The value None means that no release restricts the
    items."""
    seed: int = 0
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Dict from setting to value. The name of a setting is KIND.NAME, or NAME for every kind that has this setting, or
    embedding_model, or agent.NAME."""

    def __hash__(self) -> int:
        return hash(content_hash(asdict(self)))

    @property
    def asking(self) -> tuple[str, ...]:
        """Return those requested kinds whose variants an agent writes."""
        return tuple(kind for kind in self.kinds if perturbations()[kind].prompt)

    @property
    def model(self) -> str:
        """Return the name of the embedding model that measures similarity in meaning."""
        return str(keys.select_own(self.settings).get(MODEL_SETTING, MODEL))

    @property
    def judge(self) -> str | None:
        """Return the name of the agent that checks variants with grammar errors, or None if there is none."""
        own = keys.select_own(self.settings)
        name = own.get("grammar.judge", own.get("judge", "")) if GRAMMAR in self.kinds else ""
        return str(name).strip() or None

    @property
    def params(self) -> dict[str, Json]:
        """Return the request as parameters of a job, without the budget, which a job stores separately."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        del values["budget"]
        return values

    @staticmethod
    def from_params(params: Mapping[str, Any], budget: float | None) -> "VaryRequest":
        """Return the request that a job's parameters and budget describe."""
        own = {name: params[name] for name in ("agent", "task", "domain", "status", "release", "seed", "settings")}
        return VaryRequest(kinds=tuple(params["kinds"]), budget=budget, **own)

    def check(self, agents: Agents) -> None:
        """Raise BenchError if the variants cannot be created, because a kind, agent, status or setting is missing, unknown or
        invalid."""
        if not self.kinds:
            raise BenchError(f"No kind is chosen: give one or more of {', '.join(perturbations())}.")
        for kind in self.kinds:
            pick(perturbations(), kind, "kind")
        if self.status is not None and self.status not in get_args(Status):
            raise BenchError(f"There is no status {self.status!r}: give one of {', '.join(get_args(Status))}.")
        if self.asking and self.agent is None:
            raise BenchError(f"{', '.join(self.asking)} asks an agent: name one with --agent.")
        if self.agent is not None:
            agents.check(self.agent, self.settings, self.budget if self.asking else None)
        if self.judge is not None:
            if needs_no_model(self.judge):
                raise BenchError(f"{self.judge} has no LLM and cannot judge grammar: name another agent as grammar.judge.")
            agents.check(self.judge, self.settings, self.budget, owner="judge")
        keys.check_owners(self.settings, {"agent": self.agent is not None, "judge": self.judge is not None})
        known = {MODEL_SETTING}
        for kind in self.kinds:
            known |= {name for setting in perturbations()[kind].settings for name in (setting, f"{kind}.{setting}")}
        keys.check_known(keys.select_own(self.settings), known, "Varying these kinds")
        for kind in self.kinds:
            self.resolve_settings(kind, "")
        if self.model != NOT_MEASURED:
            from core.retrieval.embeddings import embedder

            if self.model == "lexical_vectors":
                raise BenchError(
                    "lexical_vectors compares letters, not meaning: set embedding_model to another model, or to none."
                )
            if self.model != MODEL:
                embedder(self.model)

    def resolve_settings(self, kind: str, server: str) -> dict[str, Json]:
        """Return the values of the settings of this kind: those given for the kind, or else those given for all kinds, or else
        the defaults. `server` is the address of the workspace's grammar checker. Raises BenchError if a value is invalid."""
        own = keys.select_own(self.settings)
        resolved: dict[str, Json] = {}
        for name, setting in perturbations()[kind].settings.items():
            value = own.get(f"{kind}.{name}", own.get(name, setting.default))
            is_number = isinstance(setting.default, float)
            if setting.among and value not in setting.among:
                raise BenchError(f"The setting {kind}.{name} is {value!r}: give {' or '.join(setting.among)}.")
            if not isinstance(value, (int, float) if is_number else type(setting.default)) or isinstance(value, bool):
                raise BenchError(f"The setting {kind}.{name} is {value!r}: give {'a number' if is_number else 'a text'}.")
            if setting.above is not None and not value > setting.above:
                raise BenchError(f"The setting {kind}.{name} is {value!r}: give a number above {setting.above:g}.")
            resolved[name] = value
        if "server" in resolved:
            resolved["server"] = check_server(str(resolved["server"])) or server
        return resolved

    def list_items(self, database: Database) -> list[str]:
        """Return the ids of the items whose variants are requested, oldest first."""
        status: Any = self.status
        kind = ItemKind(task=self.task, domain=self.domain)
        ids = finding.list_ids(database, ItemSearch(kind=kind, status=status, order="oldest"))
        if self.release is None:
            return ids
        members = {row["id"] for row in releases.get(database, self.release).manifest["items"]}
        return [id_ for id_ in ids if id_ in members]


def list_kinds() -> list[KindCard]:
    """List all kinds of variants, sorted by name."""
    cards = []
    for name, kind in perturbations().items():
        cards.append(KindCard(name, kind.label, kind.about, kind.prompt is not None, kind.languages, tuple(kind.settings)))
    return cards
