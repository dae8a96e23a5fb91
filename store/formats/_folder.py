"""Write the files that every exported folder contains besides its records: manifest, tables, dataset card, citation, HTML page,
two programs and checksums. Also build the records, in which the gold answers and evidence of withheld splits are missing."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Document, Item, Span
from core.quality.conversations import strip_revealing
from core.records import document_record, item_record, variant_record
from store.format import Bundle
from store.formats import _certificate, _half_life, _hashed_records
from store.formats._card import render_card
from store.formats._citation import render_citation
from store.formats._croissant import CROISSANT, RO_CRATE, hash_file, render_croissant
from store.formats._golds import hash_answers
from store.formats._page import GOLD_LABELS, render_page
from store.formats._record_files import RecordFile, find_record_files
from store.formats._ro_crate import render_ro_crate
from store.formats._tables import table_files
from store.formats._withheld import NAMES, hide_hashes, map_splits, sort_items, withheld_documents

SHIPPED = Path(__file__).parent / "shipped"
GOLDS = "golds.jsonl"
"""Name of the file with id, answers and language of each item that is not withheld. The program score.py reads this file in
folders that have no items.jsonl."""
OPENED = "opened.jsonl"
"""Name of the file that opens the seal of a sealed release: a line {"salt", "content"} for each item and for the manifest."""
CORPUS = "retrieval_corpus.txt"
"""Name of the file with the ids of the documents that systems may search, one per line. The file is written only if some
documents may not be searched."""


def make_cutter(documents: Iterable[Document]) -> Any:
    """Return a function that takes a span and returns its text, which it cuts out of the given documents."""
    texts = {document.id: document.text for document in documents}

    def cut(span: Span) -> str:
        if span.document not in texts:
            raise BenchError(
                f"Evidence points into document {span.document}, which is not in the release: freeze the release again."
            )
        return texts[span.document][span.start : span.end]

    return cut


def item_records(bundle: Bundle, withheld: frozenset[str], split: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the records of all items, or of the items in one split, in the order of the manifest. Each record contains the
    item's split. The record of a withheld item contains nothing that reveals the answer. The record contains salted hashes of
    the answers, with which the makers of the release can later prove which answers they chose."""
    cut, splits = make_cutter(bundle.documents), map_splits(bundle)
    for item in sort_items(bundle):
        of_item = splits.get(item.id, "test")
        if split not in (None, of_item):
            continue
        record = item_record(item, cut) | {"split": of_item}
        yield without_golds(item, record, bundle) if record["split"] in withheld else record


def without_golds(item: Item, record: Mapping[str, Any], bundle: Bundle) -> dict[str, Any]:
    """Return the record of a withheld item with salted hashes in place of its gold answers. The salt is not exported. The ids
    of the calls that drafted the item are left out, because they are hashes of requests, which may contain an answer."""
    hidden: dict[str, Any] = {"answers": [], "evidence": [], "steps": [], "overlap": None, "withheld": True}
    labels = {key: value for key, value in strip_revealing(item.labels).items() if key not in GOLD_LABELS}
    origin = {**record["provenance"], "calls": []}
    return dict(record) | hidden | {"provenance": origin, "labels": labels, "answer_hashes": hash_answers(item, bundle)}


def document_records(bundle: Bundle, withheld: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Yield the records of the documents, except documents that systems cannot search and that contain a withheld answer."""
    hidden = withheld_documents(bundle, withheld)
    return (document_record(d) for d in sorted(bundle.documents, key=lambda d: d.id) if d.id not in hidden)


def variant_records(bundle: Bundle, withheld: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Yield the records of all variants. Variants in withheld splits are included, because a variant reveals no answer."""
    return (variant_record(variant) for variant in sorted(bundle.variants, key=lambda v: v.id))


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write one record per line as JSON, keeping the order of its keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def write_common_files(bundle: Bundle, folder: Path, withheld: frozenset[str], record_files: Sequence[RecordFile] = ()) -> None:
    """Write the files that every exported folder contains, after the format has written its records. `record_files` describes
    the columns of files that only this format writes. The checksums are written last."""
    write_text(folder / "manifest.json", canonical_json(hide_hashes(bundle.manifest, withheld)) + "\n")
    if bundle.openings:
        write_lines(folder / OPENED, bundle.openings)
    if left_out := set(bundle.manifest.get("left_out", ())):
        searched = sorted({document.id for document in bundle.documents} - left_out)
        write_text(folder / CORPUS, "".join(f"{id_}\n" for id_ in searched))
    if kept_back := withheld_documents(bundle, withheld):
        write_text(folder / NAMES, "".join(f"{id_}\n" for id_ in sorted(kept_back)))
    for name, records in table_files(bundle.tables):
        write_lines(folder / name, records)
    for name, hashed in _hashed_records.list_files(bundle, withheld):
        write_lines(folder / name, hashed)
    if bundle.certificate:
        write_text(folder / _certificate.FILE, canonical_json(_certificate.make_record(bundle, withheld)) + "\n")
    if bundle.half_life:
        write_text(folder / _half_life.FILE, canonical_json(_half_life.make_record(bundle, withheld)) + "\n")
    if not (folder / "items.jsonl").is_file():
        write_lines(folder / GOLDS, _list_golds(bundle, withheld))
    found = list(find_record_files(folder, bool(withheld), record_files))
    write_text(folder / "README.md", render_card(bundle, withheld, folder, found))
    write_text(folder / "CITATION.cff", render_citation(bundle))
    write_text(folder / "index.html", render_page(bundle, withheld))
    write_text(folder / CROISSANT, render_croissant(bundle, folder, found))
    for program in ("verify.py", "score.py"):
        write_text(folder / program, (SHIPPED / program).read_text(encoding="utf-8"))
    write_text(folder / RO_CRATE, render_ro_crate(bundle, folder))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = {path.relative_to(folder).as_posix(): hash_file(path) for path in files}
    write_text(folder / "checksums.json", canonical_json({"release": bundle.hash, "name": bundle.name, "files": sums}) + "\n")


def _list_golds(bundle: Bundle, withheld: frozenset[str]) -> Iterable[dict[str, Any]]:
    """Yield a record with the fields that score.py reads for each item, for a folder without items.jsonl."""
    splits = map_splits(bundle)
    for item in sorted(bundle.items, key=lambda i: i.id):
        if splits.get(item.id, "test") not in withheld:
            yield {"id": item.id, "answers": list(item.answers), "language": item.language}


def write_text(path: Path, text: str | Iterable[str]) -> None:
    """Write a text to a file; the text is given as one string or as an iterable of pieces."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines([text] if isinstance(text, str) else text)


def read_release(folder: Path) -> tuple[dict[str, Any], str, str]:
    """Return (manifest, release name, release hash) of an exported folder, or ({}, "", "") if the folder has no manifest. If a
    file cannot be read, raises BenchError with the file's name."""
    if not (folder / "manifest.json").is_file():
        return {}, "", ""
    name = "manifest.json"
    try:
        manifest = json.loads((folder / name).read_text(encoding="utf-8"))
        name = "checksums.json"
        sums = json.loads((folder / name).read_text(encoding="utf-8"))
        return manifest, str(sums["name"]), str(sums["release"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        why = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise BenchError(f"{folder / name} {why}: export the release again, or fetch the folder again.") from error
