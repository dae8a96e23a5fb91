"""The local agent on random models of few words, made here: alone and in batches, with chat templates of every kind."""

import asyncio
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.huggingface.chat_text import PLAIN, list_template_variables, merge_system, write_chat
from agents.huggingface.huggingface import HuggingFaceAgent
from agents.huggingface.local_model import Generated, GenerationTask
from agents.thinking import DEFAULT_THINKING_TOKENS
from core.agent import Sampling
from core.errors import AgentError, BenchError
from core.model_uses import collect_model_uses
from core.nouns import Message, Prompt
from tests.eval.tiny_llama import tiny_llama

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
    agent = HuggingFaceAgent(folder, template=PLAIN)
    first = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8, logprobs=True))
    second = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    assert first.text == second.text and second.logprobs is None
    assert (first.tokens_in, first.price, first.attempts) == (4, 0.0, 0)
    assert len(first.logprobs) == first.tokens_out and all(log < 0 for _, log in first.logprobs)
    assert first.finish == ("stop" if first.tokens_out < 8 else "length")


async def test_sampling_follows_its_seed_and_index(folder):
    agent = HuggingFaceAgent(folder, 1.5, template=PLAIN)
    hot = Sampling(max_tokens=12, seed=7)
    one, same, other = [await agent.ask(PROMPT, WORDS, s) for s in (hot, hot, Sampling(max_tokens=12, seed=7, index=1))]
    assert one.text == same.text != other.text


async def test_text_ends_before_a_stop(folder):
    agent = HuggingFaceAgent(folder, template=PLAIN)
    whole = (await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))).text.split()
    cut = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8, stop=(whole[1],)))
    assert whole[1] not in cut.text.split() and cut.finish == "stop"


async def test_request_past_the_context_is_too_long(folder):
    agent = HuggingFaceAgent(folder, template=PLAIN)
    assert agent.context == 64
    with pytest.raises(AgentError) as caught:
        await agent.ask(PROMPT, WORDS, Sampling(max_tokens=61))
    assert (caught.value.kind, caught.value.stops_job) == ("too_long", False)


def test_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(BenchError, match=str(tmp_path)):
        HuggingFaceAgent(tmp_path)


async def test_a_reply_goes_on_from_what_was_begun_and_its_request_says_so(folder):
    agent = HuggingFaceAgent(folder, template=PLAIN)
    whole = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    begun = " ".join(whole.text.split()[:3])
    rest = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=5, prefill=begun))
    assert f"{begun} {rest.text.strip()}".split() == whole.text.split()
    asked, going_on = (agent.request(PROMPT, WORDS, Sampling(prefill=words)) for words in ("", begun))
    assert "begun" not in asked and going_on["begun"] == begun


async def test_entropies_are_of_the_raw_logits_whatever_the_temperature(folder):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    found = await HuggingFaceAgent(folder, 0.1, template=PLAIN).ask(
        PROMPT, WORDS, Sampling(max_tokens=3, logprobs=True, seed=2)
    )
    ids = [*AutoTokenizer.from_pretrained(folder)("the mill was old")["input_ids"], *found.raw["ids"]]
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(folder)(torch.tensor([ids])).logits[0][-4:-1]
    shares = torch.softmax(logits.double(), -1)
    assert found.raw["entropies"] == pytest.approx((-(shares * shares.log()).sum(-1)).tolist(), rel=1e-4)
    assert found.raw["entropy_of"] == "raw logits" and len(found.raw["ids"]) == 3


async def test_a_look_inside_gives_words_and_weights_that_sum_to_one(folder):
    seen = await HuggingFaceAgent(folder, template=PLAIN).look("the mill was old")
    assert [word.text for word in seen.words] == ["the", "mill", "was", "old"]
    assert seen.weights.shape == (4, 4) and seen.weights.sum(axis=1) == pytest.approx([1, 1, 1, 1], rel=1e-5)
    assert seen.peaks[0] == pytest.approx(1.0, rel=1e-5), "the first token looks at itself alone"
    assert (await HuggingFaceAgent(folder, template=PLAIN).look("")).words == ()


TEXTS = [
    "the mill was old",
    "a river in town",
    "quill",
    "the old mill by a river in the old town of quill and a new river",
    ".",
]


