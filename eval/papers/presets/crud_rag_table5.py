"""crud_rag_table5: the retriever, everything else as in the base."""

from functools import partial

from eval.papers.crud_rag import factor_page
from eval.preset import Preset

PRESET = Preset(label="CRUD-RAG table 5: retriever", build=partial(factor_page, factor="retriever"))
