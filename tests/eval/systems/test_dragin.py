"""dragin: its scores and queries by hand, and on a tiny Llama against the same arithmetic done here from the model's own
tensors; a model without eager attention is one sentence."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.huggingface.chat_text import PLAIN
from agents.huggingface.huggingface import HuggingFaceAgent
from agents.huggingface.inside import ModelView, TokenWord
from agents.offline.agent import OfflineAgent
from core.agent import Completion, Sampling
from core.errors import BenchError
from core.nouns import Prompt
from core.text.language import find_row
from eval.system import Shot
from eval.systems.dragin import find_trigger, select_most_attended, sum_attention
from eval.workflows.hops import is_extracted, list_hops
from prompts.prompt import load
from tests.eval.asked import answered, question
from tests.eval.tiny_llama import tiny_llama
from tests.eval.trace_reading import count_searches, find_raw_output

AHEAD = 48
ASKED = "When did the mill burn?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("llama"), seed=8)


def seen(words: list[tuple[str, int]], peaks: list[float], weights: Any = None) -> ModelView:
    made, at = [], 0
    for text, tokens in words:
        made.append(TokenWord(text, at, at + tokens))
        at += tokens
    return ModelView(tuple(made), np.array(weights if weights is not None else np.zeros((at, at))), np.array(peaks))


def test_a_words_score_is_its_share_of_attention_times_its_entropy_times_the_words_of_its_sentence() -> None:
    text = "It was old. The mill burned in 1904."
    one = seen(
        [("It", 1), ("was", 1), ("old.", 2), ("The", 1), ("mill", 1), ("burned", 2), ("in", 1), ("1904.", 2)],
        [0.2, 0.2, 0.3, 0.3, 0.1, 0.2, 0.1, 0.1, 0.2, 0.1, 0.2],
    )
    entropies = [0.1, 0.1, 0.5, 0.1, 3.0, 1.0, 2.0, 1.0, 0.5, 2.0, 1.0]
    # sentence 1: shares .2, .2, .6 of 1.0; entropies .1, .1, .3; 3 words -> .06, .06, .54
    # sentence 2: shares .1, .2, .2, .2, .3 of 1.0; entropies 3, 1, 1.5, .5, 1.5; 5 words -> 1.5, 1.0, 1.5, .5, 2.25
    found = find_trigger(text, one, entropies, 1.2, "en")
    assert found and (found.before, found.sentence) == ("It was old. ", "The mill burned in 1904.")
    assert [word.score for word in found.words] == pytest.approx([1.5, 1.0, 1.5, 0.5, 2.25])
    hit = [word.text for word in found.words if word.is_hit]
    assert hit == ["burned", "1904."], "The is over theta, too, but says nothing by itself"
    assert (found.worst_word.text, find_trigger(text, one, entropies, 2.5, "en")) == ("1904.", None)
    first = find_trigger(text, one, entropies, 0.5, "en")
    assert first and first.sentence == "It was old.", "the first sentence with a hit, not the one with the highest score"


def test_a_query_holds_the_content_words_that_the_hits_looked_at_most() -> None:
    #                  mill   the    tower(2)      Wend   burned(2)
    weights = np.array(
        [
            [1.0, 0, 0, 0, 0, 0, 0],
            [0.5, 0.5, 0, 0, 0, 0, 0],
            [0.5, 0.2, 0.3, 0, 0, 0, 0],
            [0.2, 0.2, 0.3, 0.3, 0, 0, 0],
            [0.1, 0.3, 0.2, 0.1, 0.3, 0, 0],  # before burned's first token
            [0.1, 0.1, 0.1, 0.1, 0.1, 0.5, 0],  # before its second: half of it on itself, left out, the rest made whole
            [0, 0, 0, 0, 0, 0, 1.0],
        ]
    )
    one = seen([("mill", 1), ("the", 1), ("tower", 2), ("Wend", 1), ("burned", 2)], [0.0] * 7, weights)
    assert sum_attention(one, 4) == pytest.approx([0.15, 0.25, 0.35, 0.25, 0.0])
    assert select_most_attended(one, [4], 2, "en") == ["tower", "Wend"], "the says nothing; in the order of the text"
    assert select_most_attended(one, [4], 1, "en") == ["tower"] and select_most_attended(one, [4], 9, "en") == [
        "mill",
        "tower",
        "Wend",
    ]
    assert select_most_attended(one, [2, 4], 9, "en") == ["mill", "Wend"], "a hit is not a word of the query"
    assert select_most_attended(one, [], 9, "en") == [] == select_most_attended(one, [0], 9, "en")


class ByHand:
    """The same model, read here with plain numpy."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.coder: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
        self.silent = self.model.generation_config.suppress_tokens

    def run(self, ids: list[int]) -> tuple[Any, Any]:
        """(logits, attention of the last layer by head)."""
        import torch

        with torch.inference_mode():
            out = self.model(torch.tensor([ids]), output_attentions=True)
        return out.logits[0].double().numpy(), out.attentions[-1][0].double().numpy()

    def write(self, prompt: str, tokens: int) -> tuple[list[int], list[float]]:
        """(tokens, entropies), the likeliest one after another."""
        ids, made, entropies = self.coder(prompt, add_special_tokens=False)["input_ids"], list[int](), list[float]()
        for _ in range(tokens):
            logits = self.run([*ids, *made])[0][-1]
            shares = np.exp(logits - logits.max())
            shares /= shares.sum()
            entropies.append(float(-(shares * np.log(shares)).sum()))
            logits[self.silent] = -np.inf
            made.append(int(logits.argmax()))
        return made, entropies

    def words(self, ids: list[int]) -> list[tuple[str, int, int]]:
        """(word, first token, one after its last): a token with a space begins one."""
        found: list[tuple[str, int, int]] = []
        for at, piece in enumerate(self.coder.convert_ids_to_tokens(ids)):
            if piece.startswith("\u0120") or not found:
                found.append((piece.lstrip("\u0120"), at, at + 1))
            else:
                word, first, _ = found[-1]
                found[-1] = (word + piece, first, at + 1)
        return found


