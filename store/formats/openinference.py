"""Read OpenInference spans of a RAG application. Each answered question becomes a draft item for review: its answer is the
application's, and its given documents are the retrieved passages. The input is a file of OTLP JSON, of JSON lines of spans, or
of Parquet. A trace that is truncated, or that is from another kind of application, is rejected with a reason."""

from dataclasses import replace
from pathlib import Path

from core.ids import derived_id
from core.spans.answered_questions import read_answered_questions
from store.format import Bundle, Format
from store.formats._outside import parse_outside

PLACEHOLDER = "–"
"""Answer that replaces the missing answer of an application that failed, only while the file is read."""


def read(path: Path) -> Bundle:
    """Read one file of OpenInference spans."""
    file = read_answered_questions(path)
    items, documents = {}, {}
    refused = [{"where": path.name, "line": None, "message": why} for why in file.refused]
    for one in file.questions:
        contexts = one.contexts or ()
        record = {
            "id": derived_id("production", one.question, one.answer or "", *contexts),
            "question": one.question,
            "answers": [one.answer or PLACEHOLDER],
            "contexts": list(contexts),
            "labels": {"production_trace": one.trace[:64], **({"production_error": one.error[:300]} if one.error else {})},
        }
        try:
            question = parse_outside(record, path.name)
        except ValueError as error:
            refused.append({"where": path.name, "line": None, "message": f"Trace {one.trace[:32]} {error}."})
            continue
        answers = question.item.answers if one.answer else ()
        items[question.item.id] = replace(question.item, status="drafted", answers=answers)
        documents.update({document.id: document for document in question.documents})
    return Bundle(documents=list(documents.values()), items=list(items.values()), refused=refused)


FORMAT = Format(label="OpenInference spans", read=read)
