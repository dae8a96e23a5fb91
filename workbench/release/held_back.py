"""Finds accepted items that are not yet released, because a second person has to review them: rewrites that contain their gold
answer, and web questions that were accepted outside of their two phases."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.nouns import Item, Review, Variant
from core.person_name import is_same_person
from core.text.answer_leaks import find_leaked_answer
from store.engine.database import Database
from store.items import items
from store.queue.effective_reviews import PHASES
from store.queue.queue import PHASED_TASKS
from store.reviews import reviews
from store.reviews.rewrites import HUMAN
from store.reviews.variant_reviews import EDIT_KEY
from store.variants import variants

ANSWER_TOLD = "answer_told"
"""Reason for holding back a rewrite, in the counts of omitted items."""
OUTSIDE_PHASES = "outside_two_phases"
"""Reason for holding back a web question, in the counts of omitted items."""


class HeldBack(NamedTuple):
    """The items and rewrites that a freeze would hold back now."""

    items: Sequence[Item]
    """Web questions that were accepted without the two phases."""
    rewrites: Mapping[str, int]
    """Number of rewrites with the gold answer, by status."""


def find_held_back(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> HeldBack:
    """Find the accepted items of those tasks and domains (none given = all) that a freeze must hold back."""

    def is_chosen(item: Item) -> bool:
        return item.status == "accepted" and (not tasks or item.task in tasks) and (not domains or item.domain in domains)

    asked = [
        item for task in PHASED_TASKS for item in items.list_items(database, task=task, status="accepted") if is_chosen(item)
    ]
    outside = find_outside_phases(database, asked)
    written = [variant for variant in variants.list_variants(database, HUMAN) if variant.status != "discarded"]
    members = items.load_items(database, dict.fromkeys(one.item for one in written))
    chosen = {item.id: item for item in members if is_chosen(item) and item.id not in outside}
    written = [variant for variant in written if variant.item in chosen and chosen[variant.item].revision == variant.revision]
    alone = find_held_back_rewrites(database, written, chosen)
    return HeldBack([one for one in asked if one.id in outside], Counter(one.status for one in written if one.id in alone))


def find_held_back_rewrites(database: Database, rewrites: Sequence[Variant], of: Mapping[str, Item]) -> frozenset[str]:
    """Return the ids of those people's rewrites that contain the gold answer and that only the writer accepted; `of` = the
    items by id."""
    revealing = [rewrite for rewrite in rewrites if rewrite.item in of and tells_answer(rewrite, of[rewrite.item])]
    if not revealing:
        return frozenset()
    return find_unconfirmed(revealing, reviews.load_effective(database, [rewrite.id for rewrite in revealing]))


def tells_answer(variant: Variant, item: Item) -> bool:
    """Return whether the variant is a person's rewrite that contains a gold answer which the question does not contain."""
    return variant.kind == HUMAN and find_leaked_answer(item.question, variant.text, item.answers) is not None


def find_unconfirmed(rewrites: Iterable[Variant], made: Iterable[Review]) -> frozenset[str]:
    """Return the ids of those variants that only their writer, or nobody, accepted in these reviews."""
    accepted = [(review.item, review.person) for review in made if review.decision == "accept"]
    return frozenset(
        variant.id
        for variant in rewrites
        if not any(id_ == variant.id and not is_same_person(person, get_writer(variant)) for id_, person in accepted)
    )


def get_writer(variant: Variant) -> str:
    """Return the writer of the variant."""
    edited = variant.checks.get(EDIT_KEY)
    return str(edited.get("by", "")) if isinstance(edited, Mapping) else variant.generator


def find_outside_phases(database: Database, members: Sequence[Item]) -> frozenset[str]:
    """Return the ids of those web questions written here whose last decision was not made in their two phases."""
    written = [item.id for item in members if item.task in PHASED_TASKS and item.provenance.origin == "written"]
    if not written:
        return frozenset()
    last = {review.item: review for review in reviews.load_effective(database, written)}
    return frozenset(item for item, review in last.items() if PHASES not in review.details)
