"""Build studies of how runs answered questions in several wordings, only from stored data. A study joins repeated runs of a
configuration, and compares them with the same agent's answers without retrieval."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Run
from core.retrieval.embedding_options import Side
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.vector_cache import cache_embedder
from eval.reports.notes import OFFLINE_PARTS
from eval.reports.run_names import name_runs
from eval.robustness.meanings import Embed, Meanings, embed_with
from eval.robustness.records import WordingRecord, read_traces
from eval.robustness.study import Arm, Study
from eval.system import systems
from store.corpus.vectors import StoredVectors
from store.engine import settings
from store.engine.database import Database
from store.releases.releases import ReleaseMembers
from store.runs import runs, traces
from workbench.background_cache import CachedStage
from workbench.release.releases import ReleaseStage

NO_RETRIEVAL = "closed_book"
"""Name of the system that answers without retrieval; its answers show whether a question needs a search."""
SETTING, DEFAULT_MODEL = "robustness", "minilm"
"""Key of the workspace setting that names the embedding model for robustness, and the model that is used if nobody has set
it."""


def model_of(database: Database) -> str:
    """Return the name of the embedding model that measures how similar answers are."""
    stored: Any = settings.get(database, SETTING)
    return DEFAULT_MODEL if stored is None else str(stored["model"])


class Studies(CachedStage):
    """Builds studies of runs. Only the last two studies are cached, because a study contains every record of its runs."""

    MAX_RESULTS = 2

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        super().__init__(database)
        self._releases = releases

    def state_of(self, ids: Sequence[str]) -> tuple[object, ...]:
        """Return a cache key for the data of a study of these runs. The key changes whenever a trace or a score is stored, or
        another embedding model is set."""
        beside = [other.id for id_ in ids for other in self._find_without_retrieval(runs.get(self._db, id_))]
        stamps = tuple((id_, traces.fingerprint(self._db, id_)) for id_ in dict.fromkeys([*ids, *beside]))
        return (*ids, stamps, model_of(self._db))

    def load(self, ids: Sequence[str]) -> Study:
        """Return the study of the given runs, after waiting until it is built."""
        return self._cache.wait_for(self.state_of(ids), lambda: self._make_study(ids))

    def _make_study(self, ids: Sequence[str]) -> Study:
        chosen = [runs.get(self._db, id_) for id_ in ids]
        groups: dict[str, list[Run]] = {}
        for run in chosen:
            groups.setdefault(_serialise_configuration(run), []).append(run)
        repeats = [sorted(group, key=lambda run: run.repetition) for group in groups.values()]
        members: dict[str, ReleaseMembers] = {}
        for run in chosen:
            if run.release_hash not in members:
                members[run.release_hash] = self._releases.members(run.release, run.release_hash)
        cache: dict[str, list[WordingRecord]] = {}

        def records(run: Run) -> list[WordingRecord]:
            if run.id not in cache:
                cache[run.id] = self._load_records(run, members[run.release_hash])
            return cache[run.id]

        arms = []
        for name, group in zip(_name_arms(repeats), repeats, strict=True):
            without = self._find_without_retrieval(group[0])
            arms.append(
                Arm(name, [records(run) for run in group], [records(run) for run in without] or None, _list_facts(group))
            )
        titles = {document.id: document.title for content in members.values() for document in content.documents}
        model = model_of(self._db)
        embed = embed_lazily(model, lambda loaded: cache_embedder(loaded, StoredVectors(self._db)))
        return Study(arms, embed, model=model, titles=titles, notes=_list_notes(arms, repeats))

    def _load_records(self, run: Run, content: ReleaseMembers) -> list[WordingRecord]:
        losses: dict[tuple[str, str | None], list[float | None]] = {}
        for score in runs.load_scores(self._db, run.id):
            if score.metric in ("query_loss", "query_loss.tokens"):
                losses.setdefault((score.item, score.variant), [None, None])[score.metric.endswith("tokens")] = score.value
        return read_traces(
            run,
            runs.load_traces(self._db, run.id),
            {item.id: item for item in content.items},
            {variant.id: variant for variant in content.variants},
            {key: (loss, tokens) for key, (loss, tokens) in losses.items()},
        )

    def _find_without_retrieval(self, run: Run) -> list[Run]:
        """Return the repeated runs of the best configuration of closed_book with the same agent and questions; an empty list if
        there is none. The best configuration is one that asked the rewritten questions; next comes one with the same
        temperature, then the newest."""
        groups: dict[str, list[Run]] = {}
        for other in runs.list_runs(self._db, run.release) if run.agent is not None else ():
            is_same = all(other.config.get(name) == run.config.get(name) for name in ("agent", "sample"))
            if other.system.name == NO_RETRIEVAL and other.release_hash == run.release_hash and is_same:
                groups.setdefault(_serialise_configuration(other), []).append(other)

        def fit(group: Sequence[Run]) -> tuple[bool, bool]:
            return bool(group[0].config.get("variants")), temperature_of(group[0]) == temperature_of(run)

        best = max(reversed(list(groups.values())), key=fit, default=[])
        return sorted(best, key=lambda other: other.repetition)


def embed_lazily(name: str, cache: Callable[[Embedder], Embedder] = lambda loaded: loaded) -> Embed:
    """Return a function that embeds texts with the named model; it loads the model when it gets the first text. `cache` is a
    function that wraps the loaded model."""

    def embed(texts: Sequence[str], languages: Sequence[str], side: Side = "text") -> Meanings:
        return embed_with(cache(embedder(name)))(texts, languages, side)

    return embed


def temperature_of(run: Run) -> float | None:
    """Return the temperature that the run or its agent set, or None if neither did."""
    value = run.config.get("settings", {}).get("temperature", (run.config.get("agent") or {}).get("temperature"))
    return float(value) if isinstance(value, int | float) else None


def check_model(name: str) -> None:
    """Check that the embedding model compares the meaning of texts. Raises BenchError if the model compares only letters."""
    if name == "lexical_vectors":
        raise BenchError(
            "lexical_vectors compares letters, not meaning, so it cannot measure the similarity of answers: "
            "give minilm or a model folder."
        )
    embedder(name)


def _serialise_configuration(run: Run) -> str:
    config = {key: value for key, value in run.config.items() if key != "repetition"}
    return canonical_json({**config, "release name": run.release})


def _name_arms(repeats: Sequence[Sequence[Run]]) -> list[str]:
    """Return a short name for each system of the study; the name contains the temperature if the temperatures differ."""
    temperatures = [temperature_of(group[0]) for group in repeats]
    names = [name_runs([group[0]])[0] for group in repeats]
    if len(set(temperatures)) > 1:
        names = [name if t is None else f"{name} T={t:g}" for name, t in zip(names, temperatures, strict=True)]
    counts = Counter(names)
    return [name if counts[name] == 1 else f"{name} {group[0].id[:6]}" for name, group in zip(names, repeats, strict=True)]


def _list_facts(group: Sequence[Run]) -> Mapping[str, Json]:
    run = group[0]
    adapter = systems().get(run.system.name)
    return {
        "system": run.system.name,
        "agent": run.agent,
        "retriever": run.config.get("retriever"),
        "release": run.release,
        "temperature": temperature_of(run),
        "family": adapter.family if adapter else "outside",
        "runs": [repeat.id for repeat in group],
        "variants": bool(run.config.get("variants")),
    }


def _list_notes(arms: Sequence[Arm], repeats: Sequence[Sequence[Run]]) -> list[str]:
    """Return sentences about offline agents, samples and missing data, which are shown beside the results."""
    notes = []
    for arm, group in zip(arms, repeats, strict=True):
        run = group[0]
        if run.offline:
            parts = " and ".join(OFFLINE_PARTS.get(part, part) for part in run.offline)
            notes.append(
                f"{arm.name}: {parts} by the offline agent (no LLM); its figures cannot be compared with those of an LLM."
            )
        for entry in run.config.get("not_run", ()):
            notes.append(f"{arm.name}: {entry['n']} questions in {entry['language']} were not run: {entry['why']}")
        if run.config.get("sample"):
            notes.append(f"{arm.name}: run on a sample of questions, not on the whole release.")
        if not run.config.get("variants"):
            notes.append(f"{arm.name} was asked no rewrites: run it with --variants.")
        if run.agent is not None and arm.without is None:
            notes.append(
                f"{arm.name}: there is no closed_book run of its agent on these questions, so it is not known which of them "
                "need a search."
            )
    return notes
