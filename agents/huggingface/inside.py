"""Computes attention, entropy and loss of a local model: which words the model attends to, how uncertain the model is, and how
much a text surprises the model. Attention comes from the weights of the last layer, entropy and loss from the raw logits. The
functions import torch when they are called."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from core.errors import BenchError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPACE_MARKS = ("\u2581", "\u0120")
"""Characters with which a tokenizer marks a space before a token: sentencepiece and byte-level BPE."""
LINE_MARKS = ("\u010a", "<0x0A>")
"""Tokens with which a tokenizer marks the end of a line: byte-level BPE and sentencepiece."""
HALF_CHARACTER = "\ufffd"
"""Unicode replacement character, to which a token decodes if it holds only part of a character's bytes."""


class TokenWord(NamedTuple):
    """Adjacent tokens that form one word; in a language without spaces, a single token."""

    text: str
    first: int
    end: int
    """Index of the token that follows the word's last token."""


@dataclass(frozen=True, slots=True)
class ModelView:
    """Attention of a model between the words and tokens of one text."""

    words: tuple[TokenWord, ...]
    """Words of the text in order, without special tokens."""
    weights: "NDArray[np.float32]"
    """Attention from each token (row) to each token (column) in the last layer, as the mean over its heads; each row sums to
    1."""
    peaks: "NDArray[np.float32]"
    """Highest attention that each token receives: the maximum of the token's column in each head, averaged over the heads."""


class Loss(NamedTuple):
    """Loss of a language model on one text."""

    mean: float | None
    """Mean negative log-probability of the tokens that have a probability, or None if no token has one."""
    tokens: int
    """Number of tokens with a probability: all tokens of the text, without the first unless a beginning-of-text token precedes
    it."""


def view_attention(model: Any, tokenizer: Any, read: str | Sequence[int], name: str, spaced: bool) -> ModelView:
    """Return, as a ModelView, the model's attention between the words and tokens of `read`, which is a text or a sequence of
    token ids. `spaced` says whether the language separates words with spaces. Raises BenchError if the model returns no
    attention."""
    import torch

    if getattr(model.config, "_attn_implementation", "") != "eager":
        try:
            model.set_attn_implementation("eager")
        except (ValueError, AttributeError, NotImplementedError) as error:
            raise _refuse_without_attention(name) from error
    ids = [int(i) for i in (tokenizer(read)["input_ids"] if isinstance(read, str) else read)]
    if not ids:
        import numpy as np

        return ModelView((), np.zeros((0, 0), dtype=np.float32), np.zeros(0, dtype=np.float32))
    attentions = getattr(model(torch.tensor([ids], device=model.device), output_attentions=True), "attentions", None)
    if not attentions or attentions[-1] is None:
        raise _refuse_without_attention(name)
    heads = attentions[-1][0].float()
    shown = heads.mean(dim=0).cpu().numpy(), heads.amax(dim=1).mean(dim=0).cpu().numpy()
    return ModelView(_words(ids, tokenizer, spaced), *shown)


def loss_of(model: Any, tokenizer: Any, text: str) -> Loss:
    """Return the model's loss on a text, which is the mean of -log p(q_t | q_<t) over the text's tokens q_1 to q_T. If the
    tokenizer has a beginning-of-text token, this token is put before the text."""
    import torch

    ids = [int(i) for i in tokenizer(text, add_special_tokens=False)["input_ids"]]
    opening = tokenizer.bos_token_id
    read = ids if opening is None else [int(opening), *ids]
    if len(read) < 2 or not ids:
        return Loss(None, 0)
    logs = torch.log_softmax(model(torch.tensor([read], device=model.device)).logits[0].float(), -1)
    each = [-logs[at - 1, read[at]].item() for at in range(1, len(read))]
    return Loss(sum(each) / len(each), len(each))


def entropies(logits: Sequence[Any]) -> list[float]:
    """Return the entropy of the next-token distribution, -sum p log p, at each generation step, before temperature and
    top_p."""
    import torch

    values = []
    for step in logits:
        logs = torch.log_softmax(step[0].float(), -1)
        values.append(float(-torch.xlogy(logs.exp(), logs.exp()).sum()))
    return values


def _words(ids: Sequence[int], tokenizer: Any, spaced: bool) -> tuple[TokenWord, ...]:
    pieces, special = [str(piece) for piece in tokenizer.convert_ids_to_tokens(list(ids))], set(tokenizer.all_special_ids)
    marks = tuple(mark for mark in SPACE_MARKS if any(piece.startswith(mark) for piece in tokenizer.get_vocab()))
    token_words: list[TokenWord] = []
    for at, piece in enumerate(pieces):
        if ids[at] in special:
            continue
        is_next = (
            bool(token_words)
            and token_words[-1].end == at
            and not _is_word_start(piece, pieces[at - 1], marks, spaced, token_words[-1].text)
        )
        first = token_words.pop().first if is_next else at
        token_words.append(TokenWord(str(tokenizer.decode(list(ids[first : at + 1]))).strip(), first, at + 1))
    return tuple(word for word in token_words if word.text)


def _is_word_start(piece: str, before: str, marks: tuple[str, ...], spaced: bool, word: str) -> bool:
    """Return whether the token `piece` begins a word. A token begins a word if the tokenizer marks a space or a line end before
    it; a tokenizer without space marks writes ## before a token that continues a word."""
    if not spaced:
        return not word.endswith(HALF_CHARACTER)
    return piece.startswith((*marks, *LINE_MARKS)) or before in LINE_MARKS if marks else not piece.startswith("##")


def _refuse_without_attention(name: str) -> BenchError:
    return BenchError(
        f"unsupported: the model {name} returns no attention weights; dragin needs a model that can run with eager attention."
    )
