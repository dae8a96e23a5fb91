"""Items and kinds become variants with their guards: what a job and a preview share."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Thread
from typing import Any, NamedTuple

from builders.variation.guards import NOT_MEASURED, Guarded, guards
from builders.variation.perturbation import NotMade, PerturbedText, VariantMaker, Voice, perturbations
from core.errors import AgentError, BenchError, BudgetReached
from core.ids import derived_id
from core.nouns import Item, Variant
from core.retrieval.embeddings import embedder, explain_unusable
from core.retrieval.similarity import load as load_model
from core.statistics.statistics import percentile_of_random_pairs
from prompts.prompt import load
from store.engine.database import Cursor, Database
from store.items import items
from store.jobs import jobs
from store.variants import variant_pages, variants

AT_ONCE = 100
"""Pieces of kinds that ask nobody that are made and stored together."""
PERCENTILE, SAMPLE, FEWEST = 99.0, 300, 50
"""What counts as unlike: under the cosine that so many per cent of random pairs of so many of the originals stay below; with
fewer originals there is no such limit."""


class VariantTask(NamedTuple):
    """One item in one kind."""

    item: str
    kind: str

    @property
    def key(self) -> str:
        return f"{self.item}/{self.kind}"


@dataclass(frozen=True, slots=True)
class Varied:
    """What became of a piece."""

    piece: VariantTask
    item: Item | None = None
    made: PerturbedText | None = None
    variant: str = ""
    """Id of the variant, new or there already."""
    is_there: bool = False
    why: str = ""
    """Why there is none, in a sentence; or what ended the job."""
    ends: str = ""
    """budget or endpoint: the piece is still to do."""


class Varier:
    """Makes the pieces of one wish. `settings` of each kind; `ids` of all its items."""

    def __init__(
        self, database: Database, settings: Mapping[str, Mapping[str, Any]], seed: int, model: str, ids: Sequence[str]
    ) -> None:
        self._db, self._settings, self._seed, self._model = database, settings, seed, model
        self._ids = list(dict.fromkeys(ids))
        self._makers: dict[str, VariantMaker] = {}
        self._limits: dict[str, float | None] = {}
        self._loading: Thread | None = None
        self.identity = ""
        """Of the agent that is asked: another agent makes other variants."""

    def open(self, stack: ExitStack, kinds: set[str]) -> None:
        """Ready the kinds' makers; what they hold is let go of with the stack. Takes seconds; the guards' model is being loaded
        when this returns."""
        if self._model != NOT_MEASURED:
            languages = variant_pages.languages(self._db, self._ids)
            self._loading = Thread(target=load_model, args=(self._model, languages), name="guards' model")
            self._loading.start()
            stack.callback(self._loading.join)
        for kind in sorted(kinds):
            self._makers[kind] = stack.enter_context(perturbations()[kind].make(self._settings[kind]))

    async def vary(self, pieces: Sequence[VariantTask], voice: Voice | None, anew: bool = False) -> list[Varied]:
        """One after another; those that are there already are not made again, unless `anew`."""
        found = {item.id: item for item in items.load_items(self._db, dict.fromkeys(piece.item for piece in pieces))}
        named = {piece: self._id(found[piece.item], piece.kind) for piece in pieces if piece.item in found}
        there = set() if anew else {variant.id for variant in variants.load_variants(self._db, named.values())}
        out: list[Varied] = []
        for piece in pieces:
            item = found.get(piece.item)
            if item is None:
                out.append(Varied(piece, why=f"No item {piece.item} is in this workspace any more."))
            elif named[piece] in there:
                out.append(Varied(piece, item, variant=named[piece], is_there=True))
            else:
                out.append(await self._one(piece, item, named[piece], voice))
            if out[-1].ends:
                break
        return out

    def store(self, job: str, found: Sequence[Varied]) -> None:
        """Variants with their guards and what became of each piece, in one transaction."""
        others = self._others(found)
        new: list[Variant] = []
        results: list[tuple[str, str, Any]] = []
        held: list[tuple[Varied, Guarded]] = []
        for one in found:
            if one.made is None or one.item is None:
                state = "already" if one.is_there else "refused"
                results.append((one.piece.key, "done", {"state": state, "variant": one.variant, "why": one.why}))
                continue
            own = others.setdefault(one.piece.item, [])
            same = next((v for v in own if v.kind == one.piece.kind and v.text == one.made.text), None)
            if same is not None:
                results.append((one.piece.key, "done", {"state": "already", "variant": same.id, "why": ""}))
                continue
            beside = {v.kind: v.text for v in own if v.kind != one.piece.kind}
            held.append((one, Guarded(one.item, one.piece.kind, one.made.text, one.made.checks, beside)))
            own.append(self._variant(one, {}))
        if held and self._loading is not None:
            self._loading.join()
        measured = guards([guarded for _, guarded in held], self._model, self._limits_for({g.item.language for _, g in held}))
        for (one, _), numbers in zip(held, measured, strict=True):
            new.append(self._variant(one, numbers))
            results.append((one.piece.key, "done", {"state": "made", "variant": one.variant, "why": ""}))

        def write(cursor: Cursor) -> None:
            variants.insert(cursor, new)
            jobs.insert_items(cursor, job, results)

        self._db.write(write)

    async def _one(self, piece: VariantTask, item: Item, id_: str, voice: Voice | None) -> Varied:
        kind = perturbations()[piece.kind]
        if why := kind.why_not(item.language):
            return Varied(piece, item, why=why)
        try:
            made = await self._makers[piece.kind](item, self._seed, voice if kind.prompt else None)
        except BudgetReached as error:
            return Varied(piece, item, why=str(error), ends="budget")
        except AgentError as error:
            return Varied(piece, item, why=str(error), ends="endpoint" if error.stops_job else "")
        except NotMade as error:
            return Varied(piece, item, why=str(error))
        return Varied(piece, item, made, id_)

    def _id(self, item: Item, kind: str) -> str:
        """The same for the same words, kind, seed, settings, rules, and, where one is asked, agent and prompt."""
        how = perturbations()[kind]
        asked = (load(how.prompt, item.language).identity, self.identity) if how.prompt else ()
        return derived_id(
            "variant", item.id, item.revision, kind, self._seed, sorted(self._settings[kind].items()), how.version, *asked
        )

    def _variant(self, one: Varied, measured: Mapping[str, Any]) -> Variant:
        assert one.item is not None and one.made is not None
        return Variant(
            id=one.variant,
            item=one.item.id,
            revision=one.item.revision,
            kind=one.piece.kind,
            text=one.made.text,
            generator=one.made.generator,
            seed=self._seed,
            checks={**one.made.checks, **measured},
        )

    def _others(self, found: Sequence[Varied]) -> dict[str, list[Variant]]:
        """Item -> the variants of its words as they are now, those discarded left out."""
        now = {one.item.id: one.item.revision for one in found if one.item is not None}
        out: dict[str, list[Variant]] = {}
        for variant in variants.of_items(self._db, now):
            if variant.revision == now[variant.item] and variant.status != "discarded":
                out.setdefault(variant.item, []).append(variant)
        return out

    def _limits_for(self, languages: set[str]) -> dict[str, float | None]:
        for language in sorted(languages - self._limits.keys()):
            self._limits[language] = self._limit(language)
        return self._limits

    def _limit(self, language: str) -> float | None:
        """The cosine that random pairs of this wish's originals hardly reach; None where nothing tells it."""
        if self._model == NOT_MEASURED:
            return None
        step = max(1, len(self._ids) // SAMPLE)
        texts = sorted(
            {
                item.question
                for item in items.load_items(self._db, self._ids[::step][:SAMPLE])
                if item.language == language and item.question.strip()
            }
        )
        if len(texts) < FEWEST:
            return None
        try:
            reader = embedder(self._model)
        except BenchError:
            return None
        if explain_unusable(reader, language, texts) is not None:
            return None
        most = reader.max_tokens
        fitting = [text for text in texts if most is None or reader.count_tokens(text) <= most]
        return percentile_of_random_pairs(reader.encode(fitting), PERCENTILE) if len(fitting) >= FEWEST else None


def free(pieces: Sequence[VariantTask]) -> Iterator[list[VariantTask]]:
    """Those of kinds that ask nobody, so many at a time."""
    found = [piece for piece in pieces if not perturbations()[piece.kind].prompt]
    for place in range(0, len(found), AT_ONCE):
        yield found[place : place + AT_ONCE]


def stand_in(one: Varied) -> dict[str, Any] | None:
    """A piece of a preview, likeness in meaning left unmeasured; None for an item that is gone."""
    if one.item is None:
        return None
    row: dict[str, Any] = {
        "item": one.item.id,
        "question": one.item.question,
        "language": one.item.language,
        "kind": one.piece.kind,
        "text": None,
        "why": one.why,
        "checks": {},
    }
    if one.made is None:
        return row
    [measured] = guards([Guarded(one.item, one.piece.kind, one.made.text, one.made.checks)], NOT_MEASURED)
    return row | {"text": one.made.text, "checks": {**one.made.checks, **measured}}


def end_of(stopped: str | None, why: str) -> str:
    """How it was stopped, for the end of a sentence."""
    if stopped is None:
        return ""
    return f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})."
