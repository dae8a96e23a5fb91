"""Runs of a sweep by hand: a base and what differs from it in each of CRUD-RAG's factors."""

from typing import Any

from core.nouns import Item
from eval.reports.report import Report, build_report
from eval.reports.results import RunResult
from tests.eval.runs import result

BASE = {"chunk_tokens": 128, "chunk_overlap": 0, "top_k": 8}
ITEMS = [
    Item(f"i{n}", "summary" if n < 4 else "qa_one_document", f"Question {n}?", ("Gold.",), given=(f"d{n}",)) for n in range(8)
]


def run(
    name: str, rouge: float, agent: str = "openai:m", retriever: str = "dense", repetition: int = 0, **settings: Any
) -> RunResult:
    """A run whose answers all have about that ROUGE-L."""
    values = [rouge + n / 100 for n in range(8)]
    scores = {
        "rouge_l_crud": values,
        "bleu": [v / 2 for v in values],
        "bleu_crud": values,
        "length": [10.0] * 8,
        "length.characters": [25.0] * 8,
        "seconds": [2.0] * 8,
        "tokens": [300.0] * 8,
    }
    config = {"retriever": retriever, "settings": {**BASE, **settings}, "repetition": repetition}
    made = result(name, ITEMS, scores, config=config)
    object.__setattr__(made.run, "agent", agent)
    return made


def swept() -> Report:
    """Better with larger chunks, the same with another retriever, other agents, models, overlaps and top-k."""
    return build_report(
        [
            run("base", 0.3),
            run("wide", 0.5, chunk_tokens=256, top_k=4),
            run("bm25", 0.3, retriever="bm25"),
            run("half", 0.2, chunk_overlap=64),
            run("few", 0.1, top_k=2),
            run("other", 0.4, agent="openai:n"),
            run("lexical", 0.25, embedding_model="lexical_vectors"),
            run("far", 0.9, top_k=4, retriever="bm25"),
        ]
    )
