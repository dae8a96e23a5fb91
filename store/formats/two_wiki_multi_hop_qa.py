"""Read 2WikiMultiHopQA. The files have HotpotQA's layout and also "evidences": [[subject, relation, object]], triples that lead
to the answer and become the item's steps. The program does not export in this format."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from store.format import Bundle, Format
from store.formats import _streamed, hotpotqa
from store.formats._multi_hop import read_rows
from store.formats._outside import OutsideQuestion
from store.formats._streamed import QuestionPosition

KEYS = ("subject", "relation", "object")


def pieces(path: Path) -> Iterator[Bundle]:
    """Yield bundles of questions from one 2WikiMultiHopQA file, or from all files of a folder."""
    return _streamed.stream_bundles(path, hotpotqa.WANTED_FIELDS, _parse_question)


def _parse_question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    question = hotpotqa.read_question(row, place, "2wikimultihopqa")
    triples = read_rows(row.get("evidences") or [], ("fact", "relation", "entity"), "evidences") if row.get("evidences") else []
    steps = tuple({"kind": "triple", **dict(zip(KEYS, triple, strict=True))} for triple in triples)
    return question._replace(item=replace(question.item, steps=steps))


FORMAT = Format(label="2WikiMultiHopQA", name="2wikimultihopqa", pieces=pieces)