def is_content(word: str) -> bool:
    bare = word.strip(".").lower()
    return bool(bare) and bare not in find_row("en").stop_words


def prompt_text(so_far: str = "") -> str:
    filled = load("answer/step_by_step", "en").fill({"question": ASKED, "context": "", "so_far": ""})
    return "\n\n".join(message.content for message in filled) + "\n\n" + so_far


async def test_on_a_tiny_llama_trigger_and_query_are_those_of_its_tensors(folder: Path) -> None:
    by_hand = ByHand(folder)
    ids, entropies = by_hand.write(prompt_text(), AHEAD)
    words = by_hand.words(ids)
    peaks = by_hand.run(ids)[1].max(axis=1).mean(axis=0)
    ends = [at for at, (word, _, _) in enumerate(words) if word.endswith(".")]
    sentences = [
        words[start:end] for start, end in zip([0, *(e + 1 for e in ends)], [*(e + 1 for e in ends), len(words)], strict=True)
    ]
    scores = []
    for sentence in sentences:
        share = np.array([peaks[first:end].sum() for _, first, end in sentence])
        unsure = np.array([np.mean(entropies[first:end]) for _, first, end in sentence])
        scores.append(share / share.sum() * unsure * len(sentence))
    content = [
        max((s for s, (word, _, _) in zip(scores[n], sentence, strict=True) if is_content(word)), default=0.0)
        for n, sentence in enumerate(sentences)
    ]
    theta = round(content[0] + 0.01, 4)
    second = next(n for n in range(1, len(sentences)) if content[n] > theta)
    assert second > 0, "the first sentence is to stay"
    hit = [s > theta and is_content(word) for s, (word, _, _) in zip(scores[second], sentences[second], strict=True)]

    kept = " ".join(word for sentence in sentences[:second] for word, _, _ in sentence)
    sentence = " ".join(word for word, _, _ in sentences[second])
    read = by_hand.coder(f"{ASKED} {kept} {sentence}")["input_ids"]
    weights, all_words = by_hand.run(read)[1].mean(axis=0), by_hand.words(read)
    places = [len(all_words) - len(hit) + at for at, is_hit in enumerate(hit) if is_hit]
    total = np.zeros(len(all_words))
    for place in places:
        _, first, end = all_words[place]
        for token in range(first, end):
            row = weights[token - 1, :first] / weights[token - 1, :first].sum()
            for other, (_, begin, stop) in enumerate(all_words[:place]):
                total[other] += row[begin:stop].sum() / (end - first) / len(places)
    can = [at for at, (word, _, _) in enumerate(all_words) if at < max(places) and at not in places and is_content(word)]
    query = " ".join(all_words[at][0] for at in sorted(sorted(can, key=lambda at: -total[at])[:6]))

    agent = HuggingFaceAgent(folder, template=PLAIN)
    trace = await answered(
        "dragin",
        agent.ask,
        question(ASKED),
        agent.look,
        theta=theta,
        look_ahead=AHEAD,
        query_words=6,
        max_steps=1,
        query_tokens=500,
        finish_answer=False,
    )
    (hop,) = list_hops(trace)
    worst = max((s, word) for s, (word, _, _), is_hit in zip(scores[second], sentences[second], hit, strict=True) if is_hit)
    assert hop.query == query
    assert (hop.trigger["token"], hop.trigger["score"]) == (worst[1], pytest.approx(worst[0], rel=1e-4))
    assert (hop.trigger["threshold"], count_searches(trace), trace.calls) == (theta, 1, 2)
    assert (find_raw_output(trace) or "").strip().startswith(kept), "what stood before the unsure sentence is kept"
    assert trace.steps[-1].about["entropy"] == "raw logits" and trace.steps[-1].about["sentences"] == "built-in splitter"


