"""Runs whose questions were asked in several wordings, made into one Study from what is stored alone: repeats of a
configuration together, the same agent's answers without retrieval beside each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Run
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.vector_cache import cache_embedder
from eval.reports.layout import NAMES
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
from workbench.kept import BackgroundCache
from workbench.release.releases import ReleaseStage

FLOOR = "closed_book"
"""The system without retrieval, from which is told whether a question needs a search."""
KEY, MODEL = "robustness", "minilm"


def model_of(database: Database) -> str:
    """The embedding model of similarity and spread."""
    kept: Any = settings.get(database, KEY)
    return MODEL if kept is None else str(kept["model"])


class Studies:
    """Makes them, and keeps the last two: each holds every record of its runs."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases
        self._kept = BackgroundCache(most=2)

    def state(self, ids: Sequence[str]) -> tuple[Any, ...]:
        """What a study of those runs is made from; another one as soon as a trace or a score comes, or the model is changed."""
        beside = [other.id for id_ in ids for group in [self._without(runs.get(self._db, id_))] for other in group]
        found = tuple((id_, traces.fingerprint(self._db, id_)) for id_ in dict.fromkeys([*ids, *beside]))
        return (*ids, found, model_of(self._db))

    def now(self, ids: Sequence[str]) -> Study:
        """The study of those runs, waiting for it."""
        return self._kept.now(self.state(ids), lambda: self._made(ids))

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _made(self, ids: Sequence[str]) -> Study:
        chosen = [runs.get(self._db, id_) for id_ in ids]
        groups: dict[str, list[Run]] = {}
        for run in chosen:
            groups.setdefault(_configuration(run), []).append(run)
        repeats = [sorted(group, key=lambda run: run.repetition) for group in groups.values()]
        contents: dict[str, ReleaseMembers] = {}
        for run in chosen:
            if run.release_hash not in contents:
                contents[run.release_hash] = self._releases.members(run.release, run.release_hash)
        known: dict[str, list[WordingRecord]] = {}

        def records(run: Run) -> list[WordingRecord]:
            if run.id not in known:
                known[run.id] = self._records(run, contents[run.release_hash])
            return known[run.id]

        arms = []
        for name, group in zip(_names(repeats), repeats, strict=True):
            without = self._without(group[0])
            arms.append(Arm(name, [records(run) for run in group], [records(run) for run in without] or None, _facts(group)))
        titles = {document.id: document.title for content in contents.values() for document in content.documents}
        model = model_of(self._db)
        embed = embed_lazily(model, lambda one: cache_embedder(one, StoredVectors(self._db)))
        return Study(arms, embed, model=model, titles=titles, notes=_notes(arms, repeats))

    def _records(self, run: Run, content: ReleaseMembers) -> list[WordingRecord]:
        losses: dict[tuple[str, str | None], list[float | None]] = {}
        for score in runs.load_scores(self._db, run.id):
            if score.metric in ("query_loss", "query_loss.tokens"):
                losses.setdefault((score.item, score.variant), [None, None])[score.metric.endswith("tokens")] = score.value
        return read_traces(
            run,
            runs.load_traces(self._db, run.id),
            {item.id: item for item in content.items},
            {variant.id: variant for variant in content.variants},
            {key: (one, two) for key, (one, two) in losses.items()},
        )

    def _without(self, run: Run) -> list[Run]:
        """The repeats of the newest closed_book configuration of the same agent on the same questions, one that asked the
        rewrites first, then one of the same temperature; none where there is none."""
        groups: dict[str, list[Run]] = {}
        for other in runs.list_runs(self._db, run.release):
            same = other.release_hash == run.release_hash and all(
                other.config.get(name) == run.config.get(name) for name in ("agent", "sample")
            )
            if other.system.name == FLOOR and same and run.agent is not None:
                groups.setdefault(_configuration(other), []).append(other)
        if not groups:
            return []

        def fit(group: Sequence[Run]) -> tuple[bool, bool]:
            return bool(group[0].config.get("variants")), temperature_of(group[0]) == temperature_of(run)

        best = max(reversed(list(groups.values())), key=fit)
        return sorted(best, key=lambda other: other.repetition)


def embed_lazily(name: str, kept: Callable[[Embedder], Embedder] = lambda model: model) -> Embed:
    """Vectors by the model of that name, loaded when the first text comes; `kept` puts a cache before it."""

    def embed(texts: Sequence[str], languages: Sequence[str]) -> Meanings:
        return embed_with(kept(embedder(name)))(texts, languages)

    return embed


def temperature_of(run: Run) -> float | None:
    """As the run or its agent set it; None = neither did."""
    value = run.config.get("settings", {}).get("temperature", (run.config.get("agent") or {}).get("temperature"))
    return float(value) if isinstance(value, int | float) else None


def check_model(name: str) -> None:
    """Raises BenchError where that is no model that compares meanings."""
    if name == "lexical_vectors":
        raise BenchError("Similarity of answers compares meanings, and lexical_vectors letters: give minilm or a folder.")
    embedder(name)


def _configuration(run: Run) -> str:
    return canonical_json({**{k: v for k, v in run.config.items() if k != "repetition"}, "release name": run.release})


def _names(repeats: Sequence[Sequence[Run]]) -> list[str]:
    """A short name an arm, with its temperature where they differ."""
    heats = [temperature_of(group[0]) for group in repeats]
    names = [name_runs([group[0]])[0] for group in repeats]
    if len(set(heats)) > 1:
        names = [f"{name} T={heat:g}" if heat is not None else name for name, heat in zip(names, heats, strict=True)]
    times = Counter(names)
    return [name if times[name] == 1 else f"{name} {group[0].id[:6]}" for name, group in zip(names, repeats, strict=True)]


def _facts(group: Sequence[Run]) -> Mapping[str, Any]:
    run = group[0]
    adapter = systems().get(run.system.name)
    return {
        "system": run.system.name,
        "agent": run.agent,
        "retriever": run.config.get("retriever"),
        "release": run.release,
        "temperature": temperature_of(run),
        "family": adapter.family if adapter else "outside",
        "runs": [one.id for one in group],
        "variants": bool(run.config.get("variants")),
    }


def _notes(arms: Sequence[Arm], repeats: Sequence[Sequence[Run]]) -> list[str]:
    """What was offline, sampled or lacking."""
    found = []
    for arm, group in zip(arms, repeats, strict=True):
        run = group[0]
        if run.offline:
            what = " and ".join(NAMES.get(part, part) for part in run.offline)
            found.append(f"{arm.name}: {what} by the offline agent (no LLM); no figure of it compares with one of an LLM.")
        for entry in run.config.get("not_run", ()):
            found.append(f"{arm.name}: {entry['n']} questions in {entry['language']} were not run: {entry['why']}")
        if run.config.get("sample"):
            found.append(f"{arm.name}: run on a sample of questions, not on the whole release.")
        if not run.config.get("variants"):
            found.append(f"{arm.name} was asked no rewrites: run it with --variants.")
        if run.agent is not None and arm.without is None:
            found.append(
                f"{arm.name}: no closed_book run of its agent on these questions, so that whether one needs a "
                "search is not known."
            )
    return found
