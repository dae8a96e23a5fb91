"""crud_rag_table7: the top-k, everything else as in the base."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 7: top-k", "top_k")