async def test_of_what_is_written_after_a_search_the_first_sentence_is_kept(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    shown = list[str]()

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        if not inputs["context"]:
            return await agent.ask(prompt, inputs, sampling)
        shown.append(f"{inputs['context']} {sampling.prefill}".strip())
        return Completion("The mill burned in 1904. It stood near the river.", finish="length")

    trace = await answered(
        "dragin", ask, question(ASKED), agent.look, theta=0.0, look_ahead=AHEAD, max_steps=1, finish_answer=False
    )
    (hop,) = list_hops(trace)
    assert len(hop.spans) == 2 and find_raw_output(trace) == "The mill burned in 1904."
    assert shown == ["[1] The mill burned down in 1904.\n\n[2] Ada Quill built the mill of Wend."]


async def test_without_a_trigger_nothing_is_searched_and_a_missing_answer_is_asked_for_once(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    trace = await answered("dragin", agent.ask, question(ASKED), agent.look, theta=1000, look_ahead=16, max_steps=2)
    assert (list_hops(trace), trace.retrieved, count_searches(trace), trace.calls) == ([], (), 0, 3)
    assert trace.answer and is_extracted(trace) and f"So the answer is {trace.answer}" in (find_raw_output(trace) or "")
    bare = await answered(
        "dragin", agent.ask, question(ASKED), agent.look, theta=1000, look_ahead=16, max_steps=2, finish_answer=False
    )
    assert (bare.answer, is_extracted(bare), bare.calls) == ("", False, 2)


async def test_worked_examples_stand_in_every_call_and_end_as_its_own_replies_do(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    sent = list[str]()

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        sent.append(prompt.fill(inputs)[0].content)
        return await agent.ask(prompt, inputs, sampling)

    shots = tuple(Shot(f"When was tower {n} sold?", (f"Tower {n} was sold in {1900 + n}.",), f"{1900 + n}") for n in range(6))
    asked = replace(question(ASKED), shots=shots)
    await answered("dragin", ask, asked, agent.look, theta=1000, look_ahead=8, max_steps=1)
    told = [f"Question: {one.question}\nAnswer: {one.evidence[0]} So the answer is {one.answer}." for one in shots]
    assert len(sent) == 2 and all(example in prompt for prompt in sent for example in told)


async def test_chinese_has_no_spaces_and_each_token_is_a_word(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    looked = await agent.look("磨坊 mill", spaced=False)
    assert [word.text for word in looked.words] == ["磨", "坊", "mi", "ll"]
    asked = question("磨坊何时烧毁？", "zh")
    trace = await answered("dragin", agent.ask, asked, agent.look, theta=0.0, look_ahead=8, max_steps=1)
    assert trace.stop == "answered" and len(list_hops(trace)) <= 1


async def test_a_model_without_attention_weights_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer, MambaConfig, MambaForCausalLM

    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    MambaForCausalLM(MambaConfig(vocab_size=512, hidden_size=16, num_hidden_layers=1, state_size=4)).save_pretrained(tmp_path)
    agent = HuggingFaceAgent(tmp_path, template=PLAIN)
    with pytest.raises(BenchError, match=r"^unsupported: the model huggingface:.* returns no attention weights"):
        await answered("dragin", agent.ask, question(ASKED), agent.look)


async def test_a_folder_that_stays_with_sdpa_is_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import LlamaForCausalLM

    monkeypatch.setattr(LlamaForCausalLM, "set_attn_implementation", lambda self, kind: None)
    agent = HuggingFaceAgent(folder, template=PLAIN)
    with pytest.raises(
        BenchError, match="returns no attention weights; dragin needs a model that can run with eager attention"
    ):
        await answered("dragin", agent.ask, question(ASKED), agent.look)


async def test_an_agent_that_is_no_local_model_is_one_sentence() -> None:
    with pytest.raises(BenchError, match=r"^unsupported: dragin needs a model whose attention can be seen"):
        await answered("dragin", OfflineAgent().ask)
