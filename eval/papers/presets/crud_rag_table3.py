"""crud_rag_table3: compares runs that differ from the base setting only in the chunk size, or in chunk size and top-k
together."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 3: chunk size, with top-k coupled to it", "chunk")
