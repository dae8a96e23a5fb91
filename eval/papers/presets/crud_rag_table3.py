"""crud_rag_table3: the chunk size, with top-k coupled to it, everything else as in the base."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 3: chunk size, with top-k coupled to it", "chunk")
