"""Flag a question whose embedding is very similar to that of another question: more similar than in nearly all random pairs of
questions in this workspace. This gate needs the embedding vectors of all questions, so it runs only on request."""

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item

MIN_COSINE = 0.935
"""Least cosine at which two questions are flagged as close in meaning, even if random pairs have lower cosines."""


def check(item: Item, context: GateContext) -> Finding:
    if context.similar_questions is None:
        return Finding("not run", "Not run: the vectors of the other questions are not available.")
    limit = context.similar_questions.limit(item.language)
    if isinstance(limit, str):
        return Finding("not run", f"Not run: {limit}")
    nearest = context.similar_questions.find_nearest(item)
    if nearest is None:
        return Finding(
            "not run", f"Not run: the question is longer than {context.similar_questions.model} can read, or has no words."
        )
    limit = max(MIN_COSINE, limit)
    details = {
        "other": nearest.item,
        "question": nearest.question,
        "cosine": round(nearest.cosine, 4),
        "limit": round(limit, 4),
        "model": context.similar_questions.model,
    }
    if nearest.item and nearest.cosine >= limit:
        return Finding("flag", f"Item {nearest.item} asks much the same: {nearest.question!r}.", details)
    return Finding("pass", "", details)


GATE = Gate(version="1", check=check)
