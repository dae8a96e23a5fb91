"""Render CITATION.cff, the file that says how to cite an exported release."""

from store.format import Bundle
from store.formats._hub_names import as_yaml
from store.releases.manifest import make_canary


def render_citation(bundle: Bundle) -> str:
    """Return the text of CITATION.cff. CITATION.cff has no dates and no authors' names, because a release does not store
    them."""
    return (
        "cff-version: 1.2.0\n"
        f"title: {as_yaml(bundle.name)}\n"
        "type: dataset\n"
        f"message: {as_yaml('If you use this benchmark, please cite it by its name and hash.')}\n"
        f"version: {as_yaml(bundle.hash)}\n"
        f"identifiers:\n  - type: other\n    value: {as_yaml(bundle.hash)}\n    description: {as_yaml('Hash of the release')}\n"
        f"abstract: {as_yaml(f'A benchmark of {len(bundle.items)} items over {len(bundle.documents)} documents.')}\n"
        f"keywords:\n  - {as_yaml('retrieval-augmented generation')}\n  - {as_yaml(make_canary(bundle.hash))}\n"
        f"authors:\n  - name: {as_yaml('The makers of ' + bundle.name)}\n"
    )
