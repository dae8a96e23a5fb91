"""A Llama with random weights and words of its own, as a folder: small enough to be made in a test. Its tokenizer is
byte-level, marks spaces and cuts longer words in two, so that words are made of several tokens; it writes nothing but those
words and full stops, and never ends by itself."""

from pathlib import Path

WORDS = """The It mill tower river bridge school bell Wend Quill Orvel built burned sold stands near old 1904 was the in of a to
and it"""


def tiny_llama(folder: Path, seed: int = 3, heads: int = 2, width: int = 32, layers: int = 2) -> Path:
    """The folder, filled."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {piece: at for at, piece in enumerate(["<s>", "</s>", *letters])}
    merges: list[tuple[str, str]] = []

    def join(left: str, right: str) -> str:
        if left + right not in vocab:
            vocab[left + right] = len(vocab)
            merges.append((left, right))
        return left + right

    spoken = {"."}
    for word in WORDS.split():  # a word of more than three letters is cut after its second
        first, rest = word[:2] if len(word) > 3 else word, word[2:] if len(word) > 3 else ""
        for part in (f"\u0120{first}", rest):
            made = part[:1]
            for letter in part[1:]:
                made = join(made, letter)
            spoken |= {made} if made else set()
    inner = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=inner, bos_token="<s>", eos_token="</s>").save_pretrained(folder)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(vocab),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=4096,
        bos_token_id=0,
        eos_token_id=1,
        initializer_range=0.6,
    )
    model = LlamaForCausalLM(config).eval()
    model.generation_config.suppress_tokens = [at for piece, at in vocab.items() if piece not in spoken]
    model.save_pretrained(folder)
    return folder
