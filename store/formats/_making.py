"""Render the sections of the dataset card on how items and variants were made, reviewed and labelled."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from agents.kind import needs_no_model
from core.label_questions import KIND_LABELS, read_label_answers
from core.nouns import Item, Review
from core.text.language import language_name
from store.format import Bundle
from store.formats._markdown import count_noun, list_counts, render_table
from store.items.language_pairs import list_frozen
from store.queue.assistance import ASSISTANCE, NONE, REVEAL
from store.queue.effective_reviews import BULK

SOURCES = ("by one person", "by several who agreed", "by somebody between several who did not")


def render_making(bundle: Bundle) -> str:
    """Return the text that says where the items come from, how many were edited and reviewed, and who decided on them."""
    items = bundle.items
    offline = sum(map(is_offline, items))
    edited = sum(item.revision > 1 for item in items)
    reviews = {review.item for review in bundle.reviews}
    people = {review.person for review in bundle.reviews}
    reviewed = sum(item.id in reviews for item in items)
    lines = [
        f"- Origin: {list_counts(item.provenance.origin for item in items)}.",
        f"- Agents: {list_counts(item.provenance.agent or 'none' for item in items)}.",
        f"- Prompts: {list_counts(item.provenance.prompt or 'none' for item in items)}.",
        f"- Offline items: {offline} of {len(items)} were drafted by the offline agent (no LLM; lifted from the text).",
        f"- Edited: {edited} of {len(items)} items ({edited / max(len(items), 1):.0%}) were changed after they were drafted.",
        f"- Reviewed{'' if reviewed == len(items) else ', as far as it is on record here'}: {reviewed} of {len(items)} items, "
        f"by {count_noun(len(bundle.reviews), 'review')} "
        f"of {len(people)} {'person' if len(people) == 1 else 'people'}.",
    ]
    if sources := Counter(_name_source(review) for review in _find_deciding_reviews(bundle).values()):
        counts = ", ".join(f"{sources[source]} {source}" for source in SOURCES if sources[source])
        lines.append(f"- Decided: {counts}.")
    in_bulk = {r.item for r in bundle.reviews if r.decision == "accept" and BULK in r.details}
    in_bulk -= {r.item for r in bundle.reviews if r.decision == "accept" and BULK not in r.details and r.role != "settled"}
    if unopened := sum(item.id in in_bulk for item in items):
        lines.append(f"- Accepted in bulk: {unopened} of {len(items)} items, which nobody opened one by one to accept them.")
    told: dict[str, set[str]] = {}
    for review in bundle.reviews:
        if review.decision == "accept" and ASSISTANCE in review.details:
            told.setdefault(review.details[ASSISTANCE], set()).add(review.item)
    if told:
        alone, revealed = (sum(item.id in told.get(kind, ()) for item in items) for kind in (NONE, REVEAL))
        lines.append(
            f"- Answered by people who never saw the draft: {alone} of {len(items)} items; by people who saw the draft only "
            f"after an answer of their own: {revealed}."
        )
    if pairs := list_frozen(bundle.manifest):
        languages = {item.id: language_name(item.language) for item in items}
        kinds = list_counts(f"{languages.get(one.item, '?')} and {languages.get(one.twin, '?')}" for one in pairs)
        origins = list_counts(one.source for one in pairs)
        lines.append(f"- Language pairs, items that ask the same in two languages: {kinds}; {origins}.")
    return "## How it was made\n\n" + "\n".join(lines)


def render_label_questions(bundle: Bundle) -> str:
    """Return a table of the label questions, with the number of items that have answers to each."""
    questions = bundle.manifest.get("label_questions")
    if not questions:
        return ""
    answered = Counter(name for item in bundle.items for name in read_label_answers(item.labels))
    rows = [
        (
            *(question["name"], question["text"], _describe_answers(question), "yes" if question["required"] else "no"),
            *(", ".join(question["tasks"]) or "all", f"{answered[question['name']]} of {len(bundle.items)}"),
        )
        for question in questions
    ]
    return (
        "## Label questions\n\nQuestions that reviewers of this project answer about each item. The answers of the decision "
        "that accepted an item are in its labels, under `label_answers`.\n\n"
        + render_table(["Name", "Question", "Answer", "Required", "Tasks", "Items answered"], rows)
    )


def render_variants(bundle: Bundle) -> str:
    """Return a table of the variants by kind, with their makers and the number of people who edited or reviewed them."""
    if not bundle.variants:
        return ""
    rows = []
    for kind in sorted({variant.kind for variant in bundle.variants}):
        variants = [variant for variant in bundle.variants if variant.kind == kind]
        makers = list_counts(variant.generator or "unknown" for variant in variants)
        if kind == "human":
            makers = count_noun(len({variant.generator for variant in variants}), "person", "people")
        edited, waiting = (sum("edited" in v.checks for v in variants), sum(v.status == "drafted" for v in variants))
        rows.append((kind, len(variants), makers, edited, waiting))
    total = f"{count_noun(len(bundle.variants), 'variant')} of {count_noun(len({v.item for v in bundle.variants}), 'question')}"
    drafted = sum(variant.status == "drafted" for variant in bundle.variants)
    head = ("Kind", "Variants", "Made by", "Edited by a person", "Not reviewed")
    return (
        f"## Variants\n\n{total}, each made of the question as it is in this release and in the split of its item; "
        f"{drafted} of them not reviewed.\n\n" + render_table(head, rows)
    )


def is_offline(item: Item) -> bool:
    """Check whether the offline agent, which uses no LLM, drafted the item."""
    return needs_no_model(item.provenance.agent)


def _find_deciding_reviews(bundle: Bundle) -> dict[str, Review]:
    """Return a dict from item id to the review that accepted the item's frozen revision; items without such a review are left
    out."""
    frozen = {(item.id, item.revision) for item in bundle.items}
    decisions = [r for r in bundle.reviews if (r.item, r.revision) in frozen and r.role != "opinion" and r.decision == "accept"]
    return {r.item: r for r in sorted(decisions, key=lambda r: (r.at, r.id))}


def _name_source(decision: Review) -> str:
    """Return the entry of SOURCES that says who made the decision: one person, several who agreed, or somebody between several
    who did not."""
    if decision.role == "settled" and len(decision.details.get("of", ())) > 1:
        return SOURCES[1]
    return SOURCES[2] if decision.role == "adjudicated" else SOURCES[0]


def _describe_answers(question: Mapping[str, Any]) -> str:
    """Return the type of the answers to a label question, with their range or the choices."""
    kind = KIND_LABELS.get(question["kind"], str(question["kind"]))
    if question["kind"] == "rating":
        return f"{kind}, 1 to {question['top']}"
    return f"{kind} of {', '.join(question['choices'])}" if question["choices"] else kind
