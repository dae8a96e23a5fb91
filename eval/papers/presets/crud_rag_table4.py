"""crud_rag_table4: the overlap of chunks, everything else as in the base."""

from functools import partial

from eval.papers.crud_rag import build_factor_page
from eval.preset import Preset

PRESET = Preset(label="CRUD-RAG table 4: overlap of chunks", build=partial(build_factor_page, factor="overlap"))
