"""Read and write HawkBench's published layout: data/HawkBench/level_{1..4}/{domain}.jsonl and all_context.json. The input is a
folder or a tar archive. HawkBench's layout has no evidence and no review history.

A context is a text with its domain and meta; its id is the md5 of its first 1,024 and last 1,024 characters. If several
documents were given with an item, its context consists of their texts joined by blank lines. `_id` is the md5 of question and
answer. For an imported item, labels.hawkbench stores the original `_id`, context id and all fields that an export would
otherwise write differently. Only questions of level 4 have statements."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.errors import BenchError
from core.ids import derived_id
from core.json_lines import strict_json
from core.nouns import Document, Item, Provenance
from store.format import Bundle, Format
from store.formats._as_read import read_kept
from store.formats._folder import write_common_files, write_lines, write_text
from store.formats._golds import hash_answers, is_withheld
from store.formats._lines import WITHHELD, describe_refusal
from store.formats._outside import check_item, read_answers, read_document, read_language, read_level, read_question
from store.formats._record_files import Column, RecordFile
from store.formats._tree import Tree, read_level_lines, read_tree
from store.formats._withheld import select_withheld, sort_items

TASKS = {1: "explicit_factoid", 2: "implicit_factoid", 3: "explicit_rationale", 4: "implicit_rationale"}
KEYS = ("input", "answers", "context_id", "_id", "label", "type", "selections", "selection_answers")
"""Keys of a HawkBench line, in their order."""
STATEMENTS = ("selections", "selection_answers")
ORIGIN = "HawkBench layout"
ROOT = Path("data") / "HawkBench"
RECORD_FILES = (
    RecordFile(
        name="questions",
        about="A question with its answers. The file's name gives level and domain; all_context.json has the contexts.",
        patterns=(f"{ROOT.as_posix()}/level_*/*.jsonl",),
        columns={
            "input": Column("The question."),
            "answers": Column("All gold answers; empty for an item of a withheld split.", "texts"),
            "context_id": Column("Id of the context: md5 of its first and last 1,024 characters."),
            "_id": Column("Id of the question: md5 of question and answer."),
            "label": Column("The domain."),
            "type": Column("Level of the question, 1 to 4.", "int"),
            "selections": Column("Statements to choose from in a level 4 question, as a JSON text."),
            "selection_answers": Column("Letters of the true statements of a level 4 question, as a JSON text."),
            "answer_hashes": Column("Salted hash of each withheld answer; only withheld items have it.", "json"),
        },
    ),
)


def context_id(text: str) -> str:
    """Return the id that HawkBench uses for a context with this text."""
    return _hash_md5(text[:1024] + text[-1024:])


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write HawkBench's JSON lines sorted by _id. Raises BenchError if an item has a level that HawkBench lacks, or has no
    document."""
    texts, hidden = {document.id: document for document in bundle.documents}, select_withheld(bundle, withheld)
    lines: dict[tuple[int, str], list[dict[str, Any]]] = {}
    contexts: dict[str, dict[str, Any]] = {}
    _check(bundle, texts)
    for item in sort_items(bundle):
        name, context = _build_context(item, texts)
        if contexts.setdefault(name, context)["context"] != context["context"]:
            name = _hash_md5(context["context"])  # texts that begin and end alike share a context_id
            contexts[name] = context
        line = _build_line(item, name)
        if item.id in hidden:
            line |= {"answers": [], "_id": item.id, "selections": "", "selection_answers": ""}
            line["answer_hashes"] = hash_answers(item, bundle)
        lines.setdefault((int(str(item.level)), item.domain), []).append(line)
    written = {context["context"] for context in contexts.values()}
    for document in bundle.documents:
        if document.origin == ORIGIN and document.text not in written:  # a context that belongs to no item
            name = context_id(document.text)
            name = _hash_md5(document.text) if name in contexts else name
            contexts[name] = {"context": document.text, "domain": document.domain, "meta": dict(document.meta)}
    for (level, domain), group in sorted(lines.items()):
        file = folder / ROOT / f"level_{level}" / f"{_encode_file_name(domain)}.jsonl"
        write_lines(file, sorted(group, key=lambda line: str(line["_id"])))
    write_text(folder / ROOT / "all_context.json", json.dumps(dict(sorted(contexts.items())), ensure_ascii=False) + "\n")
    write_common_files(bundle, folder, withheld, RECORD_FILES)