async def test_requests_that_wait_together_are_one_batch_and_answer_as_alone(folder: Path, tmp_path: Path) -> None:
    """Left padding, float32, greedy: absolute places (GPT-2) and rotary ones (Llama), with logs and stops of their own."""
    for place in (folder, tiny_llama(tmp_path / "llama")):
        alone = together = HuggingFaceAgent(place, template=PLAIN)
        alone.model.batches.clear()
        samplings = [
            Sampling(max_tokens=9),
            Sampling(max_tokens=4, logprobs=True),
            Sampling(max_tokens=12, stop=("mill",)),
            Sampling(max_tokens=6, logprobs=True),
            Sampling(max_tokens=1),
        ]
        asked = [(PROMPT, {"words": words}, sampling) for words, sampling in zip(TEXTS, samplings, strict=True)]
        singly = [await alone.ask(*one) for one in asked]
        assert set(alone.model.batches) == {1}
        together.model.batches.clear()
        replies = await asyncio.gather(*(together.ask(*one) for one in asked))
        assert list(together.model.batches) == [5], "one generate call"
        for one, other in zip(singly, replies, strict=True):
            assert (one.text, one.finish, one.tokens_in, one.tokens_out) == (
                other.text,
                other.finish,
                other.tokens_in,
                other.tokens_out,
            )
            if one.logprobs is not None:
                assert [token for token, _ in one.logprobs] == [token for token, _ in other.logprobs or ()]
                assert [log for _, log in one.logprobs] == pytest.approx([log for _, log in other.logprobs or ()], abs=1e-5)
                assert one.raw is not None and other.raw is not None
                assert one.raw["entropies"] == pytest.approx(other.raw["entropies"], abs=1e-5)
        assert {reply.seconds for reply in replies} == {replies[0].seconds} and all(reply.waited >= 0 for reply in replies)


async def test_samples_do_not_depend_on_what_is_asked_beside_them(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, 1.2, template=PLAIN)
    samplings = [Sampling(max_tokens=12, seed=3, index=index, top_p=0.9) for index in range(6)]
    singly = [(await agent.ask(PROMPT, WORDS, one)).text for one in samplings]
    agent.model.batches.clear()
    together = await asyncio.gather(*(agent.ask(PROMPT, WORDS, one) for one in samplings))
    assert [reply.text for reply in together] == singly and len(set(singly)) > 3
    assert list(agent.model.batches) == [6]


