"""Provide the nugget sets (facts of gold answers) that the metric nuggets needs while a run is scored, and build new sets from
an agent's draft."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from core.nouns import Run, Span
from core.text.numbered import Sentence
from eval.metric import ScoringCase
from eval.scoring.nuggets import DRAFT, WeighedNugget
from eval.scoring.scoring import ScoringJudge
from prompts.prompt import load
from store.engine.database import Database
from store.releases import releases
from store.runs import nugget_sets
from store.runs.nugget_sets import Nugget, NuggetSet
from workbench.evaluate.scoring.gold_sets import GoldSets

METRIC = "nuggets"


class GoldNuggets(GoldSets[NuggetSet]):
    """The nugget sets for the items of a run; a nugget is a fact that a good answer must or may contain. If the run's release
    contains a nugget set, it is used instead of a newer one."""

    metric = METRIC
    given, made = "nuggets", "nugget_set"
    table = nugget_sets.TABLE

    def encode_content(self, stored: NuggetSet) -> list[dict[str, Json]]:
        return [{"text": nugget.text, "importance": nugget.importance} for nugget in stored.nuggets]

    def build_set(self, case: ScoringCase, item: str, details: Mapping[str, Any], judge: ScoringJudge) -> NuggetSet:
        rows = details[self.made]
        drafted = [WeighedNugget(row["text"], row["importance"], tuple(row["evidence"])) for row in rows]
        nuggets = place_nuggets(drafted, case.gold_sentences())
        prompts = (load(DRAFT, case.language).identity,)
        return NuggetSet(item, case.answers[0], case.language, nuggets, judge.name, prompts, judge.is_offline)


def place_nuggets(drafted: Sequence[WeighedNugget], sentences: Sequence[Sentence]) -> tuple[Nugget, ...]:
    """Return drafted nuggets with the spans of the sentences that they cite by number; numbers of no sentence are left out."""
    return tuple(Nugget(nugget.text, nugget.importance, cite_sentences(nugget.sentences, sentences)) for nugget in drafted)


def cite_sentences(numbers: Collection[int], sentences: Sequence[Sentence]) -> tuple[Span, ...]:
    """Return the spans of the sentences with these numbers; the first sentence has the number 1."""
    return tuple(sentences[number - 1].span for number in sorted(set(numbers)) if 1 <= number <= len(sentences))


def load_frozen_sets(database: Database, run: Run, items: Collection[str]) -> dict[tuple[str, str], NuggetSet]:
    """Return a dict from (item, key of the gold answer) to the nugget set that the run's release contains. Raises BenchError if
    one of these sets is not in the workspace."""
    manifest = releases.get(database, run.release, run.release_hash).manifest
    rows = [row for row in manifest.get("nugget_sets", ()) if row["item"] in items]
    found = nugget_sets.load_frozen(database, rows)
    if missing := len(rows) - len(found):
        raise BenchError(f"{missing} nugget sets of the release {run.release} are not in this workspace: import it again.")
    return found
