"""Provide sample work for a new workspace: drafts and conversations that wait for a review, one draft on which two people
disagree, variants to judge, a web question, and a starter guideline for each task. Some drafts are wrong on purpose, so that
reviewers have errors to find."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.drafting.samples import FOLDER, sample_items
from core.nouns import Document, Item, Provenance, Variant

WORK = FOLDER / "work"
EVERY_TASK = "every_task"
"""Name (without .md) of the file with the sample guideline that applies to all tasks."""


class SampleReview(NamedTuple):
    """A review of a sample draft by one of the fictional people in the sample workspace."""

    item: str
    person: str
    decision: str
    reason: str
    comment: str


class SampleNuggets(NamedTuple):
    """The nuggets of a sample item: the facts that a good answer to its question must or may contain."""

    item: str
    by: str
    """Name of the agent that drafted the nuggets; "" = a person wrote them."""
    nuggets: Sequence[Mapping[str, Any]]
    """The nuggets, each as {"text", "importance", "evidence"}; `evidence` lists pieces of the item's evidence by their numbers,
    from 1."""


class SampleWork(NamedTuple):
    """The sample drafts, with reviews, variants, a web question, nuggets and guidelines for a new workspace."""

    drafts: Sequence[Item]
    opinions: Sequence[SampleReview]
    variants: Sequence[Variant]
    web_question: Mapping[str, Any]
    """The sample web question: {"fields": the filled-in form, "pages": [{"text", ...}]}."""
    guidelines: Mapping[str, str]
    """A dict from task name to its sample guideline in Markdown; the key "" is the guideline for all tasks."""
    nuggets: Sequence[SampleNuggets]


def sample_work(documents: Sequence[Document]) -> SampleWork:
    """Read the sample work from the files delivered with the app; `documents` are the sample documents."""
    file = WORK / "drafts.jsonl"
    drafts = [
        replace(item, status="drafted", provenance=Provenance(agent="recorded")) for item in sample_items(documents, file)
    ]
    talks = [
        replace(item, status="drafted", provenance=Provenance(agent="recorded"))
        for item in sample_items(documents, WORK / "conversations.jsonl")
    ]
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    opinions = [
        SampleReview(row["id"], opinion["person"], opinion["decision"], opinion.get("reason", ""), opinion.get("comment", ""))
        for row in rows
        for opinion in row.get("opinions", ())
    ]
    made = [json.loads(line) for line in (WORK / "variants.jsonl").read_text(encoding="utf-8").splitlines()]
    variants = [
        Variant(record["id"], record["item"], 1, record["kind"], record["text"], generator="recorded") for record in made
    ]
    web = json.loads((WORK / "web_question.json").read_text(encoding="utf-8"))
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((WORK / "guidelines").glob("*.md"))}
    guidelines = {"" if name == EVERY_TASK else name: text for name, text in texts.items()}
    lines = (WORK / "nuggets.jsonl").read_text(encoding="utf-8").splitlines()
    nuggets = [SampleNuggets(**json.loads(line)) for line in lines]
    return SampleWork([*drafts, *talks], opinions, variants, web, guidelines, nuggets)
