"""Check an exported folder: compare every file with checksums.json, every item, variant, document and table with manifest.json,
and the manifest with the release's hash. If the folder of a sealed release has opened.jsonl, compare the gold answers in it
with the commitments in manifest.json; if it has record.jsonl, check the record of the board. This program needs only the
standard library of Python: `python verify.py [FOLDER]`."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

OPENED, RECORD = "opened.jsonl", "record.jsonl"
"""Files that may be added to the exported folder of a sealed release: what opens the seal, and the record of the board."""
Problem = dict[str, Any]
"""A difference between folder and release: {"file", "line", "id", "message"}."""


def content_hash(value: Any) -> str:
    """Return the hash by which releases identify content: "b2:" and the 16-byte BLAKE2b hash of a text or of canonical JSON."""
    text = value if isinstance(value, str) else canonical(value)
    return "b2:" + hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


def canonical(value: Any) -> str:
    """Return the value as canonical JSON, with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def problem(file: str, message: str, line: int | None = None, id: str | None = None) -> Problem:
    return {"file": file, "line": line, "id": id, "message": message}


def unreadable(error: Exception) -> str:
    """Return the reason why a file or line cannot be read, in the same words for every version of Python."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON at line {error.lineno}, character {error.colno}"
    if isinstance(error, OSError):
        return error.strerror or "the disk cannot read it"
    return f"it has no {error.args[0]}" if isinstance(error, KeyError) else "it is not of the form that an export writes"


def verify(folder: str | Path) -> tuple[str | None, list[Problem]]:
    """Return (hash of the release or None, list of problems found in the folder)."""
    folder = Path(folder)
    try:
        sums = json.loads((folder / "checksums.json").read_text(encoding="utf-8"))
        listed, stated = dict(sums["files"]), str(sums["release"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        return None, [problem("checksums.json", f"cannot be read ({unreadable(error)}): export the release again.")]
    found = []
    if (folder / "checksums.json").read_bytes() != (canonical(sums) + "\n").encode("utf-8"):
        found.append(problem("checksums.json", "is not as it was written."))
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    for name in sorted(there - set(listed) - {"checksums.json", OPENED, RECORD}):
        found.append(problem(name, "does not belong to the release."))
    for name, digest in sorted(listed.items()):
        if name not in there:
            found.append(problem(name, "is missing."))
        elif hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            found.append(problem(name, "was changed: its checksum differs."))
    if "manifest.json" in there:
        found += contents(folder, stated, there)
    return stated, found


def contents(folder: Path, stated: str, there: set[str]) -> list[Problem]:
    """Return the problems in the manifest and in the records that it lists."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        named = {kind: {row["id"]: row for row in manifest[kind]} for kind in ("items", "variants", "documents")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [problem("manifest.json", f"cannot be read ({unreadable(error)}).")]
    found = []
    if content_hash(manifest) != stated and not is_in_part(manifest):
        found.append(problem("manifest.json", f"its hash is {content_hash(manifest)}, the release's is {stated}."))
    if (folder / OPENED).is_file():
        found += wrong_openings((folder / OPENED).read_text(encoding="utf-8").split("\n"), manifest)
    if (folder / RECORD).is_file():
        found += wrong_entries((folder / RECORD).read_text(encoding="utf-8").split("\n"), stated)
    found += wrong_tables(folder, manifest)
    found += wrong_certificate(folder, stated, set(named["items"]))
    found += wrong_half_life(folder, stated, set(named["items"]))
    found += wrong_corpus(folder, manifest, {row["id"] for row in manifest["documents"]})
    kept_back = lines_of(folder / "withheld_documents.txt")
    for name in sorted(kept_back - set(manifest.get("left_out", ()))):
        found.append(problem("withheld_documents.txt", "names a document that systems search: it must be here.", id=name))
    texts: dict[str, str] = {}
    for kind, record_hash in (("documents", document_hash), ("items", item_hash), ("variants", content_hash)):
        name = f"{kind}.jsonl"
        if name not in there:
            continue
        seen: set[str] = set()
        for number, line in enumerate((folder / name).read_text(encoding="utf-8").split("\n"), 1):
            if not line:
                continue
            try:
                record = json.loads(line)
                row = named[kind].get(record["id"])
                seen.add(record["id"])
                if kind == "documents":
                    texts[record["id"]] = record["text"]
                if row is None:
                    found.append(problem(name, "is not in the manifest.", number, record["id"]))
                elif not record.get("withheld") and record_hash(record) != (row.get("hash") or row["id"]):
                    found.append(problem(name, "was changed: its content hash differs.", number, record["id"]))
                if kind == "items":
                    found += [problem(name, m, number, record["id"]) for m in wrong_spans(record, texts, kept_back)]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                found.append(problem(name, f"cannot be read ({unreadable(error)}).", number))
        found += [problem(name, "is missing.", None, i) for i in named[kind] if i not in seen | kept_back]
    nuggets, twins = manifest.get("nugget_sets", ()), manifest.get("absence_twins", {}).get("twins", ())
    found += wrong_hashed_records(folder, "nuggets.jsonl", nuggets)
    found += wrong_hashed_records(folder, "absence.jsonl", twins)
    return found


