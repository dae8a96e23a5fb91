"""crud_rag_table4: compares runs that differ from the base setting only in the overlap of chunks."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 4: overlap of chunks", "overlap")
