"""Describe an exported folder in the file ro-crate-metadata.json, in the format RO-Crate 1.1 (JSON-LD with which repositories
of research data list the files of a package)."""

import json
from pathlib import Path
from typing import Any

from store.format import Bundle
from store.formats._croissant import RO_CRATE, describe_release, find_last_day, list_licences, render_bibtex
from store.formats._record_files import media_type
from store.releases.manifest import make_canary

_ABOUT = {
    "README.md": "The card of the release.",
    "CITATION.cff": "Citation data of the release.",
    "index.html": "A page that shows the release in a browser.",
    "verify.py": "A program that checks the folder against the manifest.",
    "score.py": "A program that scores predictions.",
    "manifest.json": "The manifest: the content of the release as hashes.",
    "croissant.json": "Description of every file and column in the Croissant format.",
}


def render_ro_crate(bundle: Bundle, folder: Path) -> str:
    """Return the text of ro-crate-metadata.json. The folder must already contain all other files except the checksums.

    RO-Crate requires a date of publication. A release stores no date, so the day of the last recorded decision is used."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    licences = [{"@id": name} if name.startswith("https:") else name for name in list_licences(bundle)]
    makers = {"@id": "#makers", "@type": "Organization", "name": f"The makers of {bundle.name}"}
    day = find_last_day(bundle)
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": bundle.name,
        "description": describe_release(bundle),
        "identifier": bundle.hash,
        "version": bundle.hash,
        "license": licences[0] if len(licences) == 1 else licences,
        "author": {"@id": makers["@id"]},
        "creditText": render_bibtex(bundle),
        "keywords": ["retrieval-augmented generation", "benchmark", make_canary(bundle.hash)],
        **({"datePublished": day} if day else {}),
        "hasPart": [{"@id": name} for name in names],
    }
    descriptor = {
        "@id": RO_CRATE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    texts = [
        {"@id": name["@id"], "@type": "CreativeWork", "name": Path(name["@id"]).stem}
        for name in licences
        if isinstance(name, dict)
    ]
    graph = [descriptor, root, makers, *texts, *(_describe_file(folder, name) for name in names)]
    record = {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _describe_file(folder: Path, name: str) -> dict[str, Any]:
    return {
        "@id": name,
        "@type": "File",
        "name": name,
        "contentSize": str((folder / name).stat().st_size),
        "encodingFormat": media_type(name),
        **({"description": _ABOUT[name]} if name in _ABOUT else {}),
    }
