"""Find accepted content that a release leaves out until a second person has reviewed it: rewritten questions that may reveal
the gold answer, and web questions that were accepted without a review in two phases. Also count the rewritten questions that
only their writers have read."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.nouns import Item, Review, Variant
from core.person_name import is_same_person
from core.quality.conversations import TASK, list_incomplete
from store.engine.database import Database
from store.items import items
from store.queue.effective_reviews import PHASES
from store.queue.queue import PHASED_TASKS
from store.reviews import reviews
from store.reviews.rewrites import HUMAN
from store.reviews.variant_reviews import EDIT_KEY
from store.variants import variants
from workbench.annotate.wordings.doubts import explain_told_answer

ANSWER_TOLD = "answer_told"
"""Key for variants that are left out because the rewrite may reveal the gold answer, in counts of variants."""
OUTSIDE_PHASES = "outside_two_phases"
"""Key for web questions that are left out because they were accepted without a review in two phases, in counts of items."""


INCOMPLETE_CONVERSATION = "incomplete_conversation"
"""Key for accepted turns that are left out because another turn of their conversation is, in counts of items."""


class HeldBack(NamedTuple):
    """What a release frozen now would leave out until a second person has reviewed it, and how many of its rewrites only their
    writers have read."""

    items: Sequence[Item]
    """Web questions that were accepted without a review in two phases."""
    rewrites: Mapping[str, int]
    """Dict from status to the number of rewrites that may reveal the gold answer."""
    turns: Sequence[Item]
    """Accepted turns of conversations of which another turn is not accepted."""
    read_by_one: int
    """Number of other accepted rewrites that only their writers have read."""


def find_held_back(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> HeldBack:
    """Return the items and rewrites of these tasks and domains (empty = all) that a release would leave out until a second
    person has reviewed them, and the number of rewrites that only their writers have read."""

    def is_chosen(item: Item) -> bool:
        return item.status == "accepted" and (not tasks or item.task in tasks) and (not domains or item.domain in domains)

    asked = [
        item for task in PHASED_TASKS for item in items.list_items(database, task=task, status="accepted") if is_chosen(item)
    ]
    outside = find_outside_phases(database, asked)
    talked = [item for item in items.list_items(database, task=TASK, status="accepted") if is_chosen(item)]
    incomplete = list_incomplete(talked)
    written = [variant for variant in variants.list_variants(database, HUMAN) if variant.status != "discarded"]
    members = items.load_items(database, dict.fromkeys(one.item for one in written))
    chosen = {item.id: item for item in members if is_chosen(item) and item.id not in outside | incomplete}
    written = [variant for variant in written if variant.item in chosen and chosen[variant.item].revision == variant.revision]
    alone = find_held_back_rewrites(database, written, chosen)
    free = [one for one in written if one.id not in alone and one.status == "accepted"]
    return HeldBack(
        [one for one in asked if one.id in outside],
        Counter(one.status for one in written if one.id in alone),
        [turn for turn in talked if turn.id in incomplete],
        count_read_by_one(database, free),
    )


def find_held_back_rewrites(database: Database, rewrites: Sequence[Variant], of: Mapping[str, Item]) -> frozenset[str]:
    """Return the ids of rewrites that may reveal the gold answer and that only their writer has accepted. `of` is a dict from
    item id to item."""
    revealing = [rewrite for rewrite in rewrites if rewrite.item in of and tells_answer(rewrite, of[rewrite.item])]
    if not revealing:
        return frozenset()
    return find_unconfirmed(revealing, reviews.load_effective(database, [rewrite.id for rewrite in revealing]))


def count_read_by_one(database: Database, members: Sequence[Variant]) -> int:
    """Return how many of these variants are rewrites that only their writer has accepted."""
    written = [variant for variant in members if variant.kind == HUMAN]
    return len(find_unconfirmed(written, reviews.load_effective(database, [one.id for one in written])))


def is_waiting(variant: Variant) -> bool:
    """Return whether the variant is a person's rewrite that waits for another person's acceptance. No release contains such a
    variant, even if the release contains other variants that nobody has reviewed."""
    return variant.status == "drafted" and is_doubted(variant)


def is_doubted(variant: Variant) -> bool:
    """Return whether the variant is a person's rewrite of a question that failed a check when it was stored."""
    return variant.kind == HUMAN and "near" in variant.checks


def tells_answer(variant: Variant, item: Item) -> bool:
    """Return whether the variant is a person's rewrite that contains a gold answer, or a hint at one, although the question
    does not."""
    return variant.kind == HUMAN and explain_told_answer(item, variant.text) is not None


def find_unconfirmed(rewrites: Iterable[Variant], made: Iterable[Review]) -> frozenset[str]:
    """Return the ids of the rewrites that only their writers have accepted according to the reviews `made`."""
    accepted = [(review.item, review.person) for review in made if review.decision == "accept"]
    return frozenset(
        variant.id
        for variant in rewrites
        if not any(id_ == variant.id and not is_same_person(person, get_writer(variant)) for id_, person in accepted)
    )


def get_writer(variant: Variant) -> str:
    """Return the name of the person who wrote or last edited the variant."""
    edited = variant.checks.get(EDIT_KEY)
    return str(edited.get("by", "")) if isinstance(edited, Mapping) else variant.generator


def find_outside_phases(database: Database, members: Sequence[Item]) -> frozenset[str]:
    """Return the ids of the web questions written in this workspace whose last decision was not made in a review with two
    phases."""
    written = [item.id for item in members if item.task in PHASED_TASKS and item.provenance.origin == "written"]
    if not written:
        return frozenset()
    last = {review.item: review for review in reviews.load_effective(database, written)}
    return frozenset(item for item, review in last.items() if PHASES not in review.details)
