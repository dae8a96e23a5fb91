"""Metrics against hand-worked values, against the packages they claim to equal, and on the answers that break others."""

import random
from pathlib import Path

import pytest

from core.nouns import Span
from eval.metric import ScoringCase, Unscored, join_name, metrics
from eval.scoring.conformance import list_metrics, measure_parity

GOLDEN = [  # prediction, gold, F1, Rouge-L of the package rouge 1.0.1
    ("Paris", "Paris", 1, 1.0),
    ("paris", "Paris", 1, 0.0),
    ("The capital is Paris.", "Paris", 0.5, 0.4),
    ("Paris. ", "Paris", 1, 0.666667),
    ("$2.4 million", "2.4 million", 1, 0.666667),
    ("", "Paris", 0, 0.0),
    ("...", "Paris", 0, 0.0),
    ("a", "the", 0, 0.0),
    ("the cat sat on the mat", "the cat is on the mat", 0.75, 0.8),
    ("the the the cat", "the cat", 1, 1.0),
    ("U.S. state-of-the-art", "US state of the art", 0.333333, 0.0),
    (
        "Reduced costs by 30%. Secured $50M credit lines.",
        "Secured credit lines of $50M. Reduced operational costs by 30%.",
        0.888889,
        0.777778,
    ),
]
TEXT = "The the a an Bridge bridge, opened in 1890. It cost $2.4 million; 30% of U.S. loans! naïve co-op 中文 ..."


def value(metric: str, prediction: str, *answers: str, language: str = "en") -> object:
    score = metrics()[metric].score
    assert score
    return score(ScoringCase("x", prediction, answers, language))[""]


def pairs(n: int, longest: int) -> list[tuple[str, str]]:
    chance = random.Random(11)
    return [tuple(" ".join(chance.choices(TEXT.split(), k=chance.randint(0, longest))) for _ in range(2)) for _ in range(n)]  # type: ignore[misc]


@pytest.mark.parametrize(("prediction", "gold", "f1", "rouge"), GOLDEN)
def test_the_golden_values_of_hawkbench_hold(prediction: str, gold: str, f1: float, rouge: float) -> None:
    assert value("token_f1", prediction, gold) == pytest.approx(f1, abs=1e-6)
    assert value("rouge_l_hawkbench", prediction, gold) == pytest.approx(rouge, abs=1e-6)


def test_rouge_l_is_googles_without_stemming_on_a_thousand_pairs() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    google = RougeScorer(["rougeL"], use_stemmer=False)
    different = [p for p in pairs(1000, 40) if value("rouge_l", *p) != google.score(p[1], p[0])["rougeL"].fmeasure]
    assert different == []


NEWS = [
    ("新华社北京7月20日电（记者 Li Lei）GDP 增长5.5%。", "新华社北京 7月20日电（记者 LI Lei），GDP增长 5.5 %。"),
    ("“大桥”于1890年建成，全长300米！", "大桥于1890年建成，全长300米。"),
    ("苹果iPhone 15发布，售价5,999元起；iOS同步更新。", "苹果 iphone 15 发布：售价5999元起，ios 同步更新。"),
    ("Only English here, and a Comma.", "only English here and a comma"),
    ("， 。", "，。"),
    ("", "大桥"),
    ("大桥", ""),
]


def test_rouge_l_crud_is_googles_over_jiebas_words_as_they_are(tmp_path: Path) -> None:
    import jieba
    from rouge_score.rouge_scorer import RougeScorer

    peer = jieba.Tokenizer()
    peer.tmp_dir = str(tmp_path)

    class AsCut:
        def tokenize(self, text: str) -> list[str]:
            return list(peer.cut(text))

    google = RougeScorer(["rougeL"], tokenizer=AsCut())
    for prediction, gold in NEWS:
        expected = google.score(gold, prediction)["rougeL"].fmeasure
        for language in ("en", "zh"):
            assert value("rouge_l_crud", prediction, gold, language=language) == pytest.approx(expected, abs=1e-12)
    apart = [abs(value("rouge_l_crud", *one) - value("rouge_l", *one, language="zh")) for one in NEWS[:4]]  # type: ignore[operator]
    assert min(apart) > 0.01


def test_bleu_is_sacrebleus_sentence_score_in_shares() -> None:
    from sacrebleu.metrics.bleu import BLEU

    peer = BLEU(effective_order=True)
    for prediction, gold in pairs(200, 30):
        expected = peer.sentence_score(prediction, [gold]).score / 100
        assert value("bleu", prediction, gold) == pytest.approx(min(expected, 1.0), abs=1e-12)


def test_every_metric_with_a_library_equals_it_on_random_pairs_in_english_and_chinese() -> None:
    found = measure_parity()
    of_texts = {"rouge_l", "rouge_l_crud", "bleu", "bleu_crud"}
    assert of_texts | {"mrr", "ndcg", "evidence_recall", "retrieval_precision"} == set(found)
    for name, parity in found.items():
        assert parity.why == "" and parity.error is not None and parity.error <= 1e-12, (name, parity)
        assert parity.pairs == (200 if name in of_texts else 100)


def test_every_metric_says_what_it_measures_on_the_conformance_page() -> None:
    for line in list_metrics():
        assert len(line.about) > 20 and not line.about.startswith(f"{line.name}:"), line.name


