"""BLEU as CRUD-RAG's code reports it, by the values that its own code gives, and what an echo does to it."""

import pytest

from eval.metric import ScoringCase, Unscored, Values, metrics

GOLDEN = [  # prediction, gold, bleu-avg, p1 to p4
    ("西安市发放500万元体育消费券", "西安市发放500万元体育消费券，市民可在173家场馆使用", (1, 1, 1, 1, 1)),
    ("今天天气", "今天天气很好", (0, 1, 0, 0, 0)),
    (
        "习近平指出，中沙建交25年来，两国关系始终保持健康稳定发展势头，各领域合作不断深化。",
        "习近平指出，中沙建交26年来，两国关系始终保持健康稳定发展势头，各领域合作不断深化",
        (0.813749, 0.904762, 0.85, 0.789474, 0.722222),
    ),
    ("Retrieval augmented generation works", "Retrieval-augmented generation works well", (0.668740, 1, 0.666667, 0.6, 0.5)),
]


def scored(metric: str, prediction: str, *answers: str, language: str = "zh") -> Values:
    score = metrics()[metric].score
    assert score
    return score(ScoringCase("x", prediction, answers, language))


@pytest.mark.parametrize(("prediction", "gold", "wanted"), GOLDEN)
def test_the_golden_values_of_crud_rag_hold(prediction: str, gold: str, wanted: tuple[float, ...]) -> None:
    found = scored("bleu_crud", prediction, gold)
    assert [found[name] for name in ("", "p1", "p2", "p3", "p4")] == pytest.approx(wanted, abs=1e-6)


def test_without_a_brevity_penalty_a_beginning_is_perfect_and_with_it_it_is_not() -> None:
    prediction, gold, _ = GOLDEN[0]
    with_penalty = scored("bleu", prediction, gold)[""]
    assert scored("bleu_crud", prediction, gold)[""] == 1.0 and isinstance(with_penalty, float) and with_penalty < 0.5


def test_the_best_answer_counts_with_its_own_precisions_and_nothing_is_zero() -> None:
    found = scored("bleu_crud", GOLDEN[0][0], "今天", GOLDEN[0][0])
    assert found[""] == found["p4"] == 1.0
    assert scored("bleu_crud", "", "今天")[""] == 0.0 and scored("bleu_crud", "今天")[""] is None


def test_bleu_tells_its_precisions_as_far_as_the_prediction_goes() -> None:
    found = scored("bleu", "the cat sat", "the cat sat down", language="en")
    assert [found[f"p{n}"] for n in (1, 2, 3)] == [1.0, 1.0, 1.0] and found["p4"] == Unscored("fewer than 4 tokens")
    assert scored("bleu", "a dog", "the cat", language="en")["p1"] == 0.0
