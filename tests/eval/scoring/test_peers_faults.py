"""What other evaluation tools were seen to do wrong, each as a test that it does not happen here."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.agent import Completion, Sampling
from core.errors import AgentError
from core.nouns import Prompt
from eval.metric import ScoringCase, metrics
from eval.reports.summary import summarise_answers
from eval.scoring.predictions import read_predictions, score_predictions
from eval.scoring.scoring import ScoringJudge


def value(metric: str, prediction: str, *answers: str, language: str = "en") -> Any:
    score = metrics()[metric].score
    assert score
    return score(ScoringCase("x", prediction, answers, language))[""]


def test_a_right_first_sentence_and_nonsense_is_not_a_perfect_bleu() -> None:
    """ragas' BleuScore scores the first sentence alone: 1.0 where sacrebleu says .34."""
    from sacrebleu.metrics.bleu import BLEU

    gold = "The mill burned down in 1902. Ada Quill bought the ruin for 4,200 crowns."
    said = "The mill burned down in 1902. Purple ideas sleep furiously under eleven wet ladders."
    assert value("bleu", said, gold) == pytest.approx(BLEU(effective_order=True).sentence_score(said, [gold]).score / 100)
    assert value("bleu", said, gold) < 0.6 and value("bleu_crud", said, gold) < 0.6


@pytest.mark.parametrize("metric", ["rouge_l", "bleu", "bleu_crud", "token_f1", "exact_match", "in_accuracy"])
def test_an_identical_chinese_answer_is_one(metric: str) -> None:
    """Google's ROUGE gives 0.0 for identical Chinese text."""
    answer = "大桥于一八九〇年建成，全长三百米。"
    assert value(metric, answer, answer, language="zh") == pytest.approx(1.0)


def test_a_near_miss_in_chinese_has_a_bleu() -> None:
    """sacrebleu's default tokenizer takes a Chinese sentence for one token: 0.0 where its own zh says 72.7."""
    assert 0.5 < value("bleu", "大桥于一八九〇年建成，全长三百米。", "大桥于一八九〇年建成，全长四百米。", language="zh") < 1.0


def claims(inputs: Mapping[str, object]) -> int:
    return int(str(inputs["sentence"]) in str(inputs["reference"]))


def crashing(on: str) -> ScoringJudge:
    """Dies on hard rows."""

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        if on and on in f"{inputs['sentence']} {inputs['reference']}":
            raise AgentError("The endpoint broke off.", kind="timeout", attempts=1)
        return Completion(json.dumps({"contained": claims(inputs)}))

    return ScoringJudge("j", False, ask)


def predictions(folder: Path, *rows: tuple[str, str]) -> Any:
    path = folder / "p.jsonl"
    path.write_text(
        "\n".join(json.dumps({"id": f"q{n}", "prediction": said, "answers": [gold]}) for n, (said, gold) in enumerate(rows)),
        encoding="utf-8",
    )
    return read_predictions(path)


ROWS = [("It burned.", "It burned."), ("It was sold.", "It was sold."), ("A hard one.", "Quite another."), ("No.", "Ada did.")]


async def test_a_judge_that_crashes_on_hard_rows_is_told_beside_the_mean_and_raises_no_bound(tmp_path: Path) -> None:
    """ragas drops failed rows from the denominator, so that the score rises as the system breaks (its issue 3028)."""
    whole = (await score_predictions(predictions(tmp_path, *ROWS), ["s_f1"], judges=[crashing("")]))["metrics"]["s_f1"]
    broken = (await score_predictions(predictions(tmp_path, *ROWS), ["s_f1"], judges=[crashing("hard")]))["metrics"]["s_f1"]
    assert (whole["mean"], whole["n"], whole["unscored"]) == (0.5, 4, 0)
    assert (broken["n"], broken["unscored"]) == (3, 1)
    assert broken["bounds"][0] <= whole["mean"] <= broken["bounds"][1] and broken["bounds"][0] == 0.5


async def test_a_row_without_a_verdict_does_not_shift_the_others(tmp_path: Path) -> None:
    """ragas filters None from gold and prediction apart from one another, so that pairs shift after one failure."""
    made = await score_predictions(predictions(tmp_path, *ROWS), ["s_f1", "exact_match"], judges=[crashing("burned")])
    assert [item["s_f1"] for item in made["items"]] == [None, 1.0, 0.0, 0.0]
    assert [item["exact_match"] for item in made["items"]] == [1.0, 1.0, 0.0, 0.0]


def test_no_value_is_left_out_of_the_mean_with_its_cluster() -> None:
    from eval.scoring.scoring import MetricValue

    rows = [{"m": MetricValue(1.0, "1")}, {"m": MetricValue(None, "1", "not read")}, {"m": MetricValue(0.0, "1")}]
    found = summarise_answers(rows, ["a", "b", "c"], seed=1)["m"]
    assert (found.mean, found.n, found.unscored) == (0.5, 2, 1)


def test_tokens_from_numpy_are_tokens() -> None:
    """rank-bm25-rs takes a slow path in silence for np.str_; others call them unknown."""
    import numpy as np

    numpy_text, plain = np.str_("the mill burned"), "the mill burned"
    for metric in ("rouge_l", "token_f1", "bleu", "bleu_crud", "exact_match", "in_accuracy"):
        assert value(metric, numpy_text, numpy_text) == value(metric, plain, plain) == pytest.approx(1.0)


def test_search_by_bm25_takes_tokens_from_numpy_for_what_they_say() -> None:
    import numpy as np

    from core.nouns import Span
    from core.retrieval.search import Bm25Index

    texts = ["the mill burned", "the bridge opened", "a mill by the bridge"]
    spans = [Span(f"d{n}", 0, len(text)) for n, text in enumerate(texts)]
    words = [text.split() for text in texts]
    plain = Bm25Index.from_words(spans, words, "en")
    numpy_made = Bm25Index.from_words(spans, [[np.str_(word) for word in text] for text in words], "en")
    found = plain.search_words(["mill", "bridge"], 3)
    assert found[0].span == spans[2] and found == numpy_made.search_words([np.str_("mill"), np.str_("bridge")], 3)


async def test_two_scorings_at_once_do_not_touch_each_other(tmp_path: Path) -> None:
    """deepeval keeps one global state: two sessions at once mix."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = predictions(tmp_path / "a", *ROWS), predictions(tmp_path / "b", *ROWS[:2])
    both = await asyncio.gather(*(score_predictions(p, ["s_f1"], judges=[crashing("")]) for p in (one, other)))
    assert [made["metrics"]["s_f1"]["mean"] for made in both] == [0.5, 1.0]
