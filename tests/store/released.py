"""A small release for tests of the formats: two documents, three items, hostile texts among them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from builders.drafting.composition import composition
from core.ids import content_hash
from core.nouns import Document, Item, Provenance, Review, Span, Variant, Verdict
from core.records import item_record
from store.format import Bundle, Revision
from store.releases.manifest import build_manifest, release_hash

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) ![](http://e.test/p.png) | $5"
BRIDGE = (
    "The bridge at Orvel was designed by Marta Quill in 1931. It crosses the river Senn.\n\n"
    f"Its toll of $5 was abolished in 1954 \U0001f309. {EVIL}\u2028 The end."
)
COURT = "哈尔摩法院于一九五四年裁定，桥梁通行费应当取消。市议会随后执行了该裁定。"


def document(text: str, title: str, **fields: Any) -> Document:
    return Document(**{"id": content_hash(text), "text": text, "title": title, "licence": "CC0-1.0"} | fields)


def span(text: str, part: str) -> Span:
    start = text.index(part)
    return Span(content_hash(text), start, start + len(part))


def documents() -> list[Document]:
    return [
        document(BRIDGE, "The bridge at Orvel", domain="arts", origin="bridge.md", meta={"authors": ["A. B."], "pages": 3}),
        document(COURT, "裁定", domain="law", language="zh", origin="court.md", published="1954-03-02"),
    ]


def items() -> list[Item]:
    bridge, court = documents()
    drafted = Provenance("offline", "draft/explicit_factoid.en@b2:1", 7, ("b2:c1",), "drafted")
    return [
        Item(
            id="i1",
            task="explicit_factoid",
            question=f"Who designed the bridge? {EVIL}",
            answers=("Marta Quill", "M. Quill"),
            evidence=(span(BRIDGE, "The bridge at Orvel was designed by Marta Quill in 1931."),),
            level=1,
            domain="arts",
            revision=2,
            status="accepted",
            labels={"note": EVIL},
            given=(bridge.id,),
            overlap=0.5,
            provenance=drafted,
            steps=({"kind": "window", "spans": [[bridge.id, 0, 80]], "key": "k"},),
        ),
        Item(
            id="i2",
            task="explicit_factoid",
            question="法院何时裁定？",
            answers=("一九五四年",),
            evidence=(span(COURT, "一九五四年"),),
            level=1,
            domain="law",
            language="zh",
            status="accepted",
            given=(court.id,),
            overlap=0.4,
        ),
        Item(
            id="i3",
            task="implicit_rationale",
            question="What did the ruling change?",
            answers=("The toll went. 费用取消了。",),
            evidence=(span(BRIDGE, "abolished in 1954 \U0001f309"), span(COURT, "市议会随后执行了该裁定。")),
            level=4,
            domain="arts",
            status="accepted",
            inputs={"hint": "both"},
            given=(bridge.id, court.id),
            labels={"selections": {"a": "The toll went.", "b": "It rose."}, "selection_answers": ["a"]},
            provenance=Provenance("openai:m", "draft/implicit_rationale.en@b2:2", 1, (), "drafted"),
        ),
    ]


def bundle(chosen: Sequence[Item] | None = None, splits: dict[str, str] | None = None, **fields: Any) -> Bundle:
    """A release of these items as the workbench would hand it to a format."""
    found = list(items() if chosen is None else chosen)
    texts = {d.id: d for d in documents()}

    def cut(where: Span) -> str:
        return texts[where.document].text[where.start : where.end]

    variants = [Variant("v1", "i1", 2, "formal", "By whom was the bridge designed?", "accepted", "offline", 3, {"ok": True})]
    variants = [v for v in variants if v.item in {item.id for item in found}]
    made = build_manifest(
        [(item, item_record(item, cut)) for item in found], variants, list(texts.values()), splits or {}, {}, 0
    )
    whole = Bundle(
        documents=list(texts.values()),
        items=found,
        variants=variants,
        manifest=made,
        name="v1",
        hash=release_hash(made),
        verdicts=[Verdict("i1", 2, "evidence", "1", "pass"), Verdict("i1", 1, "figures", "1", "flag", EVIL)],
        reviews=[Review("r1", "i1", 2, "Ada <b>", "accept", comment=EVIL, seconds=12.5, at="2026-01-02T03:04:05+00:00")],
        history=[
            Revision("i1", 1, "Who made it?", ("Quill",), "offline", "2026-01-01T00:00:00+00:00"),
            Revision("i1", 2, items()[0].question, items()[0].answers, "Ada", "2026-01-02T00:00:00+00:00"),
        ],
        salts={item.id: f"salt of {item.id}" for item in found},
        composition=composition(found, texts),
    )
    return replace(whole, **fields)
