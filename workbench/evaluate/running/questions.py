"""The questions of a run: items and variants as a system meets them, all of a release or a sample spread over its strata."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from builders.task import tasks
from core.catalog import pick
from core.nouns import Item, Level, Variant
from eval.system import Question
from prompts.prompt import load
from store.releases.releases import ReleaseMembers


class InStratum(Protocol):
    """What a sample looks at: an item, or as much of one."""

    @property
    def id(self) -> str: ...

    @property
    def level(self) -> Level: ...

    @property
    def domain(self) -> str: ...

    @property
    def language(self) -> str: ...


T = TypeVar("T", bound=InStratum)


def question(item: Item, variant: Variant | None = None, query: str = "") -> Question:
    """An item, or a variant of it, as a system meets it; all words come from its task, of whose retrieval queries `query` names
    one: "" or one that it does not have is its usual one."""
    task = pick(tasks(), item.task, "task")
    met = replace(item, question=variant.text) if variant else item
    return Question(
        item=item.id,
        text=variant.text if variant else item.question,
        query=task.queries.get(query, task.query)(met),
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
        overlap=item.overlap,
        fills=task.fill(met),
        now=str(item.labels.get("query_time") or ""),
        closed_prompt=load("answer/closed_book", item.language),
    )


def questions(content: ReleaseMembers, with_variants: bool, sample: int | None, seed: int, query: str = "") -> list[Question]:
    """The questions of a run, in the release's order; a sample keeps the strata level x domain x language."""
    chosen = content.items if sample is None else stratified(content.items, sample, seed)
    by_item: dict[str, list[Variant]] = defaultdict(list)
    for variant in content.variants if with_variants else ():
        by_item[variant.item].append(variant)
    return [q for item in chosen for q in (question(item, None, query), *(question(item, v, query) for v in by_item[item.id]))]


def stratified(items: Sequence[T], size: int, seed: int) -> list[T]:
    """`size` items, spread over level x domain x language as evenly as there are; the same for the same seed."""
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
