"""crud_rag_table7: compares runs that differ from the base setting only in top-k."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 7: top-k", "top_k")
