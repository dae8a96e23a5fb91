"""Compute the composition of a release: the number of items and the mean lengths of context, question and answer per domain and
level, and the distribution of the share of question words that occur in the evidence."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from core.nouns import Document, Item
from core.text.text import count_tokens

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Boundaries of the classes of overlap between a question and its evidence, as shares 0..1; the last class includes 1.0."""


def composition(items: Sequence[Item], documents: Mapping[str, Document]) -> dict[str, Any]:
    """Return {"rows": [...], "overlap": classes}, with one row for each combination of domain and level, one for each domain,
    one for each level, and one for all items; in a row that summarises several domains or levels, the domain, the level or both
    have the value "all". Each row has the number of items and the mean estimated tokens of context, question and answer. The
    context of an item is its given documents or, if it has none, the documents of its evidence."""
    lengths = {name: count_tokens(document.text, document.language) for name, document in documents.items()}

    def row(domain: str, level: Any, chosen: Sequence[Item]) -> dict[str, Any]:
        contexts = [_context(item, lengths) for item in chosen]
        questions = [count_tokens(item.question, item.language) for item in chosen]
        answers = [count_tokens(item.answers[0], item.language) for item in chosen if item.answers]
        means: dict[str, Sequence[int | None]] = {"context": contexts, "question": questions, "answer": answers}
        return {"domain": domain, "level": level, "items": len(chosen)} | {
            f"{name}_tokens": _mean(values) for name, values in means.items()
        }

    domains, levels = _kinds(items, lambda item: item.domain), _kinds(items, lambda item: item.level)
    rows = [
        row(d, v, members) for d in domains for v in levels if (members := [i for i in items if (i.domain, i.level) == (d, v)])
    ]
    rows += [row(d, "all", [i for i in items if i.domain == d]) for d in domains]
    rows += [row("all", v, [i for i in items if i.level == v]) for v in levels]
    return {"rows": [*rows, row("all", "all", items)], "overlap": overlap_classes(items)}


def overlap_classes(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return how many items have a question-evidence overlap within each fifth of 0..1; the last entry counts items without an
    overlap value."""
    values = [item.overlap for item in items]
    known = [value for value in values if value is not None]
    classes: list[dict[str, Any]] = []
    for low, high in pairwise(EDGES):
        n = sum(low <= value < high or (high == EDGES[-1] and value == high) for value in known)
        classes.append({"low": low, "high": high, "items": n})
    return [*classes, {"low": None, "high": None, "items": len(values) - len(known)}]


def _context(item: Item, lengths: Mapping[str, int]) -> int | None:
    shown = item.given or tuple(dict.fromkeys(span.document for span in item.evidence))
    known = [lengths[name] for name in shown if name in lengths]
    return sum(known) if known else None


def _mean(values: Sequence[int | None]) -> dict[str, Any]:
    known = [value for value in values if value is not None]
    return {"mean": sum(known) / len(known) if known else None, "n": len(known)}


def _kinds(items: Iterable[Item], of: Callable[[Item], Any]) -> list[Any]:
    return sorted({of(item) for item in items}, key=lambda kind: (kind is None, str(kind)))
