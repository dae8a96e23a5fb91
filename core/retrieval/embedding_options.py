"""Settings for the use of an embedding model, and the two roles of a text in a search: query and document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from core.devices import AUTO, check_placement
from core.errors import BenchError

Side = Literal["query", "document", "text"]
"""Role of a text for an embedding model: a search query, a document to search in, or a text that is compared with texts of the
same kind."""
Similarity = Literal["cosine", "dot", "euclidean", "manhattan"]
"""Functions that compare two vectors, under the names of sentence-transformers. Distances are negative, so that higher means
more similar."""
NO_PROMPT = "none"
"""Value of a prompt setting that disables the prompt in the model's folder."""
OPTION_NAMES = ("prompt_query", "prompt_document", "truncate_dim", "similarity", "device", "dtype")


@dataclass(frozen=True, slots=True)
class EmbeddingOptions:
    """Settings for the use of an embedding model; a setting of None means the value in the model's folder. All settings except
    the device change the vectors or the order of results."""

    prompt_query: str | None = None
    """Text that is put before each search query when it is embedded."""
    prompt_document: str | None = None
    """Text that is put before each document when it is embedded."""
    truncate_dim: int | None = None
    """Number of leading dimensions of each vector that are used; the other dimensions are dropped."""
    similarity: Similarity | None = None
    device: str = AUTO
    dtype: str = AUTO


def read_embedding_options(settings: Mapping[str, Any]) -> EmbeddingOptions:
    """Return the options for the embedding model that the settings contain. Raises BenchError if a value is invalid.

    The values "", 0 and auto mean the value given in the model's folder; the prompt `none` means no prompt."""
    values: dict[str, Any] = {name: settings.get(name) or None for name in OPTION_NAMES}
    for name in ("prompt_query", "prompt_document"):
        if not isinstance(values[name], str | None):
            raise BenchError(f"The setting {name} is {values[name]!r}: set it to a text, or to {NO_PROMPT} for no prompt.")
        values[name] = "" if values[name] == NO_PROMPT else values[name]
    size = values["truncate_dim"]
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 0):
        raise BenchError(f"The setting truncate_dim is {size!r}: set it to a whole number, or to 0 for all dimensions.")
    if values["similarity"] in (None, AUTO):
        values["similarity"] = None
    elif values["similarity"] not in get_args(Similarity):
        names = ", ".join(get_args(Similarity))
        raise BenchError(f"The setting similarity is {values['similarity']!r}: set it to one of auto, {names}.")
    options = EmbeddingOptions(**{**values, "device": values["device"] or AUTO, "dtype": values["dtype"] or AUTO})
    check_placement(options.device, options.dtype)
    return options


def advise_shortening(side: Side, max_tokens: int | None = None) -> str:
    """Return advice on what to do about a text that is too long for the model, as the end of a sentence. Smaller chunks are
    advised only for documents, because only documents are cut into chunks."""
    if side == "document":
        return f"set chunk_tokens to at most {max_tokens:,}" if max_tokens else "set chunk_tokens lower"
    return f"use a shorter {'query' if side == 'query' else 'text'}, or an embedding model that reads longer ones"
