"""crud_rag_table8: the agent, everything else as in the base."""

from functools import partial

from eval.papers.crud_rag import build_factor_page
from eval.preset import Preset

PRESET = Preset(label="CRUD-RAG table 8: agent", build=partial(build_factor_page, factor="agent"))
