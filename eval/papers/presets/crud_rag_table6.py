"""crud_rag_table6: the embedding model, everything else as in the base."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 6: embedding model", "model")
