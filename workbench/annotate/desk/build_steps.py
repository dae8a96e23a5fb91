"""Describe to reviewers how an item was drafted, step by step, and what LLM gates (checks by a model) asked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from builders.templates.template_answers import calls_in_words
from core.draft_steps import KINDS as GROUP_KINDS
from core.draft_steps import describe_step as describe_group_step
from core.nouns import Item
from workbench.annotate.desk.desk_data import BuildStep, DeskDocument, SearchHit

VERDICT_WORDS = {True: "right", False: "not right", None: "not known"}
Step = Mapping[str, Any]


def list_steps(item: Item, documents: Sequence[DeskDocument]) -> list[BuildStep]:
    """List the drafting steps of the item that help a reviewer, as text."""
    described = (describe_step(step, item.given) for step in item.steps)
    return [*_list_source(item, documents), *(step for step in described if step), *list_template_calls(item)]


def describe_step(step: Step, given: Sequence[str] = ()) -> BuildStep | None:
    """Return a drafting step in words, or None if it does not help a reviewer or is shown elsewhere."""
    kind = str(step.get("kind", ""))
    if kind == "search":
        return _describe_search(step)
    if kind in GROUP_KINDS:
        return BuildStep(kind, describe_group_step(step, given))
    return BuildStep(kind, STEP_WORDS[kind](step)) if kind in STEP_WORDS else None


def list_template_calls(item: Item) -> list[BuildStep]:
    """Return the calls of table functions and the computation that lead to the answer of a template question; empty for other
    items."""
    if not any(step.get("kind") == "template" for step in item.steps):
        return []
    *calls, last = calls_in_words(item.steps)
    return [*(BuildStep("call", line) for line in calls), BuildStep("reckoned", last)]


def describe_gate_calls(details: Mapping[str, Any]) -> list[str]:
    """Return a line for each prompt and reply of an LLM gate, and then the total cost; empty if the gate asked no agent."""
    lines = [line for row in details.get("asked") or () for line in _describe_call(row)]
    if lines:
        cost, calls = details.get("cost_usd"), details.get("calls", 0)
        price = "price unknown" if cost is None else f"{cost:.4f} USD"
        lines.append(f"{calls} {'call' if calls == 1 else 'calls'}, {price}; seed {details.get('seed')}")
    return lines


def _count_passages(step: Step) -> str:
    n = len(step.get("spans") or ())
    return f"{n} {'passage' if n == 1 else 'passages'}"


STEP_WORDS: Mapping[str, Callable[[Step], str]] = {
    "source_item": lambda step: f"{step.get('question', '')} {step.get('answer', '')}".strip(),
    "regeneration": lambda step: f"{step.get('reason', '')} {step.get('previous', '')}".strip(),
    "passages": _count_passages,
    "chosen": _count_passages,
    "halves": lambda step: f"{step.get('first')} sentences are the beginning, {step.get('second')} the continuation.",
    "edit": lambda step: f"{step.get('class', '')}: {step.get('was', '')} → {step.get('is', '')}",
    "thoughts": lambda step: str(step.get("text", "")),
    "repaired": lambda step: "The evidence was moved to the sentence that holds the answer.",
}
"""Dict from kind of drafting step to the function that puts such a step into words."""


def _describe_search(step: Step) -> BuildStep:
    """Return a description of a search during drafting, with all its results in the provider's order, including those that were
    dropped."""
    hits = [
        SearchHit(bool(hit.get("kept")), hit.get("score"), hit.get("title") or hit.get("document"), hit.get("why", ""))
        for hit in step.get("hits") or ()
    ]
    kept = sum(hit.is_kept for hit in hits)
    return BuildStep("search", step.get("query", ""), f"{step.get('provider')}: {kept} kept, {len(hits) - kept} dropped", hits)


def _list_source(item: Item, documents: Sequence[DeskDocument]) -> list[BuildStep]:
    """Return one step that names the document with the answer, which RAG systems cannot search; empty if the item has no such
    document."""
    source = item.labels.get("source")
    titles = [f"{n}. {document.title}" for n, document in enumerate(documents, 1) if document.id == source]
    return [BuildStep("source", f"{titles[0]} (hidden from RAG systems)")] if titles else []


def _describe_call(row: Mapping[str, Any]) -> list[str]:
    if "without" in row:  # an answer without one piece of evidence, or without one document
        place = row["without"]
        part = place if isinstance(place, str) else f"characters {place[1]} to {place[2]}"
        inner = [f"  {line}" for call in row["asked"] for line in _describe_call(call)]
        return [f"Without {part}: {row['right']} of {row['of']} right", *inner]
    if "verdict" in row:
        return [f"{row['agent']}: {row['verdict'].replace('_', ' ')}. {row['text']}"]
    reply = "no usable reply" if row["text"] is None else f"“{row['text']}”"
    return [f"{row['agent']}, {row['sample'] + 1}: {reply}, {VERDICT_WORDS[row['is_right']]} ({row['by']})"]
