"""crud_rag_table7: the top-k, everything else as in the base."""

from functools import partial

from eval.papers.crud_rag import build_factor_page
from eval.preset import Preset

PRESET = Preset(label="CRUD-RAG table 7: top-k", build=partial(build_factor_page, factor="top_k"))
