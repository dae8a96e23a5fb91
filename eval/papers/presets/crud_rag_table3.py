"""crud_rag_table3: the chunk size, with top-k coupled to it, everything else as in the base."""

from functools import partial

from eval.papers.crud_rag import build_factor_page
from eval.preset import Preset

PRESET = Preset(
    label="CRUD-RAG table 3: chunk size, with top-k coupled to it", build=partial(build_factor_page, factor="chunk")
)
