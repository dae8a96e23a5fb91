"""The pages of a document as pictures, with boxes around evidence, as the review desk shows them."""

from collections.abc import Sequence

from core.nouns import Span
from pages.components.bundles import register


def show(document: str, evidence: Sequence[Span], key: str) -> None:
    """Draw the pages of a document, opened at the page of its first evidence."""
    spans = [{"start": span.start, "end": span.end, "n": n} for n, span in enumerate(evidence)]
    _PAGES(data={"document": document, "spans": spans}, key=key)


_PAGES = register("page_view", "pages")
