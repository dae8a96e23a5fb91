"""A view that shows the pages of a document as pictures, with boxes around the evidence; the review desk has the same view."""

from collections.abc import Sequence

from core.nouns import Span
from pages.components.bundles import register


def show(document: str, evidence: Sequence[Span], key: str) -> None:
    """Show the pages of a document, opened at the page with the first evidence passage."""
    spans = [{"start": span.start, "end": span.end, "n": n} for n, span in enumerate(evidence)]
    _PAGES(data={"document": document, "spans": spans}, key=key)


_PAGES = register("page_view", "pages")
