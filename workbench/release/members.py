"""Select what a release contains (its items, their variants and documents) and what it leaves out, and store a release."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.as_json import Json
from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.nouns import Item, Release, Variant
from core.quality.conversations import list_incomplete
from store.corpus import documents
from store.engine.database import Database
from store.items import frames, items
from store.releases import releases
from store.releases.releases import ReleaseMembers
from store.reviews import label_questions
from store.variants import variants
from workbench.annotate.finding.difficulty import summarize_difficulty
from workbench.build.corpus.sources import copies_of, sources_of
from workbench.build.gating.gate_report import report_people
from workbench.release.frozen import frozen_tables
from workbench.release.held_back import (
    ANSWER_TOLD,
    INCOMPLETE_CONVERSATION,
    OUTSIDE_PHASES,
    find_held_back_rewrites,
    find_outside_phases,
    is_waiting,
)

UNFILLED_FRAME = "unfilled_frame"
"""Key for accepted items that are left out because their answer still has blanks, in counts of items."""


@dataclass(frozen=True, slots=True)
class LeftOutDocument:
    """A document of the corpus that a release does not contain."""

    id: str
    title: str
    domain: str
    language: str


def list_candidates(database: Database, tasks: Sequence[str] | None, domains: Sequence[str] | None) -> list[Item]:
    """Return the items of these tasks and domains with any status; None selects all tasks or all domains."""
    return [i for i in items.list_items(database) if (not tasks or i.task in tasks) and (not domains or i.domain in domains)]


def select_members(
    database: Database,
    candidates: Sequence[Item],
    unreviewed: bool,
    include_gold: bool = False,
    without_near_copies: bool = False,
) -> ReleaseMembers:
    """Select everything that a release of these items contains. Variants of an earlier text of their item are left out. The
    corpus contains the items' own documents and all other documents of the same domains and languages, so that systems can also
    retrieve wrong documents. Documents that contain answers are hidden from systems, even if another item uses them."""
    held = explain_held_back(database, candidates)
    answers = label_questions.load_effective_answers(database)
    accepted = [
        replace(item, labels={**item.labels, LABEL_ANSWERS: answers[item.id]}) if item.id in answers else item
        for item in candidates
        if item.status == "accepted" and item.id not in held
    ]
    wanted = {"accepted", "drafted"} if unreviewed else {"accepted"}
    chosen = {item.id: item for item in accepted}
    kept = [
        v
        for v in variants.list_variants(database)
        if v.item in chosen and chosen[v.item].revision == v.revision and v.status in wanted and not is_waiting(v)
    ]
    alone = find_held_back_rewrites(database, kept, chosen)
    kept = [v for v in kept if v.id not in alone]
    kinds = {(item.domain, item.language) for item in accepted}
    sources = sources_of(accepted)
    own = {id_ for item in accepted for id_ in (*item.given, *(span.document for span in item.evidence))} | sources
    corpus = [d for d in documents.load_documents(database) if d.id in own or (d.domain, d.language) in kinds]
    corpus += documents.load_documents(database, sorted(own - {d.id for d in corpus}))  # items may cite removed documents
    there = sources & {document.id for document in corpus}
    if without_near_copies:
        there |= copies_of({d.id: d.text for d in corpus if d.id in there}, [d for d in corpus if d.id not in own])
    left_out = frozenset() if include_gold else frozenset(there)
    return ReleaseMembers(accepted, kept, corpus, left_out, frozen_tables.list_frozen_tables(database, accepted))


def explain_held_back(database: Database, candidates: Sequence[Item]) -> dict[str, str]:
    """Return a dict from the id of each accepted item that a release leaves out to the reason why."""
    outside = find_outside_phases(database, [item for item in candidates if item.status == "accepted"])
    held = {item.id: UNFILLED_FRAME for item in frames.list_unfilled(database)} | dict.fromkeys(outside, OUTSIDE_PHASES)
    left = [item for item in candidates if item.status == "accepted" and item.id not in held]
    return dict.fromkeys(list_incomplete(left), INCOMPLETE_CONVERSATION) | held


def list_left_out_documents(database: Database, content: ReleaseMembers) -> list[LeftOutDocument]:
    """Return the documents that the release leaves out because none of its items has their domain and language."""
    there = {document.id for document in content.documents}
    return [
        LeftOutDocument(document.id, document.title, document.domain, document.language)
        for document in documents.list_documents(database)
        if document.id not in there
    ]


def save_frozen(
    database: Database, release: Release, members: Sequence[Item], variants: Sequence[Variant], secret: str | None = None
) -> None:
    """Store the release, with what people and systems had said of its items when it was frozen. Raises BenchError if a release
    with other content has the name. `secret` is the salt for the hashes of withheld gold answers; None = a new one."""
    releases.save(
        database,
        release,
        variants,
        secret=secret,
        people=report_people(database, members),
        difficulty=summarize_difficulty(database, members),
        answers=collect_answers(members),
    )


def collect_answers(members: Sequence[Item]) -> dict[str, Mapping[str, Json]]:
    """Return a dict from item id to the item's answers to label questions (which reviewers answer about items). Items without
    answers are left out."""
    return {item.id: answers for item in members if (answers := read_label_answers(item.labels))}


def count_left_out_variants(database: Database, content: ReleaseMembers) -> dict[str, int]:
    """Return a dict from reason to the number of the items' variants that the release leaves out. Reasons are drafted,
    discarded, "moved_on" (the item's text has changed since), and "answer_told" (the rewrite may reveal the gold answer and
    waits for a second person)."""
    chosen = {item.id: item for item in content.items}
    revision = {item.id: item.revision for item in content.items}
    there = {variant.id for variant in content.variants}
    out = [v for v in variants.load_variants_of(database, revision) if v.id not in there]
    unmoved = [v for v in out if v.status != "discarded" and v.revision == revision[v.item]]
    held_back = find_held_back_rewrites(database, unmoved, chosen)
    out = [v for v in out if v.id not in held_back]
    moved = sum(v.revision != revision[v.item] and v.status != "discarded" for v in out)
    counted = Counter(v.status for v in out if v.revision == revision[v.item] or v.status == "discarded")
    return (
        dict(sorted(counted.items()))
        | ({"moved_on": moved} if moved else {})
        | ({ANSWER_TOLD: len(held_back)} if held_back else {})
    )
