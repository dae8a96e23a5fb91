"""embed_cosine: cosine of the sentence embeddings of answer and gold answer, from -1 to 1, which CRUD-RAG's code calls
bertScore. The setting `model` is minilm (bundled, English) or the folder of a sentence-transformers model. Texts are embedded
with the prompt that the model's authors name as default, else with their prompt for documents; `prompt_document`,
`truncate_dim`, `device` and `dtype` override the model's configuration. The value is a cosine even if the model states another
similarity. An empty answer gives 0. A language that the model does not know gives no value, nor does a text that is longer than
the model's input: no text is truncated silently."""

from collections.abc import Sequence
from pathlib import Path

from core.errors import BenchError
from core.retrieval.embedding_options import read_embedding_options
from core.retrieval.embeddings import Embedder, encode_unit_rows
from eval.metric import Metric, ScoringCase, Values
from eval.retriever import Embedders
from eval.scoring.model_texts import explain_unread_cases
from eval.settings import Settings, read_text


def batch(cases: Sequence[ScoringCase], settings: Settings, embedders: Embedders) -> list[Values]:
    """Return, for each case, the highest cosine between the answer and any gold answer, or a missing value if there is no gold
    answer."""
    model = _load_model(settings, embedders)
    why = explain_unread_cases(cases, model, model.count_tokens, model.max_tokens)
    texts = list(dict.fromkeys(t for c in cases if why[id(c)] is None for t in (c.prediction, *c.answers) if t.strip()))
    vectors = dict(zip(texts, encode_unit_rows(model, texts), strict=True)) if texts else {}

    def score(case: ScoringCase) -> float:
        if not case.prediction.strip():
            return 0.0
        own = vectors[case.prediction]
        cosines = [float(own @ vectors[gold]) if gold.strip() else 0.0 for gold in case.answers]
        return min(max(-1.0, *cosines), 1.0)

    return [{"": why[id(case)] or score(case)} for case in cases]


def describe_settings(settings: Settings, embedders: Embedders) -> str:
    """Return the model's name and the hash of its files and options, as a text for the version of a score."""
    model = _load_model(settings, embedders)
    return f"{Path(model.name).name} {(model.identity or '')[:15]}".strip()


def _load_model(settings: Settings, embedders: Embedders) -> Embedder:
    name = read_text(settings, "model", "minilm")
    if name == "lexical_vectors":
        raise BenchError(
            "embed_cosine compares meanings, but lexical_vectors compares letters: set embed_cosine.model to minilm or to the "
            "folder of a model."
        )
    return embedders(name, (), None, read_embedding_options(settings))


METRIC = Metric(
    low=-1.0,
    settings={"model": "minilm", "prompt_document": "", "truncate_dim": 0, "device": "auto", "dtype": "auto"},
    batch=batch,
    describe_settings=describe_settings,
    reference="sentence-transformers: equal within 1e-5 to the cosine of encode() of both texts",
)
