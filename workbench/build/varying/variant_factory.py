"""Create variants of items, and check them with guards (automatic checks). The job that creates variants and the preview of
variants both use this module."""

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from threading import Thread
from typing import Any, NamedTuple

from builders.variation.guards import NOT_MEASURED, UNVERIFIED, GuardedVariant, guards
from builders.variation.perturbation import (
    PerturbedText,
    VariantChecker,
    VariantMaker,
    VariationAgent,
    VariationFailed,
    perturbations,
)
from core.errors import AgentError, BenchError, CallNotSent
from core.ids import derived_id
from core.nouns import Item, Variant
from core.retrieval.embeddings import embedder, explain_unusable
from core.retrieval.similarity import load_similarity_model as load_model
from core.statistics.statistics import percentile_of_random_pairs
from prompts.prompt import load
from store.engine.database import Cursor, Database
from store.items import items
from store.jobs import jobs
from store.variants import variant_pages, variants
from workbench.control import name_stop

PERCENTILE, SAMPLED_QUESTIONS, MIN_QUESTIONS = 99.0, 300, 50
"""Percentile of the cosines between random pairs of questions, the number of questions drawn to compute it, and the minimum
number of questions. A variant is flagged as unlike if its cosine with its question is below this percentile; with too few
questions there is no such limit."""


class VariantTask(NamedTuple):
    """One variant to be created: a kind of variant for one item."""

    item: str
    kind: str

    @property
    def key(self) -> str:
        return f"{self.item}/{self.kind}"


class TriedVariant(NamedTuple):
    """A variant in a preview. A variant in a preview is not stored, and its similarity in meaning is not measured."""

    item: str
    question: str
    kind: str
    text: str | None
    why: str
    """Reason why no text was created; "" if one was."""
    checks: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """What came of creating one variant: the variant, or the reason why there is none."""

    piece: VariantTask
    item: Item | None = None
    made: PerturbedText | None = None
    variant: str = ""
    """Id of the created variant, or of an equal variant that existed before."""
    is_there: bool = False
    new_checks: Mapping[str, Any] | None = None
    """Results of checks that were repeated on a variant that existed before, or None if no check was repeated."""
    why: str = ""
    """Sentence that says why no variant was created, or why the job ended."""
    ends: str = ""
    """"budget" or "endpoint" if the job ended before this variant was created, "batch" if the variant waits for a batch file,
    otherwise ""."""

    @property
    def unchecked(self) -> str:
        """Return a sentence that says why no grammar checker has read the variant; "" if one has, or if nobody asked for
        one."""
        checks = self.made.checks if self.made is not None else self.new_checks or {}
        return str(checks["unverified_why"]) if checks.get("is_checked") is False else ""

    @property
    def preview(self) -> TriedVariant | None:
        """Return the outcome as a preview shows it, or None if the item does not exist any more."""
        item, kind, made = self.item, self.piece.kind, self.made
        if item is None:
            return None
        if made is None:
            return TriedVariant(item.id, item.question, kind, None, self.why, {})
        [measured] = guards([GuardedVariant(item, kind, made.text, made.checks)], NOT_MEASURED)
        return TriedVariant(item.id, item.question, kind, made.text, self.why, {**made.checks, **measured})


