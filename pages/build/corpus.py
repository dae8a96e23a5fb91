"""The page Corpus: add, list and read documents, and set their licence or domain."""

import streamlit as st

from pages.parts.annotate.review.keys_help import stop
from pages.parts.build.corpus import add_box, document_list, document_view, near_copies
from pages.parts.build.corpus.uploading import show_import_box
from pages.parts.ui.heading import show_empty, show_heading
from workbench import open_workbench

if document := st.query_params.get("document", ""):
    document_view.show(document)
    stop()

show_heading("Corpus", "The documents that questions are drafted from and that systems search.")
size = open_workbench().corpus.size()
with st.expander("Add documents", icon=":material/upload_file:", expanded=not size.documents, key="corpus_add"):
    add_box.show()
with st.expander("Import a benchmark", icon=":material/input:", key="corpus_import"):
    show_import_box("corpus_import_box")
if size.documents:
    document_list.show_sizes(size)
    document_list.show()
    with st.expander("Near copies", icon=":material/content_copy:", key="corpus_near_copies"):
        near_copies.show()
else:
    about = "Drop files above, or load the samples on the page Home to look around."
    show_empty("No documents yet", about, "pages/home/board.py", "Home")
