"""Define the settings of an embedding model, which are the same for all retrievers, systems and metrics that use such a
model."""

from collections.abc import Sequence
from typing import get_args

from core.devices import DEVICE_HELP, DTYPE_HELP, DTYPES
from core.errors import BenchError
from core.retrieval.embedding_options import Similarity, read_embedding_options
from core.retrieval.embeddings import Embedder, explain_unusable
from eval.retriever import Embedders
from eval.settings import Setting, Settings

MODEL_HELP = "Embedding model: minilm, lexical_vectors, the folder of a model, openai:MODEL or a saved agent."
PLACE_SETTINGS = {"device": Setting("auto", DEVICE_HELP), "dtype": Setting("auto", DTYPE_HELP, choices=DTYPES)}
"""Settings that say on which device, and in which number format, a local embedding model runs."""
OPTION_SETTINGS = {
    "prompt_query": Setting("", "Text put before each query; empty = the text that the model's folder states, none = no text."),
    "prompt_document": Setting(
        "", "Text put before each passage; empty = the text that the model's folder states, none = no text."
    ),
    "truncate_dim": Setting(0, "Number of leading dimensions of the vectors that are used; 0 = all."),
    "similarity": Setting(
        "auto",
        "How vectors are compared; auto = as the model's folder states, else cosine.",
        choices=("auto", *get_args(Similarity)),
    ),
    **PLACE_SETTINGS,
}
"""All settings of an embedding model, except which model it is."""
EMBEDDING_SETTINGS = {"embedding_model": Setting("minilm", MODEL_HELP), **OPTION_SETTINGS}


def load_embedder(settings: Settings, embedders: Embedders, texts: Sequence[str] = (), language: str | None = None) -> Embedder:
    """Return the embedding model that the settings name, with its options. Raises BenchError if there is no such model or the
    model cannot be loaded."""
    return embedders(settings["embedding_model"], texts, language, read_embedding_options(settings))


def check_texts(model: Embedder, texts: Sequence[str], language: str) -> None:
    """Raise BenchError if the embedding model does not know the language, or if a chunk is longer than the model can read."""
    why = explain_unusable(model, language, texts)
    if why is not None:
        raise BenchError(f"Dense retrieval cannot search texts in {language}: {why}")
    longest = max(map(model.count_tokens, texts))
    if model.max_tokens is not None and longest > model.max_tokens:
        limit = model.max_tokens
        raise BenchError(
            f"A chunk has {longest} tokens, but {model.name} reads at most {limit}: set chunk_tokens to {limit} or less."
        )
