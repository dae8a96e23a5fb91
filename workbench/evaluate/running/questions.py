"""Build the questions of a run: the items and variants in the form in which a system gets them. A run asks all questions of its
release, or a sample with questions of every level, domain and language."""

import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from builders.task import tasks
from core.catalog import pick
from core.ids import Shard
from core.nouns import Item, Variant
from eval.system import Question
from prompts.prompt import load
from store.formats._shard import find_kind
from store.releases.releases import ReleaseMembers
from store.runs.run_inputs import ReleasePlace
from store.runs.runs import QuestionKey

T = TypeVar("T", Item, ReleasePlace)


def build_question(item: Item, variant: Variant | None = None, query: str = "") -> Question:
    """Build the question that a system gets for an item or a variant. The item's task determines the prompt and which other
    texts come with the question.

    `query` names one of the task's queries for retrieval; "" or an unknown name stands for the default query."""
    task = pick(tasks(), item.task, "task")
    worded = replace(item, question=variant.text) if variant else item
    return Question(
        item=item.id,
        text=worded.question,
        query=task.queries.get(query, task.query)(worded),
        language=item.language,
        task=item.task,
        prompt=load(task.answer_prompt, item.language),
        max_tokens=task.length_hint,
        level=item.level,
        domain=item.domain,
        labels=item.labels,
        variant=variant.id if variant else None,
        kind=variant.kind if variant else None,
        inputs=item.inputs,
        given=item.given,
        answers=task.reference(item),
        evidence=item.evidence,
        sources=task.excluded_documents(item),
        overlap=item.overlap,
        fills=task.fill(worded),
        now=str(item.labels.get("query_time") or ""),
        closed_prompt=load("answer/closed_book", item.language),
    )


class PlacedQuestion(NamedTuple):
    """A question of a run (an item or one of its variants) whose text for the system is not built yet."""

    item: Item
    variant: Variant | None

    @property
    def key(self) -> QuestionKey:
        return self.item.id, self.variant.id if self.variant else None


def place_questions(content: ReleaseMembers, with_variants: bool, sample: int | None, seed: int) -> list[PlacedQuestion]:
    """Return the items and variants that a run asks, in the order of the release. A sample has items of every combination of
    level, domain and language."""
    items = content.items if sample is None else draw_stratified(content.items, sample, seed)
    variants: dict[str, list[Variant]] = defaultdict(list)
    for variant in content.variants if with_variants else ():
        variants[variant.item].append(variant)
    return [PlacedQuestion(item, variant) for item in items for variant in (None, *variants[item.id])]


def list_questions(content: ReleaseMembers, with_variants: bool, sample: int | None, seed: int) -> list[Question]:
    """Return the questions of a run with their texts, in the order of `place_questions`."""
    placed = place_questions(content, with_variants, sample, seed)
    return [build_question(item, variant) for item, variant in placed]


def list_shard_questions(placed: Sequence[PlacedQuestion], shard: Shard, query: str = "") -> list[Question]:
    """Return the questions of one shard of a run. Also return one question of each kind that the shard lacks, so that all
    prompts, languages and inputs of the whole run are known."""
    seen: set[Hashable] = set()
    chosen = []
    for item, variant in placed:
        if not item.question:  # an item of another shard, of which only a few fields are known
            continue
        kind = find_kind(item.task, item.language, item.given, item.labels)
        if kind not in seen or shard.has_item(item.id):
            chosen.append(build_question(item, variant, query))
        seen.add(kind)
    return chosen


def draw_stratified(items: Sequence[T], size: int, seed: int) -> list[T]:
    """Draw `size` items at random, as evenly as possible from all combinations of level, domain and language. The same seed
    draws the same items."""
    chance = random.Random(seed)
    strata: dict[str, list[T]] = defaultdict(list)
    for item in items:
        strata[f"{item.level}|{item.domain}|{item.language}"].append(item)
    queues = [strata[key] for key in sorted(strata)]
    for queue in queues:
        chance.shuffle(queue)
    chance.shuffle(queues)
    turns = [queue[turn] for turn in range(max(map(len, queues), default=0)) for queue in queues if turn < len(queue)]
    chosen = {item.id for item in turns[:size]}
    return [item for item in items if item.id in chosen]