IN_ACCURACY = [
    ("He is an artist.", "art", 0),
    ("in the US", "U.S.", 0),
    ("st johns", "St. John's", 0),
    ("1,100 people", "100", 1),
    ("No one knows", "no", 1),
    ("Beyoncé sang", "Beyonce", 0),
    ("", "x", 0),
    ("The Old Mill burned", "old mill", 1),
]


@pytest.mark.parametrize(("prediction", "gold", "expected"), IN_ACCURACY)
def test_the_golden_values_of_in_accuracy_hold(prediction: str, gold: str, expected: int) -> None:
    assert value("in_accuracy", prediction, gold) == expected


def test_in_accuracy_looks_for_chinese_as_text_and_knows_no_empty_gold() -> None:
    assert value("in_accuracy", "他在北京市工作", "北京", language="zh") == 1.0
    assert value("in_accuracy", "anything", "the") == Unscored("no gold answer with a token")


@pytest.mark.parametrize("metric", ["rouge_l", "rouge_l_crud", "bleu", "token_f1", "exact_match"])
def test_an_identical_chinese_answer_is_one_and_another_is_not(metric: str) -> None:
    answer = "大桥于一八九〇年建成，全长三百米。"
    assert value(metric, answer, answer, language="zh") == pytest.approx(1.0)
    assert value(metric, "法院驳回了上诉。", answer, language="zh") < 0.3  # type: ignore[operator]


def test_the_best_gold_counts() -> None:
    for metric in ("token_f1", "exact_match", "rouge_l", "rouge_l_crud", "rouge_l_hawkbench"):
        assert value(metric, "Halmerow", "the old town", "Halmerow") == pytest.approx(1.0)


def test_no_gold_is_no_value() -> None:
    for metric in ("token_f1", "exact_match", "rouge_l", "rouge_l_crud", "rouge_l_hawkbench", "bleu"):
        assert value(metric, "Halmerow") is None


def test_exact_match_looks_through_case_articles_and_punctuation_of_both_scripts() -> None:
    assert value("exact_match", "The Bridge.", "bridge") == 1.0
    assert value("exact_match", "《大桥》。", "大桥", language="zh") == 1.0
    assert value("exact_match", "a", "the") == 0.0
    assert value("exact_match", "", "Paris") == 0.0


def test_a_walk_deeper_than_python_allows_is_zero_as_in_the_package() -> None:
    for words, expected in ((990, 1.0), (1200, 0.0)):
        text = " ".join(f"w{i}" for i in range(words))
        assert value("rouge_l_hawkbench", text, text) == pytest.approx(expected, abs=1e-6)


def recall(evidence: list[Span], retrieved: list[Span] | None, **extra: int) -> dict[str, object]:
    score = metrics()["evidence_recall"].score
    assert score
    passages = None if retrieved is None else tuple(retrieved)
    return dict(score(ScoringCase("x", "", (), evidence=tuple(evidence), retrieved=passages, extra=extra)))


def test_a_passage_hits_when_it_covers_half_of_the_gold_span() -> None:
    gold = [Span("d", 100, 200), Span("e", 0, 10)]
    found = [Span("d", 0, 149), Span("d", 150, 300), Span("e", 5, 6)]
    assert recall(gold, found, top_k=3) == {"@1": 0.0, "any@1": 0.5, "@3": 0.5, "any@3": 1.0}


def test_recall_goes_as_far_as_was_asked_for_even_where_fewer_came() -> None:
    assert recall([Span("d", 0, 5)], [Span("d", 0, 9)], top_k=5).keys() == {"@1", "any@1", "@3", "any@3", "@5", "any@5"}
    assert recall([Span("d", 0, 5)], [], top_k=1) == {"@1": 0.0, "any@1": 0.0}


def test_every_answer_counts_in_the_headline_where_nobody_asked_for_a_number() -> None:
    assert recall([Span("d", 0, 5)], [Span("d", 0, 9)])["@5"] == 1.0
    assert recall([Span("d", 0, 5)], [])["@5"] == 0.0


def test_without_retrieval_or_evidence_recall_is_unscored_and_says_so() -> None:
    assert recall([Span("d", 0, 5)], None) == {"@5": Unscored("no retrieval")}
    assert recall([], [Span("d", 0, 5)]) == {"@5": Unscored("no gold evidence")}
    assert join_name("evidence_recall", "@5") == "evidence_recall@5"


def test_length_tells_empty_answers_and_refusals() -> None:
    score = metrics()["length"].score
    assert score
    assert score(ScoringCase("x", "Cannot be answered from the given text.", ())) == {
        "": 7.0,
        "characters": 39.0,
        "empty": 0.0,
        "refused": 1.0,
    }
    assert score(ScoringCase("x", "无法根据所给文本回答", (), "zh"))["refused"] == 1.0
    assert score(ScoringCase("x", "  ", ())) == {"": 0.0, "characters": 2.0, "empty": 1.0, "refused": 0.0}


def test_length_in_characters_is_the_texts_own_and_in_words_jiebas() -> None:
    score = metrics()["length"].score
    assert score
    found = score(ScoringCase("x", "西安市发放500万元体育消费券，共3轮。", (), "zh"))
    assert (found["characters"], found[""]) == (20.0, 10.0)


def test_costs_are_told_or_none() -> None:
    case = ScoringCase("x", "a", (), seconds=1.5, calls=2)
    assert [metrics()[name].score(case)[""] for name in ("seconds", "calls", "tokens")] == [1.5, 2.0, None]  # type: ignore[misc]
