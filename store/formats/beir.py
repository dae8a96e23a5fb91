"""Export in the formats of BEIR and MTEB: corpus.jsonl, queries.jsonl, and the relevant documents of each question in
qrels/SPLIT.tsv (BEIR) and qrels/SPLIT.jsonl (MTEB). The formats of BEIR and MTEB are for retrieval, so they contain no answers
and cannot be imported again.

The corpus contains the full texts of the documents that systems may search. A document with evidence of a question is relevant
to that question, with the score 1. A question without such a document has no row in qrels, so both libraries leave it out.
Questions of a withheld split have no rows either, because their evidence must stay secret."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.nouns import Item
from store.format import Bundle, Format
from store.formats._folder import write_common_files, write_lines, write_text
from store.formats._hub_names import hub_name
from store.formats._record_files import Column, RecordFile
from store.formats._withheld import map_splits, sort_items

_JUDGED = {"query-id": "Id of the question.", "corpus-id": "Id of a relevant document."}
RECORD_FILES = (
    RecordFile(
        name="corpus",
        about="A document that systems may search.",
        patterns=("corpus.jsonl",),
        columns={
            "_id": Column("Hash of the text, which identifies the document."),
            "title": Column("Title of the document."),
            "text": Column("The whole text."),
            "metadata": Column("Domain, language, origin and licence of the document.", "json"),
        },
    ),
    RecordFile(
        name="queries",
        about="A question.",
        patterns=("queries.jsonl",),
        columns={
            "_id": Column("Id of the item."),
            "text": Column("The question."),
            "metadata": Column("Task, level, domain, language and split of the item.", "json"),
        },
    ),
    RecordFile(
        name="qrels",
        about="A pair of a question and a document with evidence for it.",
        patterns=("qrels/*.tsv",),
        columns={
            **{name: Column(about) for name, about in _JUDGED.items()},
            "score": Column("Relevance of the document for the question: always 1.", "int"),
        },
    ),
)


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the files of BEIR and MTEB with rows sorted by id. Raises BenchError if no question has evidence in a document of
    the corpus."""
    items, splits = sort_items(bundle), map_splits(bundle)
    left_out = set(bundle.manifest.get("left_out", ()))
    corpus = sorted((d for d in bundle.documents if d.id not in left_out), key=lambda d: d.id)
    there = {document.id for document in corpus}
    judged: dict[str, list[tuple[str, str]]] = {}
    for item in items:
        for document in sorted({span.document for span in item.evidence} & there):
            judged.setdefault(splits.get(item.id, "test"), []).append((item.id, document))
    if not judged:
        raise BenchError(
            f"No question of release {bundle.name!r} has evidence in a document that systems search, so retrieval cannot be "
            "evaluated."
        )
    names = {split: hub_name(split) for split in judged}
    if len(set(names.values())) < len(names):
        raise BenchError(
            f"The splits {', '.join(names)} would have the same file name: freeze the release with other split names."
        )
    write_lines(folder / "corpus.jsonl", map(_build_document, corpus))
    write_lines(folder / "queries.jsonl", (_build_query(item, splits.get(item.id, "test")) for item in items))
    for split, pairs in judged.items():
        if split not in withheld:
            (folder / "qrels").mkdir(exist_ok=True)
            rows = "".join(f"{query}\t{document}\t1\n" for query, document in pairs)
            write_text(folder / "qrels" / f"{names[split]}.tsv", "query-id\tcorpus-id\tscore\n" + rows)
            write_lines(folder / "qrels" / f"{names[split]}.jsonl", _build_judgements(pairs))
    write_common_files(bundle, folder, withheld, RECORD_FILES)


def _build_document(document: Any) -> Mapping[str, Any]:
    facts = {name: getattr(document, name) for name in ("domain", "language", "origin", "licence")}
    return {"_id": document.id, "title": document.title, "text": document.text, "metadata": facts}


def _build_query(item: Item, split: str) -> Mapping[str, Any]:
    level = None if item.level is None else str(item.level)
    facts = {"task": item.task, "level": level, "domain": item.domain, "language": item.language, "split": split}
    return {"_id": item.id, "text": item.question, "metadata": facts}


def _build_judgements(pairs: list[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
    for query, document in pairs:
        yield {"query-id": query, "corpus-id": document, "score": 1}


FORMAT = Format(label="BEIR and MTEB", write=write)