class VariantFactory:
    """Creates the variants that one request asks for. `settings` is a dict from kind of variant to its settings; `ids` are the
    ids of all items of the request."""

    def __init__(
        self, database: Database, settings: Mapping[str, Mapping[str, Any]], seed: int, model: str, ids: Sequence[str]
    ) -> None:
        self._db, self._settings, self._seed, self._model = database, settings, seed, model
        self._ids = list(dict.fromkeys(ids))
        self._makers: dict[str, VariantMaker] = {}
        self._limits: dict[str, float | None] = {}
        self._loading: Thread | None = None
        self.identity = ""
        """Hash of the agent and its settings, which is part of the ids of the variants that the agent writes."""

    def open(self, stack: ExitStack, kinds: set[str]) -> None:
        """Prepare the generators of all kinds of variants, which takes seconds; the exit stack `stack` closes them. The
        embedding model for the guards continues to load in another thread."""
        if self._model != NOT_MEASURED:
            languages = variant_pages.count_languages(self._db, self._ids)
            self._loading = Thread(target=load_model, args=(self._model, languages), name="guards' model")
            self._loading.start()
            stack.callback(self._loading.join)
        for kind in sorted(kinds):
            self._makers[kind] = stack.enter_context(perturbations()[kind].make(self._settings[kind]))

    async def vary(
        self, pieces: Sequence[VariantTask], voice: VariationAgent | None, anew: bool = False
    ) -> list[VariantOutcome]:
        """Create the variants one after the other. A variant that exists is not created again, unless `anew` is true."""
        stored = {item.id: item for item in items.load_items(self._db, dict.fromkeys(piece.item for piece in pieces))}
        ids = {piece: self._derive_id(stored[piece.item], piece.kind) for piece in pieces if piece.item in stored}
        present = {} if anew else {variant.id: variant for variant in variants.load_variants(self._db, ids.values())}
        outcomes: list[VariantOutcome] = []
        for piece in pieces:
            item = stored.get(piece.item)
            if item is None:
                outcomes.append(VariantOutcome(piece, why=f"No item {piece.item} is in this workspace any more."))
            elif ids[piece] in present:
                outcomes.append(await self._run(piece, item, self._check_again(piece, item, present[ids[piece]], voice)))
            else:
                outcomes.append(await self._run(piece, item, self._make(piece, item, ids[piece], voice)))
            if outcomes[-1].ends not in ("", "batch"):
                break
        return outcomes

    def store(self, job: str, outcomes: Sequence[VariantOutcome]) -> None:
        """Store the new variants with the results of their guards, and a record of each variant for the job, in one
        transaction."""
        others = self._load_others(outcomes)
        results: list[tuple[str, str, Any]] = []
        guarded: list[tuple[VariantOutcome, GuardedVariant]] = []

        def add_result(outcome: VariantOutcome, state: str, variant: str, why: str = "", unchecked: str = "") -> None:
            result = {"state": state, "variant": variant, "why": why, "unchecked": unchecked}
            results.append((outcome.piece.key, "done", result))

        for outcome in outcomes:
            if outcome.made is None or outcome.item is None:
                state = "already" if outcome.is_there else "refused"
                add_result(outcome, state, outcome.variant, outcome.why, outcome.unchecked)
                continue
            kind, text = outcome.piece.kind, outcome.made.text
            own = others.setdefault(outcome.piece.item, [])
            same = next((variant for variant in own if variant.kind == kind and variant.text == text), None)
            if same is not None:
                add_result(outcome, "already", same.id)
                continue
            beside = {variant.kind: variant.text for variant in own if variant.kind != kind}
            guarded.append((outcome, GuardedVariant(outcome.item, kind, text, outcome.made.checks, beside)))
            own.append(self._variant(outcome, {}))
        if guarded and self._loading is not None:
            self._loading.join()
        limits = self._limits_for({variant.item.language for _, variant in guarded})
        measured = guards([variant for _, variant in guarded], self._model, limits)
        new = [self._variant(outcome, numbers) for (outcome, _), numbers in zip(guarded, measured, strict=True)]
        for outcome, _ in guarded:
            add_result(outcome, "made", outcome.variant, unchecked=outcome.unchecked)

        checked = [(outcome.variant, outcome.new_checks) for outcome in outcomes if outcome.new_checks is not None]

        def write(cursor: Cursor) -> None:
            variants.insert(cursor, new)
            for id_, checks in checked:
                variants.update_checks(cursor, id_, checks)
            jobs.insert_items(cursor, job, results)

        self._db.write(write)

    async def _run(self, piece: VariantTask, item: Item, work: Awaitable[VariantOutcome]) -> VariantOutcome:
        """Return the outcome of creating a variant; if an error occurs, the outcome contains the reason."""
        try:
            return await work
        except (AgentError, CallNotSent) as error:
            return VariantOutcome(piece, item, why=str(error), ends=name_stop(error))
        except VariationFailed as error:
            return VariantOutcome(piece, item, why=str(error))

    async def _make(self, piece: VariantTask, item: Item, id_: str, voice: VariationAgent | None) -> VariantOutcome:
        kind = perturbations()[piece.kind]
        if why := kind.why_not(item.language):
            return VariantOutcome(piece, item, why=why)
        made = await self._makers[piece.kind](item, self._seed, voice if kind.prompt else None)
        return VariantOutcome(piece, item, made, id_)

    async def _check_again(
        self, piece: VariantTask, item: Item, variant: Variant, voice: VariationAgent | None
    ) -> VariantOutcome:
        """Repeat those checks of an existing variant that could not run when it was created, such as the check by a judge."""
        outcome = VariantOutcome(piece, item, variant=variant.id, is_there=True)
        maker = self._makers[piece.kind]
        if voice is None or not isinstance(maker, VariantChecker):
            return outcome
        checks = dict(await maker.check_again(item, variant.text, variant.checks, voice))
        if checks.get("verdict") == "verified":
            checks["flags"] = [flag for flag in checks.get("flags", ()) if flag != UNVERIFIED]
        return replace(outcome, new_checks=checks)

    def _derive_id(self, item: Item, kind: str) -> str:
        """Return the id of a variant. The id is the same for the same text, kind, seed, settings and rules; if an agent writes
        the variant, also for the same agent and prompt."""
        how = perturbations()[kind]
        asked = (load(how.prompt, item.language).identity, self.identity) if how.prompt else ()
        settings = sorted((name, value) for name, value in self._settings[kind].items() if how.settings[name].is_identity)
        return derived_id("variant", item.id, item.revision, kind, self._seed, settings, how.version, *asked)

    def _variant(self, outcome: VariantOutcome, measured: Mapping[str, Any]) -> Variant:
        assert outcome.item is not None and outcome.made is not None
        return Variant(
            id=outcome.variant,
            item=outcome.item.id,
            revision=outcome.item.revision,
            kind=outcome.piece.kind,
            text=outcome.made.text,
            generator=outcome.made.generator,
            seed=self._seed,
            checks={**outcome.made.checks, **measured},
        )

    def _load_others(self, outcomes: Sequence[VariantOutcome]) -> dict[str, list[Variant]]:
        """Return a dict from item id to the variants of the item's current text that nobody has discarded."""
        revisions = {outcome.item.id: outcome.item.revision for outcome in outcomes if outcome.item is not None}
        others: dict[str, list[Variant]] = {}
        for variant in variants.load_variants_of(self._db, revisions):
            if variant.revision == revisions[variant.item] and variant.status != "discarded":
                others.setdefault(variant.item, []).append(variant)
        return others

    def _limits_for(self, languages: set[str]) -> dict[str, float | None]:
        for language in sorted(languages - self._limits.keys()):
            self._limits[language] = self._measure_limit(language)
        return self._limits

    def _measure_limit(self, language: str) -> float | None:
        """Return the cosine that random pairs of the items' questions rarely reach, or None if it cannot be computed for this
        language."""
        if self._model == NOT_MEASURED:
            return None
        sampled = self._ids[:: max(1, len(self._ids) // SAMPLED_QUESTIONS)][:SAMPLED_QUESTIONS]
        questions = {item.question for item in items.load_items(self._db, sampled) if item.language == language}
        texts = sorted(question for question in questions if question.strip())
        if len(texts) < MIN_QUESTIONS:
            return None
        try:
            model = embedder(self._model)
        except BenchError:
            return None
        if explain_unusable(model, language, texts) is not None:
            return None
        most = model.max_tokens
        fitting = [text for text in texts if most is None or model.count_tokens(text) <= most]
        return percentile_of_random_pairs(model.encode(fitting), PERCENTILE) if len(fitting) >= MIN_QUESTIONS else None
