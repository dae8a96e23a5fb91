"""embed_cosine: cosine of the sentence embeddings of answer and gold answer, which CRUD-RAG's code calls bertScore. The setting
model is minilm (bundled, English) or a folder with a sentence-transformers model, used with the prompt that its authors name
as default, else with that of documents; prompt_document, truncate_dim, device and dtype can be set by hand. It is a cosine
whatever the model's own similarity is. A language that it does not know gives no value. An empty answer is 0. A text longer
than the model's input gives no value: no text is cut silently."""

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
    """Returns, for each case, the highest cosine over the gold answers; None without one."""
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
    """Returns the model's name and the hash of its files and options."""
    model = _load_model(settings, embedders)
    return f"{Path(model.name).name} {(model.identity or '')[:15]}".strip()


def _load_model(settings: Settings, embedders: Embedders) -> Embedder:
    name = read_text(settings, "model", "minilm")
    if name == "lexical_vectors":
        raise BenchError(
            "embed_cosine compares meanings, but lexical_vectors compares letters: set its model to minilm or to a folder."
        )
    return embedders(name, (), None, read_embedding_options(settings))


METRIC = Metric(
    low=-1.0,
    settings={"model": "minilm", "prompt_document": "", "truncate_dim": 0, "device": "auto", "dtype": "auto"},
    batch=batch,
    describe_settings=describe_settings,
    reference="sentence-transformers: the cosine of encode() of both texts, within 1e-5",
)