def is_in_part(manifest: dict[str, Any]) -> bool:
    """Return whether the manifest lacks the hashes of withheld items, so that the release's hash cannot be computed from it."""
    return any("hash" not in row and "commitment" not in row for row in manifest["items"])


def commitment(*lines: str) -> str:
    """Return "sha256:" and the SHA-256 hash of the lines, joined by line feeds, in UTF-8."""
    return "sha256:" + hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def wrong_openings(lines: Iterable[str], manifest: dict[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each item of a sealed release whose opened content or salt does not match its commitment. `lines` are
    those of opened.jsonl."""
    if "seal" not in manifest:
        yield problem(OPENED, "does not belong to the release, which is not sealed.")
        return
    wanted = {row["id"]: row["commitment"] for row in manifest["items"] if "commitment" in row}
    wanted["manifest"] = manifest["seal"]["manifest"]
    seen: set[str] = set()
    hashes: dict[str, str] = {}
    whole: dict[str, Any] = {"items": []}
    for number, line in enumerate(lines, 1):
        try:
            if not line:
                continue
            record = json.loads(line)
            content = record["content"]
            name = content["id"]
            if name not in wanted or name in seen:
                what = "stands twice." if name in seen else "is not in the manifest."
                yield problem(OPENED, what, number, name)
            elif commitment(manifest["seal"]["scheme"], record["salt"], canonical(content)) != wanted[name]:
                yield problem(OPENED, "does not match its commitment: it or its salt was changed.", number, name)
            elif name == "manifest":
                whole = content["manifest"]
            else:
                hashes[content["item"]["id"]] = content_hash(content["item"])
            seen.add(name)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            yield problem(OPENED, f"cannot be read ({unreadable(error)}).", number)
    for name in sorted(set(wanted) - seen):
        yield problem(OPENED, "is missing.", None, name)
    for row in whole["items"]:
        if row["id"] in hashes and row["hash"] != hashes[row["id"]]:
            yield problem(OPENED, "differs from the whole manifest.", None, row["id"])


def wrong_entries(lines: Iterable[str], stated: str) -> Iterator[Problem]:
    """Yield the problems in the record of the board, in which each entry has the hash of the entry before it. `lines` are those
    of record.jsonl, and `stated` is the hash of the release."""
    previous, at, number = "", "", 0
    for number, line in enumerate(filter(None, lines), 1):
        try:
            entry = json.loads(line)
            if number == 1 and entry["kind"] != "sealed":
                yield problem(RECORD, "does not begin with the entry that sealed the release.", number)
            own = {key: value for key, value in entry.items() if key != "hash"}
            if entry["release"] != stated:
                yield problem(RECORD, f"is of another release, {entry['release']}.", number)
            if entry["number"] != number or entry["previous"] != previous:
                yield problem(RECORD, "does not continue the entry before it: an entry was removed, added or moved.", number)
            if commitment("benchwright-board-1", canonical(own)) != entry["hash"]:
                yield problem(RECORD, "was changed: its hash differs.", number)
            if entry["at"] < at:
                yield problem(RECORD, "is older than the entry before it.", number)
            previous, at = entry["hash"], entry["at"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            yield problem(RECORD, f"cannot be read ({unreadable(error)}).", number)
    if not number:
        yield problem(RECORD, "is empty, but a board has at least the entry that sealed the release.")


def wrong_corpus(folder: Path, manifest: dict[str, Any], documents: set[str]) -> Iterator[Problem]:
    """Yield the problems in the list of documents that systems may search. The list must contain all documents except those
    under the manifest's key `left_out`."""
    left_out = set(manifest.get("left_out", ()))
    for name in sorted(left_out - documents):
        yield problem("manifest.json", "leaves out a document that the release does not hold.", id=name)
    if left_out and documents - left_out != lines_of(folder / "retrieval_corpus.txt"):
        yield problem("retrieval_corpus.txt", "is not the release's documents without those that its manifest leaves out.")


def wrong_hashed_records(folder: Path, name: str, rows: Iterable[dict[str, str]]) -> Iterator[Problem]:
    """Yield the problems in a file with one record per item, whose hashes the manifest gives in `rows`. The release has such
    files for nuggets (facts that good answers contain) and for absence twins."""
    wanted, listed = {row["hash"]: row["item"] for row in rows}, folder / name
    for number, line in enumerate(listed.read_text(encoding="utf-8").split("\n") if listed.is_file() else (), 1):
        try:
            if line and wanted.pop(content_hash(json.loads(line)), None) != json.loads(line)["item"]:
                yield problem(name, "was changed: its content hash is not in the manifest.", number, json.loads(line)["item"])
        except (ValueError, KeyError, TypeError) as error:
            yield problem(name, f"cannot be read ({unreadable(error)}).", number)
    for item in sorted(set(wanted.values()) & (items_with_gold(folder) if wanted else set())):
        yield problem(name, "is missing.", None, item)


def items_with_gold(folder: Path) -> set[str]:
    """Return the ids of the items whose gold answers, and therefore nuggets, are in the folder; lines that cannot be read are
    left out."""
    found = set()
    for name in ("items.jsonl", "golds.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").split("\n") if (folder / name).is_file() else ():
            with suppress(ValueError, KeyError, TypeError, AttributeError):
                record = json.loads(line)
                found |= set() if record.get("withheld") else {str(record["id"])}
    return found


def wrong_certificate(folder: Path, stated: str, items: set[str]) -> Iterator[Problem]:
    """Yield the problems in the certificate of the release, which must belong to this release and name only its items."""
    name, file = "certificate.json", folder / "certificate.json"
    if not file.is_file():
        return
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["hash"] != stated:
            yield problem(name, f"is of another release, {record['hash']}.")
        for item in sorted({row["item"] for row in record["results"]} - items):
            yield problem(name, "names an item that is not in the manifest.", id=item)
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield problem(name, f"cannot be read ({unreadable(error)}).")


def wrong_half_life(folder: Path, stated: str, items: set[str]) -> Iterator[Problem]:
    """Yield the problems in the half-life checks of the release, which must belong to this release and name only its items."""
    name, file = "half_life.json", folder / "half_life.json"
    if not file.is_file():
        return
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["hash"] != stated:
            yield problem(name, f"is of another release, {record['hash']}.")
        for item in sorted({row["item"] for check in record["checks"] for row in check["answers"]} - items):
            yield problem(name, "names an item that is not in the manifest.", id=item)
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield problem(name, f"cannot be read ({unreadable(error)}).")


def wrong_tables(folder: Path, manifest: dict[str, Any]) -> Iterator[Problem]:
    """Yield the problems in the entity tables of the release."""
    wanted = {row["hash"]: row["name"] for row in manifest.get("tables", ())}
    name, listed = "tables.jsonl", folder / "tables.jsonl"
    for number, line in enumerate(listed.read_text(encoding="utf-8").split("\n") if listed.is_file() else (), 1):
        try:
            if not line:
                continue
            record = json.loads(line)
            columns = record["spec"]["columns"]
            text = (folder / "tables" / (record["data"].rpartition(":")[2] + ".jsonl")).read_text(encoding="utf-8")
            rows = [[json.loads(row)[column] for column in columns] for row in text.split("\n") if row]
            data = content_hash([[list(pair) for pair in columns.items()], rows])
            if wanted.pop(record["hash"], None) is None:
                yield problem(name, "is not in the manifest.", number, record["name"])
            elif content_hash([record["spec"], data]) != record["hash"]:
                yield problem(name, "was changed: its content hash differs.", number, record["name"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            yield problem(name, f"cannot be read ({unreadable(error)}).", number)
    for table in sorted(wanted.values()):
        yield problem(name, "is missing.", None, table)


def lines_of(file: Path) -> set[str]:
    """Return the ids in a file with one id per line; empty if the file does not exist."""
    return set(file.read_text(encoding="utf-8").split()) if file.is_file() else set()


def item_hash(record: dict[str, Any]) -> str:
    """Return the hash of an item's record without its split; it must equal the hash in the manifest."""
    return content_hash({key: value for key, value in record.items() if key != "split"})


def document_hash(record: dict[str, Any]) -> str:
    return content_hash(record["text"])


def wrong_spans(record: dict[str, Any], texts: dict[str, str], kept_back: set[str]) -> Iterator[str]:
    """Yield a message for each evidence span whose text is not the document's text at these offsets. Spans in documents outside
    the folder are not checked."""
    for span in record["evidence"]:
        if span["document"] in kept_back:
            continue
        text = texts.get(span["document"])
        if text is None:
            yield f"evidence points into document {span['document']}, which is not in documents.jsonl."
        elif span["end"] > len(text) or text[span["start"] : span["end"]] != span["text"]:
            yield f"evidence {span['start']}-{span['end']} of {span['document']} is not the text that stands there."


def describe_limits(folder: Path) -> Iterator[str]:
    """Yield a sentence for each thing that the folder cannot prove, or that it proves beyond its own content."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        hidden = sum("hash" not in row and "commitment" not in row for row in manifest["items"])
        sealed = sum("commitment" in row for row in manifest["items"])
    except (OSError, ValueError, KeyError, TypeError):
        return
    if hidden:
        yield f"{hidden} items are withheld without their hashes, so this folder cannot prove the release's hash."
    if sealed and not (folder / OPENED).is_file():
        yield f"{sealed} items are sealed: put {OPENED} here when the seal is opened, and run this program again."
    elif sealed:
        yield f"{sealed} items were sealed, and are compared with their commitments."
    if (folder / RECORD).is_file():
        entries = [line for line in (folder / RECORD).read_text(encoding="utf-8").split("\n") if line]
        with suppress(ValueError, KeyError, TypeError, IndexError):
            last = json.loads(entries[-1])["hash"]
            yield f"{RECORD} has {len(entries)} entries; compare the last one, {last}, with a receipt or an older copy."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="default: the folder of this file")
    folder = parser.parse_args().folder
    stated, found = verify(folder)
    for row in found:
        where = row["file"] + (f":{row['line']}" if row["line"] else "")
        print(f"{where}: {row['id'] + ' ' if row['id'] else ''}{row['message']}")
    print(f"{stated}: {'ok' if not found else f'{len(found)} problems'}")
    for line in describe_limits(folder):
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
