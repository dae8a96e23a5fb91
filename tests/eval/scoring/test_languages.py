"""Every metric on answers in every language: hand-computed values, or a refusal that names the language and why."""

import asyncio

import pytest

from core.text.language import rows
from eval.metric import ScoringCase, metrics
from eval.scoring.scoring import score_cases

CASES = {
    "de": ("Der alte Leuchtturm steht am Kap.", "Ein Leuchtturm am Kap"),
    "ja": ("東京都にある。", "東京にある"),
    "ar": ("المَنارة القديمة في الميناء", "منارة قديمة"),
    "hi": ("पुराना प्रकाशस्तंभ।", "प्रकाशस्तंभ"),
}
# token_f1 | rouge_l | exact_match | in_accuracy | length | bleu.p1
BY_HAND = {
    # tokens: alte leuchtturm steht am kap against leuchtturm am kap: P 3/5, R 1
    # rouge: der alte leuchtturm steht am kap against ein leuchtturm am kap: 3 common, P 3/6, R 3/4
    # 13a: Der alte Leuchtturm steht am Kap . against Ein Leuchtturm am Kap: 3 of 7
    "de": (0.75, 0.6, 0.0, 0.0, 6, 3 / 7),
    # characters: 東京都にある against 東京にある: 5 of 6, all of 5; 。 is a character for BLEU: 5 of 7
    "ja": (10 / 11, 10 / 11, 0.0, 0.0, 6, 5 / 7),
    # without articles and vowel marks: منارة قديمة في ميناء against منارة قديمة: P 2/4, R 1; with articles nothing is common
    "ar": (2 / 3, 0.0, 0.0, 0.0, 4, 0.0),
    # one of two words, the danda being punctuation; intl makes it a token of its own: 1 of 3
    "hi": (2 / 3, 2 / 3, 0.0, 1.0, 2, 1 / 3),
}
NAMES = ("token_f1", "rouge_l", "exact_match", "in_accuracy", "length", "bleu.p1")


def score(case: ScoringCase, names: list[str]):
    async def first():
        return [scored async for scored in score_cases([case], names)]

    return {name: value for scored in asyncio.run(first()) for name, value in scored.values.items()}


@pytest.mark.parametrize("language", CASES)
def test_values_are_those_of_the_hand(language: str):
    prediction, gold = CASES[language]
    values = score(
        ScoringCase("q", prediction, (gold,), language), ["token_f1", "rouge_l", "exact_match", "in_accuracy", "length", "bleu"]
    )
    assert [values[name].value for name in NAMES] == pytest.approx(list(BY_HAND[language]), abs=1e-12)


@pytest.mark.parametrize("language", [*rows(), "und"])
def test_a_right_answer_has_the_best_value_of_every_metric_or_a_refusal_by_name(language: str):
    text = CASES.get(language, ("1871 Leuchtturm", ""))[0]
    everywhere = ["token_f1", "rouge_l", "exact_match", "in_accuracy"]
    somewhere = ["bleu", "bleu_crud", "rouge_l_crud", "rouge_l_hawkbench", "r_eval_f1", "r_eval_f1_cjk"]
    values = score(ScoringCase("q", text, (text,), language), everywhere + somewhere)
    assert [values[name].value for name in everywhere] == pytest.approx([1.0] * len(everywhere))
    for name in somewhere:
        why = metrics()[name].explain_language(language)
        if why:
            assert values[name].value is None and values[name].why == f"not available for {language}: {why}"
        else:
            assert values[name].value is not None


def test_what_a_metric_does_not_score_is_said_with_the_reason():
    said = {name: metrics()[name].describe_languages() for name in ("token_f1", "rouge_l_hawkbench", "bleu_crud", "r_eval_f1")}
    assert said == {"token_f1": "all", "rouge_l_hawkbench": "all but ja", "bleu_crud": "en, zh", "r_eval_f1": "en"}
    assert "spaces" in metrics()["rouge_l_hawkbench"].explain_language("ja")
    assert "not known" in metrics()["bleu"].explain_language("und")
