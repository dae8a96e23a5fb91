"""crud_rag_table8: the agent, everything else as in the base."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 8: agent", "agent")
