"""crud_rag_table4: the overlap of chunks, everything else as in the base."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 4: overlap of chunks", "overlap")
