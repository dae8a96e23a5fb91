"""Describe the record files of an exported folder and each of their columns, for the dataset card, Croissant and RO-Crate."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from store.formats._columns import COLUMNS
from store.formats._lines import read_lines
from store.formats._tables import LIST as TABLE_LIST

ENCODINGS = {
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".yaml": "application/yaml",
    ".bz2": "application/x-bzip2",
    ".md": "text/markdown",
    ".cff": "application/yaml",
    ".html": "text/html",
    ".py": "text/x-python",
}
"""Media type of a data file by the ending of its name."""
MAX_READ_BYTES = 2**20
"""Maximum number of bytes of a file's first line that are searched for column names."""


class Column(NamedTuple):
    """Description of one column in a file of records."""

    about: str
    """A sentence that says what the column contains."""
    type: str = "text"
    """Type of the column's values: text, int, float, bool, texts, spans or json, as in _columns.COLUMNS."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordFile:
    """Description of the files that hold one kind of record in an exported folder."""

    name: str
    about: str
    """A sentence that says what one record of these files is, such as "A table of ..." or "The gold answers of an item ..."."""
    patterns: Sequence[str]
    """Glob patterns that match the files, relative to the folder."""
    columns: Mapping[str, Column] = field(default_factory=dict)
    prefixes: Mapping[str, Column] = field(default_factory=dict)
    """Dict from the beginning of a column's name to its description, for columns whose names depend on the content."""


class FoundFiles(NamedTuple):
    """The files of one kind of record that an exported folder contains."""

    kind: RecordFile
    """Description of the files. Its columns are the ones that these files contain."""
    pattern: str
    """The pattern in `RecordFile.patterns` that matches the files."""
    files: Sequence[str]
    """Sorted paths of the files relative to the folder; empty files are left out."""


ITEMS = {
    "id": "Id of the item, the same in every release that has the item.",
    "revision": "Number of the item's revision, from 1; each edit adds one.",
    "status": "State of the item in the workspace that froze the release: always accepted here.",
    "task": "Kind of the question, such as explicit_factoid, or question_answering for imported questions.",
    "level": "Level of difficulty: 1 to 4 after HawkBench, KS, KU or KA after R-Eval, or none.",
    "domain": "Domain of the item's documents.",
    "language": "Code of the question's language.",
    "question": "The question.",
    "answers": "All gold answers; the first one is displayed. Empty for an item of a withheld split.",
    "evidence": "The passages of documents that prove the answer.",
    "labels": "Labels of the item: values by name, such as facts from its source.",
    "inputs": "Texts that a system gets in addition to the question, by name.",
    "given": "Ids of the documents that belong to the question, in order.",
    "steps": "Steps in which the question was drafted from its documents.",
    "overlap": "Share of the question's content words that are in its evidence, 0 to 1.",
    "provenance": "How the question was written: agent, prompt, seed, calls and origin.",
    "split": "Name of the item's split.",
    "withheld": "True for an item whose answers, evidence and steps are withheld.",
    "answer_hashes": "Salted hash of each withheld answer; the makers of the release keep the salts.",
}
EVIDENCE = {
    "document": Column("Id of the document."),
    "start": Column("Offset of the first character (code point) in the document's text.", "int"),
    "end": Column("Offset after the last character (code point).", "int"),
    "text": Column("The text of the document from start to end."),
}
"""Description of the fields of an evidence span."""
VARIANTS = {
    "id": "Identifies the variant.",
    "item": "Id of the item whose question the variant rewords.",
    "revision": "Revision of the item whose question the variant rewords.",
    "kind": "Kind of the rewording, such as formality, spelling or human.",
    "text": "The reworded question.",
    "status": "State of the variant: accepted by a person, or drafted and not reviewed.",
    "generator": "Agent, program or person that made the variant.",
    "seed": "Random seed with which the variant was made.",
    "checks": "Results of the automatic checks on the variant.",
}
DOCUMENTS = {
    "id": "Hash of the text, which identifies the document.",
    "title": "Title of the document.",
    "domain": "Domain of the document.",
    "language": "Code of the document's language; und if it is unknown.",
    "origin": "Where the text comes from: a file, an address or a data set.",
    "licence": "Licence of the document; none if it is unknown.",
    "published": "Date, or date and time, at which the document was published.",
    "meta": "Further facts about the document from its source, by name.",
    "text": "The whole text of the document, which the offsets of evidence refer to.",
}
_ABOUT = {"items": ITEMS, "variants": VARIANTS, "documents": DOCUMENTS}
WITHHELD_COLUMNS = ("withheld", "answer_hashes")
"""Names of the columns that JSON lines have only on withheld items."""


