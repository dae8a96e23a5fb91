"""HawkBench's released layout: data/HawkBench/level_{1..4}/{domain}.jsonl and all_context.json. Written from a release, read
from a folder or a tar archive. Ours is the canonical record, this a view of it: evidence and history have no place there.

Rules. A context is a text with its domain and meta, its id md5(first 1,024 + last 1,024 characters). An item given several
documents has them joined by blank lines as its context. `_id` is md5(question + answer); an imported item keeps its own, its
context id and all else that ours would not say the same way in labels.hawkbench. Statements are told for level 4 only."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.errors import BenchError
from core.ids import content_hash, derived_id
from core.json_lines import strict_json
from core.nouns import Document, Item, Provenance
from store.format import Bundle, Format
from store.formats._folder import write_common_files, write_lines, write_text
from store.formats._lines import describe_refusal
from store.formats._outside import check_item, read_answers, read_document, read_language, read_level, read_question
from store.formats._tree import Tree, read_level_lines, read_tree
from store.formats._withheld import map_splits

TASKS = {1: "explicit_factoid", 2: "implicit_factoid", 3: "explicit_rationale", 4: "implicit_rationale"}
KEYS = ("input", "answers", "context_id", "_id", "label", "type", "selections", "selection_answers")
"""The keys of a line, in their order."""
STATEMENTS = ("selections", "selection_answers")
ORIGIN = "HawkBench layout"
ROOT = Path("data") / "HawkBench"


def context_id(text: str) -> str:
    return _md5(text[:1024] + text[-1024:])


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Lines sorted by their _id. Raises BenchError when an item has no level of HawkBench's, or belongs to no document."""
    splits, texts = map_splits(bundle), {document.id: document for document in bundle.documents}
    lines: dict[tuple[int, str], list[dict[str, Any]]] = {}
    contexts: dict[str, dict[str, Any]] = {}
    _check(bundle, texts)
    for item in sorted(bundle.items, key=lambda i: i.id):
        name, context = _context(item, texts)
        if contexts.setdefault(name, context)["context"] != context["context"]:
            name = _md5(context["context"])  # another text with the same ends: HawkBench's id sees only those
            contexts[name] = context
        line = _line(item, name)
        if splits.get(item.id, "test") in withheld:
            hashes = [content_hash([bundle.salts[item.id], answer]) for answer in item.answers]
            line |= {"answers": [], "_id": item.id, "selections": "", "selection_answers": "", "answer_hashes": hashes}
        lines.setdefault((int(str(item.level)), item.domain), []).append(line)
    told = {context["context"] for context in contexts.values()}
    for document in bundle.documents:
        if document.origin == ORIGIN and document.text not in told:  # it came as a context that no item names
            name = context_id(document.text)
            name = _md5(document.text) if name in contexts else name
            contexts[name] = {"context": document.text, "domain": document.domain, "meta": dict(document.meta)}
    for (level, domain), found in sorted(lines.items()):
        file = folder / ROOT / f"level_{level}" / f"{_file_name(domain)}.jsonl"
        write_lines(file, sorted(found, key=lambda line: str(line["_id"])))
    write_text(folder / ROOT / "all_context.json", json.dumps(dict(sorted(contexts.items())), ensure_ascii=False) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """A folder in which level_*/*.jsonl and all_context.json stand at any depth, a .tar, .tar.gz, .tar.bz2, .tar.xz of one, or
    an all_context.json alone. Every context becomes a document, whether an item names it or not. A line whose context is not
    there is refused, with its place."""
    tree = read_tree(path)
    refused: list[Mapping[str, Any]] = list(tree.refused)
    documents = _documents(tree, refused)
    items: dict[str, Item] = {}
    first: dict[str, Mapping[str, Any]] = {}
    for where, level, label, (number, record, why) in read_level_lines(tree):
        try:
            if record is None:
                raise ValueError(why)
            item = _item(record, level, label, documents)
            if first.get(item.id) == record:
                raise ValueError(f"repeats the record of _id {item.id}")
            if item.id in items:
                item = _give_own_id(item)
        except ValueError as error:
            refused.append(describe_refusal(where, number, str(error)))
            continue
        items[item.id], first[item.id] = item, record
    if not items and (tree.lines or not documents):
        raise BenchError(str(refused[0]["message"]) if refused else f"{path} holds neither contexts nor items.")
    kept = {document.id: document for document in documents.values()}
    return Bundle(documents=list(kept.values()), items=list(items.values()), refused=refused)


def _check(bundle: Bundle, texts: Mapping[str, Document]) -> None:
    if odd := [item.id for item in bundle.items if item.level not in TASKS]:
        raise BenchError(
            f"{len(odd)} items have no level from 1 to 4, {odd[0]} among them: HawkBench's layout has no place for them, "
            "freeze a release of the four levels with --task."
        )
    if bare := [
        item.id for item in bundle.items if not _context_documents(item) or not set(_context_documents(item)) <= texts.keys()
    ]:
        raise BenchError(
            f"{len(bare)} items belong to no document of the release, {bare[0]} among them: HawkBench's layout needs a context."
        )


def _context_documents(item: Item) -> tuple[str, ...]:
    """The documents whose text is the item's context."""
    return item.given or tuple(dict.fromkeys(span.document for span in item.evidence))


def _context(item: Item, texts: Mapping[str, Document]) -> tuple[str, dict[str, Any]]:
    """(context id, its entry in all_context.json)."""
    found = [texts[name] for name in _context_documents(item)]
    kept = _read_kept_fields(item)
    if len(found) == 1:
        [one] = found
        meta = dict(one.meta) if one.origin == ORIGIN else {"title": one.title, **one.meta}
        return str(kept.get("context_id") or context_id(one.text)), {"context": one.text, "domain": one.domain, "meta": meta}
    joined = "\n\n".join(document.text for document in found)
    meta = {"title": " / ".join(document.title for document in found), "documents": [document.id for document in found]}
    return context_id(joined), {"context": joined, "domain": item.domain, "meta": meta}


def _line(item: Item, context: str) -> dict[str, Any]:
    kept = _read_kept_fields(item)
    answer = item.answers[0] if item.answers else ""
    line = {
        "input": item.question,
        "answers": list(item.answers),
        "context_id": context,
        "_id": kept.get("_id", _md5(item.question + answer)),
        "label": item.domain,
        "type": item.level,
    } | {name: _format_label(item, name) for name in STATEMENTS}
    same = {name: text for name, text in kept.get("as_read", {}).items() if _is_same_label(text, item.labels.get(name))}
    return line | same | dict(kept.get("more", {}))


def _read_kept_fields(item: Item) -> Mapping[str, Any]:
    found = item.labels.get("hawkbench")
    return found if isinstance(found, Mapping) else {}


def _format_label(item: Item, name: str) -> str:
    return json.dumps(item.labels[name], ensure_ascii=False) if item.level == 4 and name in item.labels else ""


def _is_same_label(text: Any, label: Any) -> bool:
    """Whether a field as it was read still says what the label says, which a person may have edited since."""
    read = json.loads(text) if isinstance(text, str) and text else text
    return bool(read == label or (not read and not label))


def _documents(tree: Tree, refused: list[Mapping[str, Any]]) -> dict[str, Document]:
    """Context id -> its document."""
    found: dict[str, Document] = {}
    for name, entry in tree.contexts.items():
        try:
            if not isinstance(entry, Mapping) or not isinstance(entry.get("meta", {}), Mapping):
                raise ValueError("is no object with context, domain and meta")
            meta = entry.get("meta", {})
            title, licence = (
                next((str(meta[k]) for k in keys if isinstance(meta.get(k), str) and meta[k]), None)
                for keys in (("title", "Title"), ("licence", "license"))
            )
            domain = entry.get("domain")
            found[name] = read_document(
                entry.get("context"),
                title=title,
                domain=domain if isinstance(domain, str) and domain else "general",
                origin=ORIGIN,
                licence=licence,
                meta=dict(meta),
            )
        except ValueError as error:
            refused.append(describe_refusal(f"{tree.contexts_name} {name}", None, str(error)))
    return found


def _item(record: Mapping[str, Any], folder_level: str, file_label: str, documents: Mapping[str, Document]) -> Item:
    """Raises ValueError with the end of a sentence that begins with the line's place."""
    if record.get("answer_hashes") and not record.get("answers"):
        raise ValueError("is withheld: its answers are not in this layout")
    question, answers = read_question(record, "input"), read_answers({"answers": record.get("answers")})
    level = read_level(record.get("type", int(folder_level) if folder_level in ("1", "2", "3", "4") else folder_level))
    if level not in TASKS:
        raise ValueError(f"has the type {level!r}, which is no level from 1 to 4")
    context = record.get("context_id")
    if not isinstance(context, str) or context not in documents:
        raise ValueError(f"names the context {str(context)[:40]!r}, which is not in all_context.json")
    domain, own = record.get("label", file_label), record.get("_id")
    if not isinstance(domain, str) or not domain or not isinstance(own, str | None) or own == "":
        raise ValueError("has a label or an _id that is not text")
    labels = _statements(record)
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
        language=read_language({}, question + " " + answers[0]),
        status="accepted",
        labels=labels,
        given=(documents[context].id,),
        provenance=Provenance(origin="imported"),
    )
    if odd := {name: record[name] for name in STATEMENTS if record.get(name, "") != _format_label(item, name)}:
        kept["as_read"] = odd
    return check_item(replace(item, labels=labels | {"hawkbench": kept}))


