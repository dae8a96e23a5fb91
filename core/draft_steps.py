"""Describes in words the steps in which a question on several documents was drafted. The review page shows the descriptions,
and the export in CRUD-RAG's format contains them as the question's thoughts."""

from collections.abc import Mapping, Sequence
from typing import Any

KINDS = ("common", "differences", "draft", "reconstruction")
"""Kinds of drafting steps that have a description, in the order of drafting."""


def describe_step(step: Mapping[str, Any], given: Sequence[str]) -> str:
    """Return a description of a drafting step as lines of text, or "" if steps of this kind have no description. Documents are
    numbered, from 1, by their position in `given`."""
    kind = step.get("kind")
    if kind == "common":
        lines = [f"{e['element']} (document {_document_numbers(e['evidence'], given)})" for e in step.get("elements") or ()]
        return "\n".join([f"Contact point: {step.get('contact', '')}", *lines])
    if kind == "differences":
        points = [(_document_numbers(part["evidence"], given), part["point"]) for part in step.get("points") or ()]
        return "\n".join(f"Document {number}: {point}" for number, point in sorted(points, key=lambda pair: pair[0]))
    if kind == "draft":
        focus = [f"Focus: {point}" for point in step.get("focus") or ()]
        return "\n".join([*focus, f"Question: {step.get('question', '')}", f"Answer: {step.get('answer', '')}"])
    if kind == "reconstruction":
        return f"Question: {step.get('question', '')}\nHow its parts depend on each other: {step.get('depends', '')}"
    return ""


def _document_numbers(evidence: Sequence[Sequence[Any]], given: Sequence[str]) -> str:
    """Return the numbers of the documents that contain the evidence, separated by commas, such as "1, 2"."""
    numbers = {list(given).index(place[0]) + 1 for place in evidence if place[0] in given}
    return ", ".join(map(str, sorted(numbers))) or "?"