def _describe_columns(kind: str) -> dict[str, Column]:
    return {name: Column(_ABOUT[kind][name], type_) for name, type_ in COLUMNS[kind].items()}


RECORD_FILES: Sequence[RecordFile] = (
    RecordFile(
        name="items",
        about="A question with its gold answers and evidence.",
        patterns=("data/items/*.parquet", "items*.parquet", "items.jsonl"),
        columns=_describe_columns("items"),
    ),
    RecordFile(
        name="variants",
        about="Another wording of an item's question.",
        patterns=("data/variants/*.parquet", "variants*.parquet", "variants.jsonl"),
        columns=_describe_columns("variants"),
    ),
    RecordFile(
        name="documents",
        about="A source text.",
        patterns=("data/documents/*.parquet", "documents*.parquet", "documents.jsonl"),
        columns=_describe_columns("documents"),
    ),
    RecordFile(
        name="golds",
        about="The gold answers of an item, which the program score.py reads.",
        patterns=("golds.jsonl",),
        columns={
            "id": Column("Id of the item."),
            "answers": Column("All gold answers.", "texts"),
            "language": Column("Code of the question's language."),
        },
    ),
    RecordFile(
        name="nuggets",
        about="The short facts that a good answer to an item's question must or may contain.",
        patterns=("nuggets.jsonl",),
        columns={
            "item": Column("Id of the item."),
            "answer": Column("The gold answer that the facts are about."),
            "language": Column("Code of the question's language."),
            "nuggets": Column("The facts: text, importance (vital or okay), and documents and offsets of evidence.", "json"),
            "by": Column("Person or agent that wrote the facts."),
            "prompts": Column("Identities of the prompts that the agent was asked with; empty for a person.", "texts"),
        },
    ),
    RecordFile(
        name="absence_twins",
        about="An absence twin: an item's question, asked while the passages that prove its answer are hidden from retrieval.",
        patterns=("absence.jsonl",),
        columns={
            "id": Column("Id of the twin: absence: and the id of the item."),
            "item": Column("Id of the item whose question is asked."),
            "hidden": Column("The hidden passages: document, offsets of start and end, and why each is hidden.", "json"),
        },
    ),
    RecordFile(
        name="table_list",
        about="An entity table whose rows answers were computed from.",
        patterns=(TABLE_LIST,),
        columns={
            "name": Column("Name of the table."),
            "hash": Column("Hash of the table's spec and rows."),
            "data": Column("Hash of the table's rows."),
            "rows": Column("Number of rows.", "int"),
            "file": Column("File with the table's rows."),
            "spec": Column("Columns, relations and functions of the table.", "json"),
        },
    ),
    RecordFile(
        name="spreadsheet",
        about="A question with its gold answers and evidence, as a row of a spreadsheet.",
        patterns=("items.csv",),
        columns={
            **{name: Column(ITEMS[name]) for name in ("id", "split", "task", "level", "domain", "language", "question")},
            "revision": Column(ITEMS["revision"], "int"),
            "overlap": Column(ITEMS["overlap"], "float"),
            "answer": Column("The first gold answer."),
            "other answers": Column("Further gold answers, as a JSON list."),
            "evidence": Column("Texts that prove the answer, one per line."),
            "evidence places": Column("Documents and offsets of the evidence, as a JSON list."),
            "documents": Column("Ids of the documents that belong to the question, as a JSON list."),
            "origin": Column("Whether the item was drafted, imported or written."),
            "agent": Column("Agent that drafted the item."),
            "withheld": Column("Yes for an item whose answers and evidence are withheld."),
            "answer hashes": Column("Salted hashes of withheld answers, as a JSON list."),
        },
        prefixes={
            "input: ": Column("A text that a system gets in addition to the question."),
            "label: ": Column("A label of the item."),
            "label question: ": Column("The reviewers' answer to a label question about the item."),
        },
    ),
    RecordFile(
        name="reviews",
        about="A decision of a person on an item or variant.",
        patterns=("reviews.jsonl",),
        columns={
            "id": Column("Identifies the review."),
            "item": Column("Id of the item or variant."),
            "revision": Column("Number of the revision that the decision is on.", "int"),
            "person": Column("Name of the person."),
            "decision": Column("The decision: accept, discard or undo."),
            "reason": Column("Reason for discarding; none for a withheld item."),
            "comment": Column("Comment of the person; none for a withheld item."),
            "seconds": Column("Active time in seconds; none if it was not measured.", "float"),
            "at": Column("Time of the decision in UTC."),
            "details": Column(
                "The person's marks on claims, the guideline version, what the person saw of the draft (`assistance`: draft, "
                "blind reveal or none; missing if no rule hid drafts) and further facts; none for a withheld item.",
                "json",
            ),
            "role": Column(
                "Empty if one person decides alone. If several people decide: 'opinion' for one person's view, 'settled' for a "
                "result by rule, 'adjudicated' for a result by a further person."
            ),
        },
    ),
    RecordFile(
        name="revisions",
        about="A revision of an item.",
        patterns=("revisions.jsonl",),
        columns={
            "item": Column("Id of the item."),
            "revision": Column("Number of the revision, from 1.", "int"),
            "base": Column(
                "Number of the revision that an opinion reworded; none if this revision became the current one.", "int"
            ),
            "by": Column("Agent or person that wrote the revision."),
            "at": Column("Time of the revision in UTC."),
            "question": Column("The revision's question; none for a withheld item."),
            "answers": Column("The revision's gold answers; none for a withheld item.", "texts"),
            "evidence": Column("Documents and offsets of the revision's evidence; none for a withheld item.", "json"),
            "labels": Column("The revision's labels; none for a withheld item.", "json"),
            "overlap": Column(ITEMS["overlap"], "float"),
        },
    ),
    RecordFile(
        name="comments",
        about="A comment of a person on an item.",
        patterns=("comments.jsonl",),
        columns={
            "id": Column("Identifies the comment."),
            "item": Column("Id of the item."),
            "person": Column("Name of the person."),
            "at": Column("Time of the comment in UTC."),
            "text": Column("The comment; none for a withheld item."),
            "taken_back_at": Column("Time at which the comment was withdrawn; none if it was not."),
        },
    ),
)


