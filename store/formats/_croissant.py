"""Describe an exported folder in the file croissant.json, in the format Croissant 1.0 (JSON-LD for machine learning data sets).
The file lists every data file with its checksum, and every column of the record files."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from store.format import Bundle
from store.formats._record_files import EVIDENCE, Column, FoundFiles, media_type
from store.releases.manifest import make_canary

CROISSANT = "croissant.json"
RO_CRATE = "ro-crate-metadata.json"
NO_DATA = frozenset(("README.md", "CITATION.cff", "index.html", "verify.py", "score.py", "checksums.json", CROISSANT, RO_CRATE))
"""Names of files in an exported folder that contain no data, but describe the data or check them."""
SPDX_NAMES = (
    *("Apache-2.0", "MIT", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0"),
    *("CC-BY-NC-ND-4.0", "CC-BY-3.0", "CC-BY-SA-3.0", "GFDL-1.3-only", "OGL-UK-3.0", "ODC-By-1.0", "ODbL-1.0", "PDDL-1.0"),
    *("CDLA-Permissive-2.0", "BSD-3-Clause", "GPL-3.0-only"),
)
"""SPDX names of licences for which croissant.json gives the web address of the licence's text."""
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES = {"int": "sc:Integer", "float": "sc:Float", "bool": "sc:Boolean"}


def render_croissant(bundle: Bundle, folder: Path, found: Sequence[FoundFiles]) -> str:
    """Return the text of croissant.json. `found` lists the record files in the folder, which must already contain all data
    files."""
    record: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": bundle.name,
        "description": describe_release(bundle),
        "version": f"1.0.0+{bundle.hash.replace(':', '.')}",  # Croissant asks for three numbers; the hash is the version
        "license": list_licences(bundle),
        "citeAs": render_bibtex(bundle),
        "creator": {"@type": "sc:Organization", "name": f"The makers of {bundle.name}"},
        "keywords": ["retrieval-augmented generation", "benchmark", make_canary(bundle.hash)],
        "inLanguage": sorted({item.language for item in bundle.items}),
        **({"dateModified": day} if (day := find_last_day(bundle)) else {}),
        "distribution": [*_describe_files(folder), *_describe_sets(found)],
        "recordSet": [_describe_records(files) for files in found],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def describe_release(bundle: Bundle) -> str:
    """Return one sentence that describes the release, with its hash."""
    return (
        f"A benchmark for retrieval-augmented generation: {len(bundle.items)} questions with answers and evidence over "
        f"{len(bundle.documents)} documents, and {len(bundle.variants)} variants of the questions. Release {bundle.hash}."
    )


def list_licences(bundle: Bundle) -> list[str]:
    """Return the distinct licences of the documents: the web address of each licence with an SPDX name, the names of other
    licences, and "unknown" if a document has no licence."""
    addresses = {name.casefold(): f"https://spdx.org/licenses/{name}.html" for name in SPDX_NAMES}
    names = {(document.licence or "").strip() or "unknown" for document in bundle.documents}
    return sorted({addresses.get(name.casefold(), name) for name in names}) or ["unknown"]


def render_bibtex(bundle: Bundle) -> str:
    """Return a BibTeX entry for the release. The entry has no year, because a release stores none."""
    key = re.sub(r"\W", "", bundle.name, flags=re.ASCII) or "benchmark"
    title = re.sub(r"[{}\\]", "", bundle.name)
    return f"@misc{{{key}, title={{{title}}}, author={{{{The makers of {title}}}}}, note={{Release {bundle.hash}}}}}"


def find_last_day(bundle: Bundle) -> str | None:
    """Return the day of the last decision in the bundle's reviews, or None if there are no reviews. A release stores no other
    date than those of its reviews."""
    return max((review.at for review in bundle.reviews if review.at), default="")[:10] or None


def list_data_files(folder: Path) -> list[str]:
    """Return the relative paths of the data files in the folder, sorted."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in names if name not in NO_DATA)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of the file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _describe_files(folder: Path) -> Iterable[dict[str, Any]]:
    for name in list_data_files(folder):
        yield {
            "@type": "cr:FileObject",
            "@id": _make_identity(name),
            "name": name,
            "contentUrl": name,
            "contentSize": f"{(folder / name).stat().st_size} B",
            "encodingFormat": media_type(name),
            "sha256": hash_file(folder / name),
        }


def _describe_sets(found: Iterable[FoundFiles]) -> Iterable[dict[str, Any]]:
    """Yield a Croissant file set for each kind of record that can have several files."""
    for files in found:
        if "*" in files.pattern:
            yield {
                "@type": "cr:FileSet",
                "@id": f"files-of-{files.kind.name}",
                "name": f"files-of-{files.kind.name}",
                "encodingFormat": media_type(files.pattern),
                "includes": files.pattern,
            }


def _describe_records(files: FoundFiles) -> dict[str, Any]:
    kind = files.kind
    source = {"fileObject": {"@id": _make_identity(files.files[0])}}
    if "*" in files.pattern:
        source = {"fileSet": {"@id": f"files-of-{kind.name}"}}
    key = next((name for name in ("id", "_id") if name in kind.columns), None)
    objects = {} if files.pattern.endswith(".parquet") else {n: c for n, c in kind.columns.items() if c.type == "json"}
    columns = {name: column for name, column in kind.columns.items() if name not in objects}
    about = kind.about
    if objects:  # Croissant has no type for a JSON object of free shape
        about += " Further keys hold JSON objects or lists: "
        about += "; ".join(f"{name}: {column.about.rstrip('.')}" for name, column in objects.items()) + "."
    identities = {name: f"{kind.name}/{_make_identity(name)}" for name in kind.columns}
    twice = {identity for identity, n in Counter(identities.values()).items() if n > 1}
    for number, (name, identity) in enumerate(identities.items()):
        identities[name] = f"{identity}-{number}" if identity in twice else identity
    return {
        "@type": "cr:RecordSet",
        "@id": kind.name,
        "name": kind.name,
        "description": about,
        **({"key": {"@id": f"{kind.name}/{key}"}} if key else {}),
        "field": [_describe_field(identities[name], name, column, source) for name, column in columns.items()],
    }


def _make_identity(name: str) -> str:
    """Return the name with only letters, digits, full stops, slashes and hyphens, because Croissant tools accept no other
    characters in an id."""
    return re.sub(r"[^\w./-]+", "-", name)


def _describe_field(identity: str, name: str, column: Column, source: Mapping[str, Any]) -> dict[str, Any]:
    extract = {**source, "extract": {"column": name}}
    about = {"@type": "cr:Field", "@id": identity, "name": identity, "description": column.about}
    if column.type == "spans":
        parts = [
            {
                **_describe_field(f"{identity}/{part}", part, inner, source),
                "source": {**extract, "transform": {"jsonPath": part}},
            }
            for part, inner in EVIDENCE.items()
        ]
        return {**about, "repeated": True, "subField": parts}
    if column.type == "json":
        about["description"] += " A JSON text."
    repeated = {"repeated": True} if column.type == "texts" else {}
    return {**about, "dataType": _TYPES.get(column.type, "sc:Text"), **repeated, "source": extract}
