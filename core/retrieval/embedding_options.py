"""How an embedding model is used: what can be set by hand, and the two sides of a search."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from core.devices import AUTO, check_placement
from core.errors import BenchError

Side = Literal["query", "document", "text"]
"""What a text is to the model: what is searched for, what is searched, or one that is compared with texts of its own kind."""
Similarity = Literal["cosine", "dot", "euclidean", "manhattan"]
"""How vectors are compared, by the names of sentence-transformers; distances are negative, so that higher is nearer."""
NO_PROMPT = "none"
"""Value of a prompt's setting that leaves out the prompt that the folder states."""
OPTION_NAMES = ("prompt_query", "prompt_document", "truncate_dim", "similarity", "device", "dtype")


@dataclass(frozen=True, slots=True)
class EmbeddingOptions:
    """Settings of an embedding model; None = as its folder states. All but the device change its vectors or their order."""

    prompt_query: str | None = None
    """Text put before each query."""
    prompt_document: str | None = None
    """Text put before each document."""
    truncate_dim: int | None = None
    """Leading dimensions that are kept."""
    similarity: Similarity | None = None
    device: str = AUTO
    dtype: str = AUTO


def read_embedding_options(settings: Mapping[str, Any], prefix: str = "") -> EmbeddingOptions:
    """The options among the settings, each under its name with that prefix. Raises BenchError on a value that does not fit.

    "", 0 and auto mean that the folder decides; the prompt `none` means no prompt."""
    values: dict[str, Any] = {name: settings.get(f"{prefix}{name}") or None for name in OPTION_NAMES}
    for name in ("prompt_query", "prompt_document"):
        if not isinstance(values[name], str | None):
            raise BenchError(f"The setting {prefix}{name} is {values[name]!r}: give a text, or {NO_PROMPT} for no prompt.")
        values[name] = "" if values[name] == NO_PROMPT else values[name]
    size = values["truncate_dim"]
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 0):
        raise BenchError(f"The setting {prefix}truncate_dim is {size!r}: give a whole number, or 0 for all dimensions.")
    if values["similarity"] in (None, AUTO):
        values["similarity"] = None
    elif values["similarity"] not in get_args(Similarity):
        names = ", ".join(get_args(Similarity))
        raise BenchError(f"The setting {prefix}similarity is {values['similarity']!r}: give auto, {names}.")
    options = EmbeddingOptions(**{**values, "device": values["device"] or AUTO, "dtype": values["dtype"] or AUTO})
    check_placement(options.device, options.dtype)
    return options
