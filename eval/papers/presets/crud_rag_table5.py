"""crud_rag_table5: the retriever, everything else as in the base."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 5: retriever", "retriever")
