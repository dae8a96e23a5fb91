"""index.html of an exported folder: one file that opens from the disk, asks nothing of any server, and shows every text as
text. The page itself lies in shipped/page.html, page.css and page.js; here its data are gathered and put in."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from core.label_questions import LABEL_ANSWERS, format_answer, read_label_answers
from core.nouns import Document, Item, Review, Span, Verdict
from store.format import Bundle, Revision
from store.formats._withheld import map_splits, withheld_documents
from store.releases.manifest import make_canary

SHIPPED = Path(__file__).parent / "shipped"
CONTEXT_CHARACTERS = 300
"""Characters of a document shown before and after an evidence span."""
GOLD_LABELS = (
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
    "golds_left_out",
    "crag",
    "question_type",
    "answer_url",
    "answer_set",
    "answerable",
    "facts_left_out",
    LABEL_ANSWERS,
)
"""Labels that tell an answer (CRAG's question type tells of a false premise; a reviewer's free text may), or where it was taken
from."""


def render_page(bundle: Bundle, withheld: frozenset[str]) -> str:
    """The whole page. A withheld item shows its question alone: no answer, evidence, step, verdict, review or history."""
    style, script = ((SHIPPED / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return Template((SHIPPED / "page.html").read_text(encoding="utf-8")).substitute(
        style=style,
        script=script,
        style_hash=_digest(style),
        script_hash=_digest(script),
        title=escape(bundle.name),
        data=embed_json(build_page_data(bundle, withheld)),
    )


def _labels(item: Item) -> dict[str, Any]:
    """Its labels, the answers to label questions each by its own name."""
    plain = {name: value for name, value in item.labels.items() if name != LABEL_ANSWERS}
    answers = {f"{name} (label question)": format_answer(answer) for name, answer in read_label_answers(item.labels).items()}
    return plain | answers


def embed_json(value: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can end the element or a line."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def build_page_data(bundle: Bundle, withheld: frozenset[str]) -> dict[str, Any]:
    """What page.js draws."""
    splits = map_splits(bundle)
    kept_back = withheld_documents(bundle, withheld)
    documents = sorted((d for d in bundle.documents if d.id not in kept_back), key=lambda d: d.id)
    texts = {document.id: document for document in documents}
    left_out = set(bundle.manifest.get("left_out", ()))
    verdicts, reviews, history = (_by_item(rows) for rows in (bundle.verdicts, bundle.reviews, bundle.history))
    variants: dict[str, list[dict[str, Any]]] = {}
    for v in sorted(bundle.variants, key=lambda v: (v.kind, v.id)):
        shown = {"id": v.id, "kind": v.kind, "text": v.text, "status": v.status, "by": v.generator}
        variants.setdefault(v.item, []).append(shown)

    def row(item: Item) -> dict[str, Any]:
        split = splits.get(item.id, "test")
        shown = {
            "id": item.id,
            "revision": item.revision,
            "task": item.task,
            "level": item.level,
            "domain": item.domain,
            "language": item.language,
            "split": split,
            "question": item.question,
            "inputs": dict(item.inputs),
            "given": list(item.given),
            "variants": variants.get(item.id, []),
            "withheld": split in withheld,
            "provenance": {
                "agent": item.provenance.agent,
                "prompt": item.provenance.prompt,
                "seed": item.provenance.seed,
                "origin": item.provenance.origin,
                "calls": list(item.provenance.calls),
            },
        }
        if split in withheld:
            return shown | {"labels": {k: v for k, v in item.labels.items() if k not in GOLD_LABELS}}
        return shown | {
            "answers": list(item.answers),
            "labels": _labels(item),
            "steps": [_step(s, texts) for s in item.steps],
            "overlap": item.overlap,
            "passages": cut_passages(item.evidence, texts),
            "verdicts": [_verdict(v) for v in verdicts.get(item.id, ())],
            "history": [_revision(r) for r in history.get(item.id, ())],
            "reviews": [_review(r) for r in reviews.get(item.id, ())],
        }

    return {
        "name": bundle.name,
        "hash": bundle.hash,
        "canary": make_canary(bundle.hash),
        "withheld": sorted(withheld),
        "left_out": len(left_out),
        "gold_included": bool(bundle.manifest.get("gold_included")),
        "documents": [
            {
                "id": d.id,
                **({"left_out": True} if d.id in left_out else {}),
                "title": d.title,
                "domain": d.domain,
                "language": d.language,
                "licence": d.licence,
                "origin": d.origin,
                "published": d.published,
                "characters": len(d.text),
            }
            for d in documents
        ],
        "items": [row(item) for item in sorted(bundle.items, key=lambda i: i.id)],
    }


def cut_passages(evidence: Sequence[Span], documents: Mapping[str, Document]) -> list[dict[str, Any]]:
    """What stands around the evidence: one passage where the surroundings of several spans touch. Its text comes in pieces,
    each with 1 when it is evidence and 0 when it is not, so that no offset has to be counted in a browser's own units."""
    found: list[dict[str, Any]] = []
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
            start = _paragraph_start(document.text, group[0].start)
            end = _paragraph_end(document.text, max(span.end for span in group))
            found.append(
                {
                    "document": name,
                    "start": start,
                    "end": end,
                    "cut": [start > 0, end < len(document.text)],
                    "pieces": _pieces(document.text, start, end, group),
                }
            )
    return found


