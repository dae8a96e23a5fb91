"""crud_rag_table6: the embedding model, everything else as in the base."""

from functools import partial

from eval.papers.crud_rag import build_factor_page
from eval.preset import Preset

PRESET = Preset(label="CRUD-RAG table 6: embedding model", build=partial(build_factor_page, factor="model"))
