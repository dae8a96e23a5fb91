"""Transformers models with random weights and words of their own, as folders: small enough to be made in a test."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,?" + (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
)


def tiny_model(folder: Path, seed: int = 5, layers: int = 4, width: int = 32) -> Path:
    """The folder, filled: a BERT that reads letters, 64 of them at most."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    (folder / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"), do_lower_case=True, model_max_length=64)
    tokenizer.save_pretrained(str(folder))
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=2 * width,
        max_position_embeddings=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.5,
    )
    BertModel(config).eval().save_pretrained(str(folder))
    return folder


def tiny_cross_encoder(folder: Path, texts: Iterable[str]) -> Path:
    """The folder, filled: a BERT that gives a pair one number and knows the words of those texts."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = sorted({word for text in texts for word in text.lower().strip(".?").split()})
    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **names).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def tiny_sentence_model(
    folder: Path,
    *,
    prompts: Mapping[str, str] | None = None,
    default_prompt: str | None = None,
    similarity: str | None = None,
    is_normalised: bool = False,
    pooling: str = "mean",
    includes_prompt: bool = True,
) -> Path:
    """The folder, filled: a sentence-transformers model over `tiny_model` that states how it is to be used."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Normalize, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    modules: list[Any] = [Transformer(str(tiny_model(folder.with_name(f"{folder.name}-inner"))))]
    modules.append(Pooling(32, pooling_mode=pooling, include_prompt=includes_prompt))
    modules += [Normalize()] if is_normalised else []
    stated: dict[str, Any] = {"prompts": dict(prompts or {}), "default_prompt_name": default_prompt}
    SentenceTransformer(modules=modules, device="cpu", similarity_fn_name=similarity, **stated).save(str(folder))
    return folder


def tiny_compressor(folder: Path, labels: Mapping[int, str] | None = None, seed: int = 7) -> Path:
    """The folder, filled: a token classifier over the words of `tiny_model`, of two labels or those given."""
    import torch
    from transformers import BertConfig, BertForTokenClassification

    tiny_model(folder)
    torch.manual_seed(seed)
    config = BertConfig.from_pretrained(str(folder), id2label=dict(labels or {0: "LABEL_0", 1: "LABEL_1"}))
    BertForTokenClassification(config).eval().save_pretrained(str(folder))
    return folder
