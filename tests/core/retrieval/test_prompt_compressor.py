"""LLMLingua-2 with tiny random token classifiers."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.devices import place_model
from core.errors import BenchError
from core.model_uses import collect_model_uses
from core.retrieval.prompt_compressor import prompt_compressor
from tests.eval.tiny_model import tiny_compressor, tiny_model

TEXT = "the Mill of orvel burned in 1904. who paid for the bridge? nobody was hurt in the fire, and rain came at noon. " * 3


def test_the_words_with_the_highest_probability_of_the_keeping_label_are_kept(tmp_path: Path) -> None:
    """Worked out from the classifier alone: mean over a word's tokens, percentile over tokens, chunk by chunk."""
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    folder = str(tiny_compressor(tmp_path / "m"))
    text = "the Mill of orvel burned in 1904."
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        encoded = tokenizer(text, return_tensors="pt")
        values = AutoModelForTokenClassification.from_pretrained(folder)(**encoded).logits[0].softmax(-1)[1:-1, 1].numpy()
    words = ["the", "Mill", "of", "orvel", "burned", "in", "1904", "."]
    means, place = [], 0
    for word in words:
        means.append(values[place : place + len(word)].mean())
        place += len(word)
    limit = np.percentile(np.repeat(means, list(map(len, words))), 51)
    expected = [word for word, mean in zip(words, means, strict=True) if mean > limit]
    assert prompt_compressor(folder).compress(text, 0.5).replace(".", " .").split() == expected


SENTENCES = (
    "the Mill of orvel burned in 1904.",
    "who paid for the bridge, nobody, or all.",
    "nobody was hurt in the fire.",
    "rain came at noon, and a boat or so.",
    "我们生在这个国, 他们来用时工作.",
    "in 1911 orvel sold its old tower.",
)
PARITY_TEXTS = (*SENTENCES, *(" ".join((SENTENCES * 2)[first : first + 6]) for first in range(6)))
"""Twelve texts; each of the longer ones has several chunks. None of those is one token too long, which the package lets through
without its closing [SEP]."""


@pytest.mark.parametrize("seed", [7, 8])
def test_the_words_that_the_package_llmlingua_keeps_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The package counts a word's tokens with OpenAI's tokenizer, which it downloads; here it counts them with the model's."""
    package = pytest.importorskip("llmlingua.prompt_compressor", reason="llmlingua is not installed: the product has its own")
    folder = tiny_compressor(tmp_path / "bert-base-multilingual-cased", seed=seed)
    monkeypatch.setattr(package.tiktoken, "encoding_for_model", lambda name: None)
    monkeypatch.setattr(package, "seed_everything", lambda seed: None)
    options = {"device_map": "cpu", "use_llmlingua2": True, "model_config": {"trust_remote_code": False}}
    theirs = package.PromptCompressor(str(folder), **options)
    theirs.max_seq_len = 64
    theirs.oai_tokenizer = SimpleNamespace(encode=theirs.tokenizer.tokenize)
    ours = prompt_compressor(str(folder))
    for text in PARITY_TEXTS:
        for rate in (0.2, 0.33, 0.5, 0.75):
            done = theirs.compress_prompt([text], rate=rate, return_word_label=True)
            words = [word.rsplit(" ", 1) for word in done["fn_labeled_original_prompt"].split("\t\t|\t\t")]
            kept = "".join(word for word, label in words if label == "1")
            assert kept and ours.compress(text, rate).lower().replace(" ", "") == kept, (text, rate)


def test_words_that_are_all_certain_are_all_kept(tmp_path: Path) -> None:
    """The percentile of values that are all 1 is 1, which no value exceeds."""
    import torch
    from transformers import AutoModelForTokenClassification

    folder = str(tiny_compressor(tmp_path / "m"))
    model = AutoModelForTokenClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.bias[:] = torch.tensor([-500.0, 500.0])
    model.save_pretrained(folder)
    assert prompt_compressor(folder).compress(SENTENCES[0], 0.5) == SENTENCES[0]


def test_a_text_longer_than_the_model_reads_is_compressed_chunk_by_chunk(tmp_path: Path) -> None:
    compressor = prompt_compressor(str(tiny_compressor(tmp_path / "m")))
    with collect_model_uses() as uses:
        short = compressor.compress(TEXT, 0.4)
    assert 0.2 * len(TEXT) < len(short) < 0.6 * len(TEXT)
    last = TEXT.index("rain came", 220)
    assert any(word in short[-40:] for word in TEXT[last:].strip(". ").split()), "the end of the text takes part"
    assert list(uses.values()) == [place_model()._asdict()] and next(iter(uses))[0] == "compressor"
    assert compressor.compress(TEXT, 1.0) == TEXT and compressor.compress("  ", 0.4) == "  "


def test_the_label_to_keep_is_read_from_the_config(tmp_path: Path) -> None:
    plain = prompt_compressor(str(tiny_compressor(tmp_path / "plain")))
    turned = prompt_compressor(str(tiny_compressor(tmp_path / "turned", {0: "PRESERVE", 1: "DROP"})))
    text = "the mill of orvel burned in"
    one, other = set(plain.compress(text, 0.5).split()), set(turned.compress(text, 0.5).split())
    assert one and other and not one & other, "the same weights, with the labels' meanings exchanged"


def test_a_script_without_spaces_is_compressed_by_its_characters(tmp_path: Path) -> None:
    compressor = prompt_compressor(str(tiny_compressor(tmp_path / "m")))
    text = "我们生在这个国家，他们来用时间发动工作。"
    short = compressor.compress(text, 0.5)
    left = iter(text)
    assert 0 < len(short) < len(text) and all(character in left for character in short) and " " not in short


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("no folder", "There is no model in .*: set compressor to the folder of a token classifier"),
        ("no tokenizer", "it has no tokenizer"),
        ("other kind", "its config.json says BertModel, and a compressor is a model for token classification"),
        ("three labels", "it has 3 labels, and a compressor has two"),
        ("no device", "device is cuda:97, and torch finds"),
        ("own code", "trust_remote_code"),
    ],
)
def test_a_folder_that_is_no_compressor_is_one_sentence(tmp_path: Path, damage: str, words: str) -> None:
    folder, device = tmp_path / "m", "cpu"
    if damage == "other kind":
        tiny_model(folder)
    elif damage != "no folder":
        tiny_compressor(folder, dict(enumerate("abc")) if damage == "three labels" else None)
    if damage == "no tokenizer":
        for file in (*folder.glob("tokenizer*"), folder / "vocab.txt"):
            file.unlink()
    if damage == "own code":
        config = json.loads((folder / "config.json").read_text())
        own = {"model_type": "own", "auto_map": {"AutoConfig": "own.OwnConfig"}}
        (folder / "config.json").write_text(json.dumps(config | own))
        (folder / "own.py").write_text("raise SystemExit('was run')")
    if damage == "no device":
        device = "cuda:97"
    with pytest.raises(BenchError, match=words) as error:
        prompt_compressor(str(folder), device)
    assert "\n" not in str(error.value)