def read(path: Path) -> Bundle:
    """Read the items of a folder that contains level_*/*.jsonl and all_context.json at any depth, or of a .tar, .tar.gz,
    .tar.bz2 or .tar.xz archive of such a folder. From a single all_context.json, only documents are read. Every context becomes
    a document, even if no item names it. A line that names a missing context is rejected with its position."""
    tree = read_tree(path)
    refused: list[Mapping[str, Any]] = list(tree.refused)
    documents = _read_documents(tree, refused)
    items: dict[str, Item] = {}
    first: dict[str, Mapping[str, Any]] = {}
    for where, level, label, (number, record, why) in read_level_lines(tree):
        try:
            if record is None:
                raise ValueError(why)
            item = _parse_item(record, level, label, documents)
            if first.get(item.id) == record:
                raise ValueError(f"repeats the record with the _id {item.id}")
            if item.id in items:
                item = _give_own_id(item)
        except ValueError as error:
            refused.append(describe_refusal(where, number, str(error)))
            continue
        items[item.id], first[item.id] = item, record
    if not items and (tree.lines or not documents):
        raise BenchError(str(refused[0]["message"]) if refused else f"{path} holds neither contexts nor items.")
    distinct = {document.id: document for document in documents.values()}
    return Bundle(documents=list(distinct.values()), items=list(items.values()), refused=refused)


def _check(bundle: Bundle, texts: Mapping[str, Document]) -> None:
    if odd := [item.id for item in bundle.items if item.level not in TASKS]:
        raise BenchError(
            f"{len(odd)} items have no level from 1 to 4, for example {odd[0]}: HawkBench's layout cannot hold them; "
            "freeze a release of the four levels with --task."
        )
    contexts = {item.id: set(_list_context_documents(item)) for item in bundle.items}
    if bare := [id_ for id_, documents in contexts.items() if not documents or not documents <= texts.keys()]:
        raise BenchError(
            f"{len(bare)} items belong to no document of the release, for example {bare[0]}: HawkBench's layout needs a "
            "context."
        )


def _list_context_documents(item: Item) -> tuple[str, ...]:
    """Return the ids of the documents that together are the HawkBench context of the item."""
    return item.given or tuple(dict.fromkeys(span.document for span in item.evidence))


def _build_context(item: Item, texts: Mapping[str, Document]) -> tuple[str, dict[str, Any]]:
    """Return (context id, the context's entry in all_context.json) for an item."""
    documents = [texts[name] for name in _list_context_documents(item)]
    if len(documents) == 1:
        [document] = documents
        name = str(read_kept(item, "hawkbench").get("context_id") or context_id(document.text))
        meta = dict(document.meta) if document.origin == ORIGIN else {"title": document.title, **document.meta}
        return name, {"context": document.text, "domain": document.domain, "meta": meta}
    joined = "\n\n".join(document.text for document in documents)
    meta = {"title": " / ".join(document.title for document in documents), "documents": [d.id for d in documents]}
    return context_id(joined), {"context": joined, "domain": item.domain, "meta": meta}


def _build_line(item: Item, context: str) -> dict[str, Any]:
    kept = read_kept(item, "hawkbench")
    answer = item.answers[0] if item.answers else ""
    line = {
        "input": item.question,
        "answers": list(item.answers),
        "context_id": context,
        "_id": kept.get("_id", _hash_md5(item.question + answer)),
        "label": item.domain,
        "type": item.level,
    } | {name: _format_label(item, name) for name in STATEMENTS}
    same = {name: text for name, text in kept.get("as_read", {}).items() if _is_same_label(text, item.labels.get(name))}
    return line | same | dict(kept.get("more", {}))


def _format_label(item: Item, name: str) -> str:
    return json.dumps(item.labels[name], ensure_ascii=False) if item.level == 4 and name in item.labels else ""


def _is_same_label(text: Any, label: Any) -> bool:
    """Check whether the label still has the field's original value, which means that nobody has edited it."""
    read = json.loads(text) if isinstance(text, str) and text else text
    return bool(read == label or (not read and not label))


