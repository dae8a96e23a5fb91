"""crud_rag_table6: compares runs that differ from the base setting only in the embedding model."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 6: embedding model", "model")
