"""The local agent on a random model of 16 words, made here."""

from pathlib import Path

import pytest

from agents.huggingface.huggingface import HuggingFaceAgent
from core.agent import Sampling
from core.errors import AgentError, BenchError
from core.nouns import Message, Prompt

PROMPT = Prompt("answer/short.en", "answer", (Message("user", "$words"),), ("words",))
WORDS = {"words": "the mill was old"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    known = ["[end]", "[unk]", "the", "mill", "was", "old", "and", "new", "by", "a", "river", "in", "town", "of", "quill", "."]
    inner = Tokenizer(models.WordLevel({word: i for i, word in enumerate(known)}, unk_token="[unk]"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="[end]", unk_token="[unk]").save_pretrained(folder)
    torch.manual_seed(1)
    config = GPT2Config(vocab_size=len(known), n_positions=64, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


async def test_greedy_reply_repeats_and_its_logprobs_are_of_its_tokens(folder):
    agent = HuggingFaceAgent(folder)
    first = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8, logprobs=True))
    second = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    assert first.text == second.text and second.logprobs is None
    assert (first.tokens_in, first.price, first.attempts) == (4, 0.0, 0)
    assert len(first.logprobs) == first.tokens_out and all(log < 0 for _, log in first.logprobs)
    assert first.finish == ("stop" if first.tokens_out < 8 else "length")


async def test_sampling_follows_its_seed_and_index(folder):
    agent = HuggingFaceAgent(folder, temperature=1.5)
    hot = Sampling(max_tokens=12, seed=7)
    one, same, other = [await agent.ask(PROMPT, WORDS, s) for s in (hot, hot, Sampling(max_tokens=12, seed=7, index=1))]
    assert one.text == same.text != other.text


async def test_text_ends_before_a_stop(folder):
    agent = HuggingFaceAgent(folder)
    whole = (await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))).text.split()
    cut = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8, stop=(whole[1],)))
    assert whole[1] not in cut.text.split() and cut.finish == "stop"


async def test_request_past_the_context_is_too_long(folder):
    agent = HuggingFaceAgent(folder)
    assert agent.context == 64
    with pytest.raises(AgentError) as caught:
        await agent.ask(PROMPT, WORDS, Sampling(max_tokens=61))
    assert (caught.value.kind, caught.value.stops_job) == ("too_long", False)


def test_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(BenchError, match=str(tmp_path)):
        HuggingFaceAgent(tmp_path)


async def test_a_reply_goes_on_from_what_was_begun_and_its_request_says_so(folder):
    agent = HuggingFaceAgent(folder)
    whole = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    begun = " ".join(whole.text.split()[:3])
    rest = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=5, prefill=begun))
    assert f"{begun} {rest.text.strip()}".split() == whole.text.split()
    asked, going_on = (agent.request(PROMPT, WORDS, Sampling(prefill=words)) for words in ("", begun))
    assert "begun" not in asked and going_on["begun"] == begun


async def test_entropies_are_of_the_raw_logits_whatever_the_temperature(folder):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    found = await HuggingFaceAgent(folder, temperature=0.1).ask(PROMPT, WORDS, Sampling(max_tokens=3, logprobs=True, seed=2))
    ids = [*AutoTokenizer.from_pretrained(folder)("the mill was old")["input_ids"], *found.raw["ids"]]
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(folder)(torch.tensor([ids])).logits[0][-4:-1]
    shares = torch.softmax(logits.double(), -1)
    assert found.raw["entropies"] == pytest.approx((-(shares * shares.log()).sum(-1)).tolist(), rel=1e-4)
    assert found.raw["entropy_of"] == "raw logits" and len(found.raw["ids"]) == 3


async def test_a_look_inside_gives_words_and_weights_that_sum_to_one(folder):
    seen = await HuggingFaceAgent(folder).look("the mill was old")
    assert [word.text for word in seen.words] == ["the", "mill", "was", "old"]
    assert seen.weights.shape == (4, 4) and seen.weights.sum(axis=1) == pytest.approx([1, 1, 1, 1], rel=1e-5)
    assert seen.peaks[0] == pytest.approx(1.0, rel=1e-5), "the first token looks at itself alone"
    assert (await HuggingFaceAgent(folder).look("")).words == ()
