"""Render index.html of an exported folder: one file that opens in a browser without a server and shows every text without
interpreting markup in it. The page's template, style and script are in shipped/page.html, page.css and page.js; this module
inserts the data."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from core.label_questions import LABEL_ANSWERS, format_answer, read_label_answers
from core.nouns import Document, Item, Span
from core.quality.conversations import strip_revealing
from store.format import Bundle
from store.formats._withheld import map_splits, withheld_documents
from store.releases.manifest import make_canary

SHIPPED = Path(__file__).parent / "shipped"
CONTEXT_CHARACTERS = 300
"""Number of characters that the page shows of a document before and after an evidence span."""
GOLD_LABELS = (
    *(
        "referent",
        "selections",
        "selection_answers",
        "edit",
        "annotations",
        "crud_rag",
        "uhgeval",
        "source",
        "squad",
        "adarague",
    ),
    *("golds_left_out", "crag", "question_type", "answer_url", "answer_set", "answerable", "facts_left_out", LABEL_ANSWERS),
)
"""Labels that the page hides for withheld items because they reveal an answer or its source. CRAG's question type, for example,
reveals that a question has a false premise."""


def render_page(bundle: Bundle, withheld: frozenset[str]) -> Iterator[str]:
    """Yield the HTML page in pieces, one for each item, so that the whole page is never in memory. For a withheld item, the
    page shows only the question, without answers, evidence, steps, verdicts, reviews and history."""
    style, script = ((SHIPPED / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    names = {
        "style": style,
        "script": script,
        "style_hash": _hash_source(style),
        "script_hash": _hash_source(script),
        "title": escape(bundle.name),
    }
    before, _, after = (SHIPPED / "page.html").read_text(encoding="utf-8").partition("$data")
    yield Template(before).substitute(names)
    yield from _embed_pieces(build_page_data(bundle, withheld))
    yield Template(after).substitute(names)


def _list_labels(item: Item) -> dict[str, Any]:
    """Return a dict of the item's labels. Each answer to a label question is an entry whose key is the name of that
    question."""
    plain = {name: value for name, value in item.labels.items() if name != LABEL_ANSWERS}
    answers = {f"{name} (label question)": format_answer(answer) for name, answer in read_label_answers(item.labels).items()}
    return plain | answers


def embed_json(value: Any) -> str:
    """Return the value as JSON for a script element of the page, escaped so that no text in it can close the element or break a
    line."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _embed_pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the JSON of `embed_json` in pieces; if a value in the data is an iterator, its elements are yielded one at a
    time."""
    for number, (name, value) in enumerate(data.items()):
        yield f"{',' if number else '{'}{embed_json(name)}:"
        if not isinstance(value, Iterator):
            yield embed_json(value)
            continue
        yield "["
        for place, element in enumerate(value):
            yield f"{',' if place else ''}{embed_json(element)}"
        yield "]"
    yield "}"


def build_page_data(bundle: Bundle, withheld: frozenset[str]) -> dict[str, Any]:
    """Return the data that page.js displays; "documents" and "items" are iterators."""
    splits = map_splits(bundle)
    hidden = withheld_documents(bundle, withheld)
    documents = sorted((d for d in bundle.documents if d.id not in hidden), key=lambda d: d.id)
    texts = {document.id: document for document in documents}
    left_out = set(bundle.manifest.get("left_out", ()))
    verdicts, reviews, history = (_group_by_item(rows) for rows in (bundle.verdicts, bundle.reviews, bundle.history))
    variants: dict[str, list[dict[str, Any]]] = {}
    for v in sorted(bundle.variants, key=lambda v: (v.kind, v.id)):
        variant = _select_fields(v, "id", "kind", "text", "status") | {"by": v.generator}
        variants.setdefault(v.item, []).append(variant)

    def row(item: Item) -> dict[str, Any]:
        split = splits.get(item.id, "test")
        provenance = _select_fields(item.provenance, "agent", "prompt", "seed", "origin")
        visible = {
            **_select_fields(item, "id", "revision", "task", "level", "domain", "language"),
            "split": split,
            "question": item.question,
            "inputs": dict(item.inputs),
            "given": list(item.given),
            "variants": variants.get(item.id, []),
            "withheld": split in withheld,
            "provenance": provenance | {"calls": list(item.provenance.calls)},
        }
        if split in withheld:
            labels = {k: v for k, v in strip_revealing(item.labels).items() if k not in GOLD_LABELS}
            return visible | {"labels": labels, "provenance": provenance | {"calls": []}}
        return visible | {
            "answers": list(item.answers),
            "labels": _list_labels(item),
            "steps": [_format_step(s, texts) for s in item.steps],
            "overlap": item.overlap,
            "passages": cut_passages(item.evidence, texts),
            "verdicts": [_select_fields(v, "gate", "outcome", "why", "revision") for v in verdicts.get(item.id, ())],
            "history": [
                _select_fields(r, "revision", "question", "by", "at") | {"answers": list(r.answers)}
                for r in history.get(item.id, ())
            ],
            "reviews": [
                _select_fields(r, "revision", "person", "decision", "reason", "comment", "seconds", "at")
                for r in reviews.get(item.id, ())
            ],
        }

    return {
        "name": bundle.name,
        "hash": bundle.hash,
        "canary": make_canary(bundle.hash),
        "withheld": sorted(withheld),
        "left_out": len(left_out),
        "gold_included": bool(bundle.manifest.get("gold_included")),
        "documents": (
            _select_fields(d, "id", "title", "domain", "language", "licence", "origin", "published")
            | {"characters": len(d.text)}
            | ({"left_out": True} if d.id in left_out else {})
            for d in documents
        ),
        "items": map(row, sorted(bundle.items, key=lambda i: i.id)),
    }


def cut_passages(evidence: Sequence[Span], documents: Mapping[str, Document]) -> list[dict[str, Any]]:
    """Return passages with the evidence spans and some text around them; if two passages overlap or touch, they become one. The
    text of a passage is a list of [piece, 1 if evidence else 0], so that the browser needs no offsets."""
    passages: list[dict[str, Any]] = []
    for name in dict.fromkeys(span.document for span in evidence):
        document = documents.get(name)
        if document is None:
            continue
        spans = sorted(span for span in evidence if span.document == name)
        groups: list[list[Span]] = []
        for span in spans:
            near = groups and span.start - max(s.end for s in groups[-1]) <= 2 * CONTEXT_CHARACTERS
            groups[-1].append(span) if near else groups.append([span])
        for group in groups:
            start = _find_start(document.text, group[0].start)
            end = _find_end(document.text, max(span.end for span in group))
            cut = [start > 0, end < len(document.text)]
            pieces = _cut_pieces(document.text, start, end, group)
            passages.append({"document": name, "start": start, "end": end, "cut": cut, "pieces": pieces})
    return passages


def _cut_pieces(text: str, start: int, end: int, spans: Sequence[Span]) -> list[list[Any]]:
    pieces: list[list[Any]] = []
    at = start
    for span in spans:
        if span.start > at:
            pieces.append([text[at : span.start], 0])
        if span.end > at:
            pieces.append([text[max(at, span.start) : span.end], 1])
        at = max(at, span.end)
    return [*pieces, [text[at:end], 0]] if at < end else pieces


def _find_start(text: str, at: int) -> int:
    """Return the offset at which a passage should begin, at most CONTEXT_CHARACTERS before `at`. This is the first start of a
    paragraph in this range; without one, the first start of a line, a sentence or a word."""
    low = max(0, at - CONTEXT_CHARACTERS)
    if low == 0:
        return 0
    for cut in ("\n\n", "\n", ". ", "。", " "):
        place = text.find(cut, low, at)
        if place >= 0:
            return place + len(cut)
    return low


def _find_end(text: str, at: int) -> int:
    high = min(len(text), at + CONTEXT_CHARACTERS)
    if high == len(text):
        return high
    for cut, length in (("\n\n", 0), ("\n", 0), (". ", 1), ("。", 1), (" ", 0)):
        place = text.rfind(cut, at, high)
        if place >= 0:
            return place + length
    return high


def _format_step(step: Mapping[str, Any], documents: Mapping[str, Document]) -> dict[str, Any]:
    """Return a copy of a drafting step in which each span has the title of its document instead of the id: [title, start,
    end]."""
    spans = step.get("spans")
    if not isinstance(spans, list | tuple):
        return dict(step)
    return dict(step) | {"spans": [[documents[s[0]].title if s[0] in documents else s[0], *s[1:]] for s in spans]}


def _group_by_item(rows: Sequence[Any]) -> dict[str, list[Any]]:
    by_item: dict[str, list[Any]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
    return by_item


def _select_fields(noun: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(noun, name) for name in names}


def _hash_source(text: str) -> str:
    """Return the hash of a style or script, by which the page's content security policy allows it."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
