"""What is accepted and still goes into no release, because a second person has yet to look at it: rewrites that hold their gold
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
"""Why a rewrite is held back, among the counts of what is left out."""
OUTSIDE_PHASES = "outside_two_phases"
"""Why a web question is."""


class HeldBack(NamedTuple):
    """What a freeze of now would hold back."""

    items: Sequence[Item]
    """Web questions that were accepted outside of their two phases."""
    rewrites: Mapping[str, int]
    """Status of the rewrites that hold the gold answer -> how many."""


def find_held_back(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> HeldBack:
    """Of the accepted items of those tasks and domains (none = all)."""

    def is_chosen(item: Item) -> bool:
        return item.status == "accepted" and (not tasks or item.task in tasks) and (not domains or item.domain in domains)

    asked = [one for task in PHASED_TASKS for one in items.list_items(database, task=task, status="accepted") if is_chosen(one)]
    outside = find_outside_phases(database, asked)
    written = [one for one in variants.list_variants(database, HUMAN) if one.status != "discarded"]
    found = items.load_items(database, dict.fromkeys(one.item for one in written))
    chosen = {one.id: one for one in found if is_chosen(one) and one.id not in outside}
    written = [one for one in written if one.item in chosen and chosen[one.item].revision == one.revision]
    alone = find_held_back_rewrites(database, written, chosen)
    return HeldBack([one for one in asked if one.id in outside], Counter(one.status for one in written if one.id in alone))


def find_held_back_rewrites(database: Database, found: Sequence[Variant], of: Mapping[str, Item]) -> frozenset[str]:
    """The ids of those people's rewrites that hold the gold answer and that nobody but the writer accepted; `of` = the items
    by id."""
    telling = [one for one in found if one.item in of and tells_answer(one, of[one.item])]
    if not telling:
        return frozenset()
    return find_unconfirmed(telling, reviews.load_effective(database, [one.id for one in telling]))


def tells_answer(variant: Variant, item: Item) -> bool:
    """Whether that is a person's rewrite and holds a gold answer that the question does not."""
    return variant.kind == HUMAN and find_leaked_answer(item.question, variant.text, item.answers) is not None


def find_unconfirmed(found: Iterable[Variant], made: Iterable[Review]) -> frozenset[str]:
    """The ids of those variants that none of these reviews accepts in another name than the writer's."""
    accepted = [(one.item, one.person) for one in made if one.decision == "accept"]
    return frozenset(
        one.id
        for one in found
        if not any(id_ == one.id and not is_same_person(person, get_writer(one)) for id_, person in accepted)
    )


def get_writer(variant: Variant) -> str:
    """Who wrote its words."""
    edited = variant.checks.get(EDIT_KEY)
    return str(edited.get("by", "")) if isinstance(edited, Mapping) else variant.generator


def find_outside_phases(database: Database, found: Sequence[Item]) -> frozenset[str]:
    """The ids of those web questions written here that decisions stand on, the last of them not that of their two phases."""
    written = [one.id for one in found if one.task in PHASED_TASKS and one.provenance.origin == "written"]
    if not written:
        return frozenset()
    last = {one.item: one for one in reviews.load_effective(database, written)}
    return frozenset(item for item, one in last.items() if PHASES not in one.details)
