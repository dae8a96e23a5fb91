"""Items for tests of the store."""

from typing import Any

from core.nouns import Item, Provenance, Review, Span


def item(id: str, **fields: Any) -> Item:
    return Item(**{"id": id, "task": "explicit_factoid", "question": f"Who is {id}?", "answers": (id,), "level": 1} | fields)


def whole_item(id: str) -> Item:
    """Every field set."""
    return Item(
        id=id,
        task="implicit_factoid",
        question="谁?",
        answers=("A \U0001f9ea", "乙"),
        evidence=(Span("b2:d", 3, 9), Span("b2:d", 12, 13)),
        level=2,
        domain="law",
        language="zh",
        status="refused",
        labels={"referent": "甲", "frame": True},
        inputs={"context": "文"},
        given=("b2:d", "b2:e"),
        steps=({"kind": "window", "spans": [["b2:d", 0, 40]]}, {"kind": "source_item", "item": "x"}),
        overlap=0.25,
        provenance=Provenance("openai:m", "draft/x.en@b2:1", 7, ("b2:c1", "b2:c2"), "drafted"),
    )


def review(id: str, item: str, decision: Any = "accept", revision: int = 1, **fields: Any) -> Review:
    return Review(id=id, item=item, revision=revision, person="ann", decision=decision, **fields)
