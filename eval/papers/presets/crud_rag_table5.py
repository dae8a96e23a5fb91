"""crud_rag_table5: compares runs that differ from the base setting only in the retriever."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 5: retriever", "retriever")