def _read_documents(tree: Tree, refused: list[Mapping[str, Any]]) -> dict[str, Document]:
    """Return a dict from HawkBench's context id to the document made from the context."""
    documents: dict[str, Document] = {}
    for name, entry in tree.contexts.items():
        try:
            if not isinstance(entry, Mapping) or not isinstance(entry.get("meta", {}), Mapping):
                raise ValueError("is not an object with context, domain and meta")
            meta = entry.get("meta", {})
            title, licence = (
                next((str(meta[k]) for k in keys if isinstance(meta.get(k), str) and meta[k]), None)
                for keys in (("title", "Title"), ("licence", "license"))
            )
            domain = entry.get("domain")
            documents[name] = read_document(
                entry.get("context"),
                title=title,
                domain=domain if isinstance(domain, str) and domain else "general",
                origin=ORIGIN,
                licence=licence,
                meta=dict(meta),
            )
        except ValueError as error:
            refused.append(describe_refusal(f"{tree.contexts_name} {name}", None, str(error)))
    return documents


def _parse_item(record: Mapping[str, Any], folder_level: str, file_label: str, documents: Mapping[str, Document]) -> Item:
    """Parse a record as an item. Raises ValueError if the record is faulty; the caller adds the position in the file to the
    message."""
    if is_withheld(record, record.get("answers")):
        raise ValueError(WITHHELD)
    question, answers = read_question(record, "input"), read_answers({"answers": record.get("answers")})
    level = read_level(record.get("type", int(folder_level) if folder_level in ("1", "2", "3", "4") else folder_level))
    if level not in TASKS:
        raise ValueError(f"has the type {level!r}, which is not a level from 1 to 4")
    context = record.get("context_id")
    if not isinstance(context, str) or context not in documents:
        raise ValueError(f"names the context {str(context)[:40]!r}, which is not in all_context.json")
    domain, own = record.get("label", file_label), record.get("_id")
    if not isinstance(domain, str) or not domain or not isinstance(own, str | None) or own == "":
        raise ValueError("has a label or an _id that is not text")
    labels = _parse_statements(record)
    kept: dict[str, Any] = {"context_id": context} | ({} if own is None else {"_id": own})
    if more := {name: value for name, value in record.items() if name not in KEYS}:
        kept["more"] = more
    item = Item(
        id=own or derived_id("hawkbench", question, *answers, context, level, domain),
        task=TASKS[int(str(level))],
        question=question,
        answers=answers,
        level=level,
        domain=domain,
        language=read_language({}, question + " " + answers[0], "en"),
        status="accepted",
        labels=labels,
        given=(documents[context].id,),
        provenance=Provenance(origin="imported"),
    )
    if odd := {name: record[name] for name in STATEMENTS if record.get(name, "") != _format_label(item, name)}:
        kept["as_read"] = odd
    return check_item(replace(item, labels=labels | {"hawkbench": kept}))


def _parse_statements(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lettered statements of a level 4 question and the letters of the true statements; an empty dict if the line
    has none."""
    values = [record.get(name) or "" for name in STATEMENTS]
    if not any(values):
        return {}
    try:
        selections, answers = (strict_json(value) if isinstance(value, str) else value for value in values)
    except ValueError as error:
        raise ValueError(f"has invalid selections or selection_answers: one of them {error}") from error
    if not isinstance(selections, dict) or not isinstance(answers, list):
        raise ValueError("has selections that are not an object, or selection_answers that are not a list")
    if not {str(letter) for letter in answers} <= selections.keys():
        raise ValueError("has selection_answers that are not among its selections")
    return {"selections": selections, "selection_answers": answers}


def _give_own_id(item: Item) -> Item:
    """Return the item with a new id, because its _id already belongs to an item with a different text or context."""
    context = item.labels["hawkbench"]["context_id"]
    id_ = derived_id("hawkbench", item.id, item.question, *item.answers, context, item.level, item.domain)
    return replace(item, id=id_)


def _encode_file_name(domain: str) -> str:
    """Return the domain as a file name, with special characters encoded."""
    plain = "".join(c if c.isalnum() or c in " _-" else "%2E" if c == "." else quote(c, safe="") for c in domain)
    return plain if len(plain.encode("utf-8")) <= 200 else _hash_md5(domain)


def _hash_md5(text: str) -> str:
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()


FORMAT = Format(label="HawkBench layout", write=write, read=read)
