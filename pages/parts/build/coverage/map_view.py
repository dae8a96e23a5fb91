"""The map, from its totals down to one document, and drafting where it is thin."""

from core.errors import BenchError
from pages.parts.build.coverage import documents, thin, totals
from pages.parts.build.coverage import opened as one_document
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import word
from pages.parts.ui.say import trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened


def show() -> None:
    """Draw it."""
    found = until_ready(opened().coverage.map, "Counting what items take from the documents")
    if found is None:
        return
    if not found.rows:
        empty("No documents yet", "The map has a line for each document: add some.", "pages/build/corpus.py", "Corpus")
        return
    totals.show(found)
    if word("document"):
        try:
            one_document.show(found, opened().coverage.opened(found, word("document")))
        except BenchError as error:
            trouble(str(error))
    documents.show(found)
    thin.show(found, word("domain", documents.ALL, [line.domain for line in found.totals if line.domain]))
