"""Collect the data that the review page (the desk) shows for one item. Only a few rows of the database are read, by the item's
id, so that a large workspace is as fast as a small one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from agents.kind import needs_no_model
from core.nouns import Item, Review, Verdict
from core.person_name import fold_name
from core.text.markdown import as_html
from store.corpus import originals
from store.corpus.headings import load_headings
from store.engine import settings
from store.engine.database import Database
from store.format import Revision
from store.queue.state_row import StateRow
from store.reviews import one_item, opinions, undo
from store.reviews.rewrites import HUMAN
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants
from workbench.annotate.desk.build_steps import describe_gate_calls, list_steps
from workbench.annotate.desk.claims import list_claims
from workbench.annotate.desk.desk_data import (
    DeskData,
    DeskDocument,
    DeskGuideline,
    DeskPosition,
    FirstDraft,
    GateFinding,
    OpinionWords,
    OwnDecision,
    RagFigures,
    RevisionLine,
    UndoTarget,
    UnsentWords,
    WrittenRewrite,
    describe_item,
)
from workbench.annotate.desk.guidelines import find_guideline
from workbench.annotate.desk.history import is_decided, select_visible_revisions
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.reasons import reasons

RAG_FIGURES = ("recall", "precision", "f1", "judge", "multi_choice", "answer")
REWRITES_SETTING = "rewrites_wanted"
DEFAULT_REWRITERS = 2


class Facts(NamedTuple):
    """The stored data about an item from which the data for the review page are built."""

    item: Item
    """The item in its current revision."""
    machine: Item
    """The first revision of the item, which contains the text as drafted."""
    history: Sequence[Revision]
    verdicts: Sequence[Verdict]
    decisions: Sequence[Review]
    """The decisions on the item that are in effect."""
    undo: UndoTarget | None
    unsent: Mapping[str, UnsentEdit]
    """Dict from kind of edit to this person's unsent edits of the item."""
    row: StateRow | None
    """The item's row in the table of states, or None if it is a control item."""


def load_desk(database: Database, reading: DocumentCache, id_: str, person: str, unsent: Mapping[str, UnsentEdit]) -> DeskData:
    """Load the data that the review page shows for the item. Raises BenchError if the item does not exist."""
    item, row = reading.load_current(id_)
    history = select_visible_revisions(reading.lineage(id_, item.revision), person, item.status)
    machine = reading.words(id_, history[0].revision).item
    decisions = one_item.load_decisions(database, id_) if row.is_touched else []
    last = undo.load_last_decision(database, person) if person else None
    target = UndoTarget(last.item, reading.words(last.item, last.current).item.question) if last else None
    verdicts = one_item.load_verdicts(database, id_, [one.item for one in reading.list_ahead(row)])
    facts = Facts(item, machine, history, verdicts, decisions, target, unsent, row)
    return lay_out(database, reading, facts, person)


def lay_out(database: Database, reading: DocumentCache, facts: Facts, person: str) -> DeskData:
    """Return the data that the review page shows, built from the stored facts about an item."""
    item, first = facts.item, facts.machine
    documents = list_documents(database, reading.documents_of(item))
    return DeskData(
        person=person,
        item=describe_item(item),
        machine=FirstDraft(
            first.question,
            first.answers,
            first.evidence,
            first.provenance.agent,
            first.provenance.prompt,
            first.provenance.origin,
        ),
        guideline=_load_guideline(database, item, facts.decisions),
        documents=documents,
        verdicts=_select_last_verdicts(facts.verdicts),
        rag=_load_rag_figures(item, facts.verdicts),
        steps=list_steps(item, documents),
        claims=list_claims(item),
        rewrites=_list_rewrites(database, item, person),
        scratch=UnsentWords.from_edits(facts.unsent.get("")),
        history=[RevisionLine(made.revision, made.by, made.at) for made in facts.history],
        decision=_load_own_decision(database, facts, person),
        reasons=reasons(database, item),
        is_disputed=facts.row is not None and facts.row.is_disputed,
        position=DeskPosition(undo=facts.undo),
    )


def list_documents(database: Database, ids: Sequence[str]) -> list[DeskDocument]:
    """List the documents with these ids, without their texts, in the given order; missing documents are left out."""
    paged = originals.filter_stored(database, ids)
    return [DeskDocument(one.id, one.title, one.characters, one.id in paged) for one in load_headings(database, ids)]


def count_wanted_rewriters(database: Database) -> int:
    """Return by how many people each question should be rewritten."""
    return int(settings.get(database, REWRITES_SETTING, DEFAULT_REWRITERS))


def _list_rewrites(database: Database, item: Item, person: str) -> list[WrittenRewrite]:
    """List people's rewrites of the item's question that nobody has discarded, oldest first.

    Rewrites of the current question are hidden from a person who must still write one."""
    written = [v for v in variants.load_variants_of(database, [item.id]) if v.kind == HUMAN and v.status != "discarded"]
    writers = {fold_name(variant.generator) for variant in written if variant.revision == item.revision}
    is_open = fold_name(person) in writers or len(writers) >= count_wanted_rewriters(database)
    return [
        WrittenRewrite(variant.text, variant.generator, variant.revision, variant.status)
        for variant in written
        if is_open or variant.revision != item.revision
    ]


def _load_guideline(database: Database, item: Item, decisions: Sequence[Review]) -> DeskGuideline | None:
    """Return the guideline for the item's task, or None if there is none."""
    current = find_guideline(database, item.task)
    if current is None:
        return None
    own = [review for review in decisions if review.revision == item.revision]
    is_newer = is_decided(item.status) and bool(own) and current.is_newer_than(own[-1])
    return DeskGuideline(current.version, current.text, as_html(current.text), is_newer)


def _select_last_verdicts(verdicts: Sequence[Verdict]) -> list[GateFinding]:
    """Return the last verdict of each gate (automatic check). The RAG check is left out, because it is shown separately."""
    last = {v.gate: v for v in sorted(verdicts, key=lambda v: v.revision) if v.gate != "rag_check"}
    return [GateFinding(v.gate, v.outcome, v.why, v.revision, describe_gate_calls(v.details)) for v in last.values()]


def _load_rag_figures(item: Item, verdicts: Sequence[Verdict]) -> RagFigures | None:
    """Return the results of the item's last RAG check, or None if there was none."""
    checks = sorted((v for v in verdicts if v.gate == "rag_check"), key=lambda v: v.revision)
    if not checks:
        return None
    details = checks[-1].details
    agent = str(details.get("agent") or "")
    figures = {name: details.get(name) for name in RAG_FIGURES}
    return RagFigures(**figures, stale=checks[-1].revision != item.revision, offline=needs_no_model(agent), agent=agent)


def _load_own_decision(database: Database, facts: Facts, person: str) -> OwnDecision | None:
    """Return this person's decision or opinion on the current text, or None if the person gave none. An opinion comes with its
    text."""
    item, row = facts.item, facts.row
    if row is not None and row.given and (opinion := opinions.load_own_opinion(database, item.id, person)):
        return replace(
            OwnDecision.from_review(opinion.review), words=OpinionWords.from_item(opinion.item), missing=row.missing_opinions
        )
    own = [r for r in facts.decisions if r.person == person and r.revision == item.revision and r.role != "settled"]
    return OwnDecision.from_review(own[-1]) if own else None
