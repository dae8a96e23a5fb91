"""The corpus: documents are dropped here, listed, looked at, and given what they lack."""

import streamlit as st

from pages.parts.annotate.review.keys_help import stop
from pages.parts.build.corpus import add_box, document_list, document_view, import_box, near_copies
from pages.parts.ui.heading import empty, heading
from workbench import opened

bench = opened()
document = st.query_params.get("document", "")
if document:
    document_view.show(document)
    stop()

heading("Corpus", "The documents that questions are drafted from and that systems search.")
size = bench.corpus.size()
adding = st.expander("Add documents", icon=":material/upload_file:", expanded=not size["documents"], key="corpus_add")
with adding:
    add_box.show()
with st.expander("Import a benchmark", icon=":material/input:", key="corpus_import"):
    import_box.show("corpus_import_box")
if size["documents"]:
    document_list.sizes(size)
    document_list.show()
    with st.expander("Near copies", icon=":material/content_copy:", key="corpus_near_copies"):
        near_copies.show()
else:
    empty(
        "No documents yet",
        "Drop files above, or load the samples on the first page to look around.",
        "pages/home/board.py",
        "Home",
    )
