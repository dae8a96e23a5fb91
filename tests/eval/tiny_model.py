"""A transformers model with random weights and words of its own, as a folder: small enough to be made in a test."""

from pathlib import Path

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
        vocab_size=len(pieces), hidden_size=width, num_hidden_layers=layers, num_attention_heads=4, intermediate_size=2 * width,
        max_position_embeddings=64, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=0.5,
    )  # fmt: skip
    BertModel(config).eval().save_pretrained(str(folder))
    return folder
