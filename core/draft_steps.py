"""The steps in which a question on several documents was made, in words that a person can follow: the reviewer's desk shows
them, CRUD-RAG's layout carries them as its thoughts."""

from collections.abc import Mapping, Sequence
from typing import Any

KINDS = ("common", "differences", "draft", "reconstruction")
"""Kinds of steps that are told here, in the order they were made."""


def describe_step(step: Mapping[str, Any], given: Sequence[str]) -> str:
    """A line for each thing; documents are called by their number among those that were `given`, from 1."""
    kind = step.get("kind")
    if kind == "common":
        lines = [f"{one['element']} (document {_numbers(one['evidence'], given)})" for one in step.get("elements") or ()]
        return "\n".join([f"Contact point: {step.get('contact', '')}", *lines])
    if kind == "differences":
        points = ((_numbers(one["evidence"], given), one["point"]) for one in step.get("points") or ())
        return "\n".join(f"Document {number}: {point}" for number, point in sorted(points, key=lambda pair: pair[0]))
    if kind == "draft":
        focus = [f"Focus: {point}" for point in step.get("focus") or ()]
        return "\n".join([*focus, f"Question: {step.get('question', '')}", f"Answer: {step.get('answer', '')}"])
    if kind == "reconstruction":
        return f"Question: {step.get('question', '')}\nHow its parts depend on each other: {step.get('depends', '')}"
    return ""


def _numbers(evidence: Sequence[Sequence[Any]], given: Sequence[str]) -> str:
    """Numbers of the documents that the places are in: "1, 2"."""
    found = {list(given).index(place[0]) + 1 for place in evidence if place[0] in given}
    return ", ".join(map(str, sorted(found))) or "?"