def _pieces(text: str, start: int, end: int, spans: Sequence[Span]) -> list[list[Any]]:
    pieces: list[list[Any]] = []
    at = start
    for span in spans:
        if span.start > at:
            pieces.append([text[at : span.start], 0])
        if span.end > at:
            pieces.append([text[max(at, span.start) : span.end], 1])
        at = max(at, span.end)
    return [*pieces, [text[at:end], 0]] if at < end else pieces


def _paragraph_start(text: str, at: int) -> int:
    """At most AROUND before `at`: the earliest paragraph's beginning, else a word's, else wherever it falls."""
    low = max(0, at - CONTEXT_CHARACTERS)
    if low == 0:
        return 0
    for cut in ("\n\n", "\n", ". ", "。", " "):
        found = text.find(cut, low, at)
        if found >= 0:
            return found + len(cut)
    return low


def _paragraph_end(text: str, at: int) -> int:
    high = min(len(text), at + CONTEXT_CHARACTERS)
    if high == len(text):
        return high
    for cut, kept in (("\n\n", 0), ("\n", 0), (". ", 1), ("。", 1), (" ", 0)):
        found = text.rfind(cut, at, high)
        if found >= 0:
            return found + kept
    return high


def _step(step: Mapping[str, Any], documents: Mapping[str, Document]) -> dict[str, Any]:
    """A step with its spans as [title, start, end], for a person to read."""
    spans = step.get("spans")
    if not isinstance(spans, list | tuple):
        return dict(step)
    return dict(step) | {"spans": [[documents[s[0]].title if s[0] in documents else s[0], *s[1:]] for s in spans]}


def _by_item(rows: Sequence[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row.item, []).append(row)
    return found


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"gate": verdict.gate, "outcome": verdict.outcome, "why": verdict.why, "revision": verdict.revision}


def _revision(revision: Revision) -> dict[str, Any]:
    return {
        "revision": revision.revision,
        "question": revision.question,
        "answers": list(revision.answers),
        "by": revision.by,
        "at": revision.at,
    }


def _review(review: Review) -> dict[str, Any]:
    return {
        "revision": review.revision,
        "person": review.person,
        "decision": review.decision,
        "reason": review.reason,
        "comment": review.comment,
        "seconds": review.seconds,
        "at": review.at,
    }


def _digest(text: str) -> str:
    """What the page's content security policy knows its own style and script by."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