def _statements(record: Mapping[str, Any]) -> dict[str, Any]:
    """The lettered statements and the letters of the true ones, where the line has them."""
    given = record.get("selections") or "", record.get("selection_answers") or ""
    if not any(given):
        return {}
    try:
        selections, answers = (strict_json(text) if isinstance(text, str) else text for text in given)
    except ValueError as error:
        raise ValueError(f"has selections or selection_answers of which one {error}") from error
    if not isinstance(selections, dict) or not isinstance(answers, list):
        raise ValueError("has selections that are no object, or selection_answers that are no list")
    if not {str(letter) for letter in answers} <= selections.keys():
        raise ValueError("has selection_answers that are not among its selections")
    return {"selections": selections, "selection_answers": answers}


def _give_own_id(item: Item) -> Item:
    """An item whose _id another one has already taken, with other words or another context."""
    context = item.labels["hawkbench"]["context_id"]
    id_ = derived_id("hawkbench", item.id, item.question, *item.answers, context, item.level, item.domain)
    return replace(item, id=id_)


def _file_name(domain: str) -> str:
    """The domain as a file's name, whatever it is called."""
    plain = "".join(c if c.isalnum() or c in " _-" else "%2E" if c == "." else quote(c, safe="") for c in domain)
    return plain if len(plain.encode("utf-8")) <= 200 else _md5(domain)


def _md5(text: str) -> str:
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()


FORMAT = Format(label="HawkBench layout", write=write, read=read)
