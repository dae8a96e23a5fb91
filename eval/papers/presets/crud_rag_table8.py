"""crud_rag_table8: compares runs that differ from the base setting only in the agent."""

from eval.papers.crud_rag import make_factor_preset

PRESET = make_factor_preset("CRUD-RAG table 8: agent", "agent")
