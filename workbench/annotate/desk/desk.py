"""What the desk shows of one item: a few rows by its id, as plain JSON. Nothing here costs more in a larger workspace."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.kind import needs_no_model
from builders.templates.template_answers import calls_in_words
from core.draft_steps import KINDS as STEPS_OF_A_GROUP
from core.draft_steps import describe_step as step_words
from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.nouns import Item, Review, Verdict
from core.text.markdown import as_html
from store.corpus import originals
from store.corpus.headings import load_headings
from store.engine.database import Database
from store.format import Revision
from store.items.state_row import StateRow
from store.reviews import one_item, opinions, undo
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk.asked_lines import asked_lines
from workbench.annotate.desk.claims import claims, places
from workbench.annotate.desk.guidelines import beside
from workbench.annotate.desk.history import open_to
from workbench.annotate.desk.opinions import words_of
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.reasons import reasons
from workbench.annotate.desk.taxonomy import taxonomy
from workbench.annotate.desk.written import written

RAG = ("recall", "precision", "f1", "judge", "multi_choice", "answer")


class Facts(NamedTuple):
    """What is known of the item."""

    item: Item
    """As it is now."""
    machine: Item
    """Its first revision."""
    history: Sequence[Revision]
    verdicts: Sequence[Verdict]
    decisions: Sequence[Review]
    """Those that stand."""
    undo: Mapping[str, str] | None
    """What an undo of this person's would take back."""
    left: Mapping[str, UnsentEdit]
    """What this person typed on it and did not submit, by what it is on."""
    row: StateRow | None
    """None = it is a plant, which has none."""


def desk(database: Database, reading: DocumentCache, id_: str, person: str, left: Mapping[str, UnsentEdit]) -> dict[str, Any]:
    """The item with all that a reader of it needs, and what they left on it. Raises BenchError when there is no such item."""
    item, row = reading.load_current(id_)
    history = open_to(reading.lineage(id_, item.revision), person, item.status)
    machine = reading.words(id_, history[0].revision).item
    decisions = one_item.load_decisions(database, id_) if row.is_touched else []
    facts = Facts(
        item, machine, history, one_item.load_verdicts(database, id_), decisions, undoable(database, reading, person), left, row
    )
    return laid_out(database, reading, facts, person)


def laid_out(database: Database, reading: DocumentCache, facts: Facts, person: str) -> dict[str, Any]:
    """The facts as the desk takes them."""
    item, verdicts, decisions = facts.item, facts.verdicts, facts.decisions
    shelf = titles(database, reading.documents_of(item))
    return {
        "person": person,
        "item": shown(item),
        "machine": first_words(facts.machine),
        "guideline": guideline(database, item, decisions),
        "documents": shelf,
        "verdicts": latest(verdicts),
        "rag": rag(item, verdicts),
        "steps": [*source(item, shelf), *(step for one in item.steps if (step := told(one, item.given))), *chain(item)],
        "claims": [{"claim": claim.text, "evidence": places(claim.evidence)} for claim in claims(item)],
        "rewrites": written(database, item, person),
        "scratch": unsubmitted(facts.left.get("")),
        "history": [{"revision": r.revision, "by": r.by, "at": r.at} for r in facts.history],
        "decision": own_decision(database, facts, person),
        "reasons": reasons(database, item),
        "is_disputed": facts.row is not None and facts.row.is_disputed,
        "position": {"left": None, "has_back": False, "undo": facts.undo},
        "show_next": True,
    }


def shown(item: Item) -> dict[str, Any]:
    """The item as the desk knows it."""
    from builders.task import tasks

    task = tasks().get(item.task)
    return {
        "id": item.id,
        "revision": item.revision,
        "status": item.status,
        "task": item.task,
        "task_label": task.label["en"] if task else item.task.replace("_", " "),
        "level": item.level,
        "definition": (task.definition.get(item.language) or task.definition["en"]) if task else "",
        "domain": item.domain,
        "language": item.language,
        "question": item.question,
        "answers": list(item.answers),
        "evidence": places(item.evidence),
        "is_frame": bool(item.labels.get("frame")),
        "labels": {name: value for name, value in item.labels.items() if name != "crag"},
        "taxonomy": taxonomy(item),
    }


def first_words(machine: Item) -> dict[str, Any]:
    """The first revision, and where it came from."""
    return {
        "question": machine.question,
        "answers": list(machine.answers),
        "evidence": places(machine.evidence),
        "agent": machine.provenance.agent,
        "prompt": machine.provenance.prompt,
        "origin": machine.provenance.origin,
    }