def find_record_files(folder: Path, is_withheld: bool, own: Sequence[RecordFile] = ()) -> Iterator[FoundFiles]:
    """Yield the record files in the folder that are not empty, with descriptions of their columns. `own` describes additional
    files that only this format writes."""
    for kind in [*own, *RECORD_FILES, *_describe_tables(folder)]:
        for pattern in kind.patterns:
            paths = sorted(path for path in folder.glob(pattern) if path.is_file() and path.stat().st_size)
            if not paths:
                continue
            columns = dict(kind.columns)
            if paths[0].suffix == ".jsonl" and not is_withheld:
                columns = {name: column for name, column in columns.items() if name not in WITHHELD_COLUMNS}
            if kind.prefixes:
                columns = _match_columns(kind, _read_header(paths[0]))
            yield FoundFiles(replace(kind, columns=columns), pattern, [path.relative_to(folder).as_posix() for path in paths])


def media_type(name: str) -> str:
    """Return the media type of a file, by the ending of its name."""
    return ENCODINGS.get(Path(name).suffix, "text/plain")


def _describe_tables(folder: Path) -> Iterator[RecordFile]:
    """Yield a description of each file with the rows of an entity table that the folder's tables.jsonl lists."""
    types = {"integer": "int", "number": "float", "boolean": "bool", "list": "texts"}
    described = set()
    for _, table, _ in read_lines(folder / TABLE_LIST) if (folder / TABLE_LIST).is_file() else ():
        if table is None or table["file"] in described:
            continue
        described.add(table["file"])  # snapshots with the same rows share a file
        entity = table["spec"].get("entity")
        yield RecordFile(
            name=f"table_{table['name']}_{Path(table['file']).stem[:8]}",
            about=f"A row of the table {table['name']}{f': one {entity}' if entity else ''}.",
            patterns=(table["file"],),
            columns={
                name: Column(f"Column {name} of the table {table['name']}, of type {type_}.", types.get(type_, "text"))
                for name, type_ in table["spec"]["columns"].items()
            },
        )


def _read_header(path: Path) -> list[str]:
    """Return the column names of a CSV file, or the keys in the first line of a file of JSON lines."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix == ".csv":
            return next(csv.reader(file), [])
        line = file.readline(MAX_READ_BYTES)
    try:
        return list(json.loads(line))
    except ValueError:
        return []


def _match_columns(kind: RecordFile, names: Sequence[str]) -> dict[str, Column]:
    """Return a dict from column name to description, for those of the `names` that `kind` describes."""
    found = {}
    for name in names:
        column = kind.columns.get(name) or next((c for start, c in kind.prefixes.items() if name.startswith(start)), None)
        if column:
            found[name] = column
    return found