async def test_samples_follow_the_models_distribution_within_top_p(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    ids = AutoTokenizer.from_pretrained(folder)("the mill was old", return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        shares = (AutoModelForCausalLM.from_pretrained(folder)(ids).logits[0, -1] / 0.7).softmax(-1)
    ordered, places = shares.sort(descending=True)
    kept = places[(ordered.cumsum(-1) - ordered) < 0.8]
    expected = {int(place): float(shares[place] / shares[kept].sum()) for place in kept}
    agent, n = HuggingFaceAgent(folder, 0.7, template=PLAIN), 400
    samplings = [Sampling(max_tokens=1, top_p=0.8, seed=1, index=index, logprobs=True) for index in range(n)]
    replies = await asyncio.gather(*(agent.ask(PROMPT, WORDS, one) for one in samplings))
    drawn = [reply.raw["ids"][0] for reply in replies if reply.raw]
    assert set(drawn) <= set(expected)
    for place, share in expected.items():
        assert drawn.count(place) / n == pytest.approx(share, abs=4 * (share * (1 - share) / n) ** 0.5)


async def test_a_batch_keeps_within_its_tokens_and_the_context(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    agent.model.batches.clear()
    agent.model.batch_tokens = 60
    await asyncio.gather(*(agent.ask(PROMPT, WORDS, Sampling(max_tokens=16)) for _ in range(7)))
    assert sum(agent.model.batches) == 7 and max(agent.model.batches) == 3, "three rows of 4 + 16 tokens"
    agent.model.batches.clear()
    agent.model.batch_tokens = 10_000
    long, short = {"words": "mill " * 50}, {"words": "mill"}
    await asyncio.gather(agent.ask(PROMPT, long, Sampling(max_tokens=4)), agent.ask(PROMPT, short, Sampling(max_tokens=40)))
    assert list(agent.model.batches) == [1, 1], "50 + 40 tokens are more than the 64 that it reads"


async def test_one_that_cannot_be_asked_fails_alone(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    too_long = agent.ask(PROMPT, {"words": "mill " * 70}, Sampling(max_tokens=4))
    replies = await asyncio.gather(agent.ask(PROMPT, WORDS, Sampling(max_tokens=4)), too_long, return_exceptions=True)
    assert replies[0].text and isinstance(replies[1], AgentError) and replies[1].kind == "too_long"


async def test_who_no_longer_waits_is_not_answered(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    first = asyncio.create_task(agent.ask(PROMPT, WORDS, Sampling(max_tokens=4)))
    await asyncio.sleep(0)
    first.cancel()
    assert (await agent.ask(PROMPT, WORDS, Sampling(max_tokens=4))).text
    assert first.cancelled() or first.cancelling()


async def test_a_recurrent_model_reads_no_padding(folder: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer, MambaConfig, MambaForCausalLM

    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    MambaForCausalLM(MambaConfig(vocab_size=16, hidden_size=16, num_hidden_layers=1, state_size=4)).save_pretrained(tmp_path)
    agent = HuggingFaceAgent(tmp_path, template=PLAIN)
    await asyncio.gather(*(agent.ask(PROMPT, {"words": words}, Sampling(max_tokens=3)) for words in TEXTS))
    assert list(agent.model.batches) == [1] * 5


async def test_agents_of_one_folder_share_its_model_and_note_where_it_computes(folder: Path) -> None:
    one, other = HuggingFaceAgent(folder, template=PLAIN), HuggingFaceAgent(folder, 1.0, template=PLAIN)
    assert one.model is other.model and one.model is not HuggingFaceAgent(folder, dtype="float16").model
    with collect_model_uses() as uses:
        await one.ask(PROMPT, WORDS, Sampling(max_tokens=2))
    assert list(uses) == [("agent", f"huggingface:{folder}")] and next(iter(uses.values()))["dtype"] == "float32"


TEMPLATES = {
    "system": "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}[assistant]",
    "refuses": (
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
        "[{{ m.role }}] {{ m.content }}\n{% endfor %}[assistant]"
    ),
    "leaves out": (
        "{% for m in messages %}{% if m.role != 'system' %}[{{ m.role }}] {{ m.content }}\n{% endif %}{% endfor %}[assistant]"
    ),
    "thinks": (
        "{% for m in messages %}{{ m.content }}{% endfor %}{% if enable_thinking is defined and not enable_thinking %}"
        "<think></think>{% endif %}"
    ),
    "refuses all": "{{ raise_exception('No conversation of this kind') }}",
}
CHAT = (Message("system", "Be short."), Message("user", "who?"), Message("assistant", "me"), Message("user", "why?"))


class Templated:
    """A tokenizer with that template."""

    def __init__(self, folder: Path, template: str | None) -> None:
        from transformers import AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.tokenizer.chat_template = template

    def write(self, messages: Sequence[Message] = CHAT, **options: Any) -> str:
        return write_chat(self.tokenizer, messages, "huggingface:m", **options)


def test_a_system_message_that_a_template_refuses_or_leaves_out_heads_the_first_user_message(folder: Path) -> None:
    assert Templated(folder, TEMPLATES["system"]).write().startswith("[system] Be short.\n[user] who?\n[assistant] me")
    for name in ("refuses", "leaves out"):
        text = Templated(folder, TEMPLATES[name]).write()
        assert text == "[user] Be short.\n\nwho?\n[assistant] me\n[user] why?\n[assistant]", name
    chat = [{"role": "system", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert merge_system(chat) == [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]


def test_template_variables_come_from_extra(folder: Path) -> None:
    for extra in ({"enable_thinking": False}, {"chat_template_kwargs": {"enable_thinking": False}}):
        variables = list_template_variables(extra)
        assert Templated(folder, TEMPLATES["thinks"]).write(variables=variables).endswith("why?<think></think>")
    assert Templated(folder, TEMPLATES["thinks"]).write().endswith("why?")
    agent = HuggingFaceAgent(folder, extra={"enable_thinking": False}, template=PLAIN)
    plain = HuggingFaceAgent(folder, template=PLAIN)
    assert agent.request(PROMPT, WORDS, Sampling()) != plain.request(PROMPT, WORDS, Sampling())


@pytest.mark.parametrize(
    ("template", "words"),
    [
        (None, r"huggingface:m has no chat template: .* or set agent\.template=plain for a base model"),
        (
            TEMPLATES["refuses all"],
            r"The chat template of huggingface:m rejects these messages \(No conversation of this kind\)",
        ),
    ],
)
def test_a_template_that_is_missing_or_refuses_is_one_sentence(folder: Path, template: str | None, words: str) -> None:
    with pytest.raises(BenchError, match=words) as error:
        Templated(folder, template).write()
    assert "\n" not in str(error.value)


async def test_a_missing_template_is_told_by_the_agent(folder: Path) -> None:
    with pytest.raises(BenchError, match="has no chat template"):
        await HuggingFaceAgent(folder).ask(PROMPT, WORDS, Sampling(max_tokens=2))


async def test_a_folder_without_tokenizer_or_with_damaged_weights_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "a")
    (tmp_path / "a" / "tokenizer.json").unlink()
    shutil.copytree(folder, tmp_path / "b")
    (tmp_path / "b" / "model.safetensors").write_bytes(b"no weights")
    shutil.copytree(folder, tmp_path / "c")
    config = json.loads((folder / "config.json").read_text())
    (tmp_path / "c" / "config.json").write_text(json.dumps(config | {"model_type": "nothing"}))
    for name, words in (("a", "it has no tokenizer"), ("b", "cannot be loaded"), ("c", "cannot be loaded")):
        with pytest.raises(BenchError, match=words) as error:
            await HuggingFaceAgent(tmp_path / name, template=PLAIN).ask(PROMPT, WORDS, Sampling(max_tokens=2))
        assert "\n" not in str(error.value)


async def test_an_accelerator_that_is_absent_is_one_sentence(folder: Path) -> None:
    with pytest.raises(BenchError, match=r"device is cuda:97, and torch finds .* here: set device=auto or cpu"):
        await HuggingFaceAgent(folder, device="cuda:97").ask(PROMPT, WORDS, Sampling(max_tokens=2))


THINKING_TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}\n<think>\n{% endif %}"


def script_replies(monkeypatch: pytest.MonkeyPatch, agent: HuggingFaceAgent, text: str) -> list[int]:
    """Lets the model write that text, a word a token, as far as each limit goes; returns the limits that were asked for."""
    limits: list[int] = []

    async def generate(prepare: Callable[[Any], GenerationTask]) -> Generated:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(agent.folder)
        task = prepare(tokenizer)
        limits.append(task.max_tokens)
        words = text.split()[: task.max_tokens]
        return Generated(" ".join(words), [2] * len(words), None, None, len(words) < task.max_tokens, 0.0, 0.1, 1)

    monkeypatch.setattr(agent.model, "generate", generate)
    return limits


async def test_a_local_model_that_thinks_gets_room_beside_the_reply(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with endpoints: a judge's few tokens are not spent on a thought, whose opening tag stands in the prompt."""
    copy = tmp_path / "thinks"
    shutil.copytree(folder, copy)
    (copy / "chat_template.jinja").write_text(THINKING_TEMPLATE)
    (copy / "config.json").write_text(json.dumps(json.loads((folder / "config.json").read_text()) | {"n_positions": 30_000}))
    agent = HuggingFaceAgent(copy)
    limits = script_replies(monkeypatch, agent, "hm " * 20 + "</think> Ada Quill.")
    reply = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    assert (reply.text, reply.thinking.split()) == ("Ada Quill.", ["hm"] * 20)
    assert limits == [8, 8 + 4 * DEFAULT_THINKING_TOKENS] and reply.tokens_out == 8 + 23
    assert (await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))).text == "Ada Quill."
    assert limits[2:] == [8 + DEFAULT_THINKING_TOKENS], "it was seen to think"
    by_hand = HuggingFaceAgent(copy, thinking_tokens=5)
    limits = script_replies(monkeypatch, by_hand, "hm " * 99)
    with pytest.raises(AgentError, match="spent all its 28 tokens on thinking") as caught:
        await by_hand.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    assert limits == [13, 28] and caught.value.kind == "thinking"
    assert by_hand.request(PROMPT, WORDS, Sampling())["params"]["thinking_tokens"] == 5


async def test_room_for_thinking_ends_with_the_context(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path / "m")
    agent = HuggingFaceAgent(tmp_path / "m", template=PLAIN, thinking_tokens=1000)
    limits = script_replies(monkeypatch, agent, "<think> hm </think> yes")
    assert (await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))).text == "yes"
    assert limits == [64 - 4], "64 tokens, of which the question takes 4"


async def test_looks_and_batches_take_turns(folder: Path) -> None:
    agent = HuggingFaceAgent(folder, template=PLAIN)
    before = await agent.ask(PROMPT, WORDS, Sampling(max_tokens=8))
    asks = [agent.ask(PROMPT, {"words": words}, Sampling(max_tokens=8)) for words in TEXTS]
    *replies, seen = await asyncio.gather(*asks, agent.look("the mill was old"))
    assert replies[0].text == before.text and seen.weights.shape == (4, 4)
    again = await asyncio.gather(*(agent.ask(PROMPT, {"words": words}, Sampling(max_tokens=8)) for words in TEXTS))
    assert [reply.text for reply in again] == [reply.text for reply in replies], "with eager attention, too"