def titles(database: Database, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The item's documents without their texts, in order; one that is missing is left out."""
    paged = originals.filter_stored(database, ids)
    return [
        {"id": one.id, "title": one.title, "characters": one.characters, "has_pages": one.id in paged}
        for one in load_headings(database, ids)
    ]


def guideline(database: Database, item: Item, made: Sequence[Review]) -> dict[str, Any] | None:
    """What annotators are told beside it; `is_newer` than the decision that the item stands by. None when there is nothing."""
    found = beside(database, item.task)
    if found is None:
        return None
    own = [review for review in made if review.revision == item.revision]
    is_newer = item.status in ("accepted", "discarded") and bool(own) and own[-1].details.get("guideline", 0) < found["version"]
    return {**found, "html": as_html(found["text"]), "is_newer": is_newer}


def latest(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """What each gate found last, the RAG check aside, and what it asked; `revision` tells on which words."""
    newest = {v.gate: v for v in sorted(verdicts, key=lambda v: v.revision) if v.gate != "rag_check"}
    return [
        {"gate": v.gate, "outcome": v.outcome, "why": v.why, "revision": v.revision, "asked": asked_lines(v.details)}
        for v in newest.values()
    ]


def rag(item: Item, verdicts: Sequence[Verdict]) -> dict[str, Any] | None:
    """The RAG check's figures; stale when they are of other words."""
    checks = sorted((v for v in verdicts if v.gate == "rag_check"), key=lambda v: v.revision)
    if not checks:
        return None
    details: Mapping[str, Any] = checks[-1].details
    agent = str(details.get("agent") or "")
    return {name: details.get(name) for name in RAG} | {
        "stale": checks[-1].revision != item.revision,
        "offline": needs_no_model(agent),
        "agent": agent,
    }


def told(step: Mapping[str, Any], given: Sequence[str] = ()) -> dict[str, Any] | None:
    """A step of the drafting in words; None for one that says nothing to a reader, or is shown elsewhere."""
    kind = str(step.get("kind", ""))
    if kind == "source_item":
        return {"kind": kind, "text": f"{step.get('question', '')} {step.get('answer', '')}".strip()}
    if kind == "regeneration":
        return {"kind": kind, "text": f"{step.get('reason', '')} {step.get('previous', '')}".strip()}
    if kind in ("passages", "chosen"):
        many = len(step.get("spans") or ())
        return {"kind": kind, "text": f"{many} {'passage' if many == 1 else 'passages'}"}
    if kind == "search":
        return searched(step)
    if kind == "halves":
        cut = f"{step.get('first')} sentences are the beginning, {step.get('second')} the continuation."
        return {"kind": kind, "text": cut}
    if kind == "edit":
        return {"kind": kind, "text": f"{step.get('class', '')}: {step.get('was', '')} → {step.get('is', '')}"}
    if kind in STEPS_OF_A_GROUP:
        return {"kind": kind, "text": step_words(step, given)}
    if kind == "thoughts":
        return {"kind": kind, "text": str(step.get("text", ""))}
    if kind == "repaired":
        return {"kind": kind, "text": "The evidence was moved to the sentence that holds the answer."}
    return None


def chain(item: Item) -> list[dict[str, Any]]:
    """The calls over tables that lead to the answer of a template question, and how it was reckoned; none for other items."""
    if not any(step.get("kind") == "template" for step in item.steps):
        return []
    *calls, last = calls_in_words(item.steps)
    return [*({"kind": "call", "text": line} for line in calls), {"kind": "reckoned", "text": last}]


def searched(step: Mapping[str, Any]) -> dict[str, Any]:
    """A search with its hits in the provider's order, those that were dropped too."""
    hits = [
        {
            "is_kept": bool(hit.get("kept")),
            "score": hit.get("score"),
            "title": hit.get("title") or hit.get("document"),
            "why": hit.get("why", ""),
        }
        for hit in step.get("hits") or ()
    ]
    kept = sum(hit["is_kept"] for hit in hits)
    found = f"{step.get('provider')}: {kept} kept, {len(hits) - kept} dropped"
    return {"kind": "search", "text": step.get("query", ""), "found": found, "hits": hits}


def source(item: Item, documents: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The document that the answer was taken from and that systems do not get to see, as a step; none for most tasks."""
    left_out = item.labels.get("source")
    told_of = [f"{n}. {one['title']}" for n, one in enumerate(documents, 1) if one["id"] == left_out]
    return [{"kind": "source", "text": f"{told_of[0]} (kept from systems)"}] if told_of else []


def unsubmitted(found: UnsentEdit | None) -> dict[str, Any] | None:
    """What was typed on question and answer, as the desk knows it."""
    if found is None:
        return None
    return {
        "revision": found.revision,
        "question": found.question,
        "answer": found.answer,
        "evidence": places(found.evidence),
        "seconds": found.seconds,
        "saved_at": found.at,
        LABEL_ANSWERS: dict(found.label_answers),
    }


def own_decision(database: Database, facts: Facts, person: str) -> dict[str, Any] | None:
    """This person's decision on these words, or opinion of them with its own words, when it stands; what others decided is not
    told."""
    item, row = facts.item, facts.row
    opinion = opinions.load_own_opinion(database.rows, item.id, person) if row is not None and row.given else None
    own = [r for r in facts.decisions if r.person == person and r.revision == item.revision and r.role != "settled"]
    if opinion is None and not own:
        return None
    last = own[-1] if opinion is None else opinion.review
    told: dict[str, Any] = {
        "decision": last.decision,
        "reason": last.reason,
        "comment": last.comment,
        "at": last.at,
        LABEL_ANSWERS: read_label_answers(last.details),
    }
    if opinion is None or row is None:
        return told
    return told | {"words": words_of(opinion), "missing": row.missing_opinions}


def undoable(database: Database, reading: DocumentCache, person: str) -> dict[str, str] | None:
    """What an undo of this person's would take back."""
    found = undo.load_last_decision(database, person) if person else None
    if found is None:
        return None
    return {"item": found.item, "question": reading.words(found.item, found.current).item.question}
