"""Builds the body of a request to an OpenAI-compatible endpoint, without the parameters that the endpoint is known to
refuse."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.openai.profile import JsonForm, Profile
from core.agent import Sampling
from core.nouns import Message, Prompt

Json = dict[str, Any]


class RequestBody(NamedTuple):
    """Body of one request to an endpoint, with the names of its parameters."""

    sent: Json
    parameters: tuple[str, ...]
    """Parameters in the body besides model and messages, named as in the keys of refusal.WIRE_NAMES."""
    not_taken: tuple[str, ...]
    """Sentence fragments that say which requested parameters the body leaves out, and why."""


def build_params(sampling: Sampling) -> Json:
    """Return the sampling parameters of a prompt under OpenAI's names, including parameters that the endpoint may refuse. Adds
    the sample's index to the seed, so that several samples differ."""
    params: Json = {"temperature": sampling.temperature, "max_tokens": sampling.max_tokens}
    if sampling.top_p != 1.0:
        params["top_p"] = sampling.top_p
    if sampling.seed is not None:
        params["seed"] = sampling.seed + sampling.index
    if sampling.stop:
        params["stop"] = list(sampling.stop)
    if sampling.logprobs:
        params |= {"logprobs": True, **({"top_logprobs": sampling.top_logprobs} if sampling.top_logprobs else {})}
    return params


def build_body(
    model: str,
    prompt: Prompt,
    messages: Sequence[Message],
    sampling: Sampling,
    profile: Profile,
    params: Json,
    *,
    headroom: int,
    reasoning: str,
    extra: Mapping[str, Any],
) -> RequestBody:
    """Return the body for /v1/chat/completions, or for /v1/completions if the model must continue a given text. `params` is the
    result of build_params; `headroom` is the number of thinking tokens that are added to the token limit; the fields in `extra`
    are added to the body."""
    as_text = sampling.prefill_mode == "text"
    asked, not_taken = dict(params), list[str]()
    effort = (profile.tools_effort if sampling.tools else None) or reasoning
    if effort != "default":
        asked["reasoning_effort"] = effort
    if effort != reasoning != "default":
        not_taken.append(f"reasoning {reasoning} requested, but this model accepts functions only without it")
    sent: Json = {"model": model}
    parameters: list[str] = []

    def put(ours: str, names: Sequence[str], words: str) -> None:
        values = {name: asked[name] for name in names if name in asked}
        if not values:
            return
        if getattr(profile, ours) is False:
            not_taken.append(words)
            return
        sent.update(values)
        parameters.append(ours)

    put("temperature", ["temperature"], f"temperature {asked['temperature']:g} requested, but not adjustable on this model")
    put("top_p", ["top_p"], f"top_p {asked.get('top_p', 1.0):g} requested, but not adjustable on this model")
    put("stop", ["stop"], "stop sequences requested, but not accepted by this model")
    put("logprobs", ["logprobs", "top_logprobs"], "log-probabilities requested, but not returned by this model")
    put("reasoning", ["reasoning_effort"], f"reasoning {reasoning} requested, but not accepted by this model")
    if "seed" in asked and profile.seed == "none":
        not_taken.append("a seed requested, but not accepted by this model")
    elif "seed" in asked:
        sent[profile.seed or "seed"] = asked["seed"]
        parameters.append("seed")
    limit = sampling.max_tokens
    if profile.token_limit == "none":
        not_taken.append(f"a limit of {limit} tokens requested, but not accepted by this model")
    else:
        most = profile.most_tokens or limit + headroom
        not_taken += [f"a limit of {limit} tokens requested, but {most} is the maximum of this model"] if most < limit else []
        sent[profile.token_limit or "max_tokens"] = min(limit + headroom, most)
        parameters.append("token_limit")
    if as_text:
        if sent.pop("logprobs", False):
            sent["logprobs"] = max(sent.pop("top_logprobs", 0), 1)
        sent["prompt"] = "\n\n".join(m.content for m in messages) + "\n\n" + sampling.prefill
    else:
        form: JsonForm | None = (profile.structured or "schema") if prompt.schema else None
        turns: list[Json] = [{"role": m.role, "content": m.content} for m in messages]
        if sampling.prefill:
            turns.append({"role": "assistant", "content": sampling.prefill})
            sent |= {"continue_final_message": True, "add_generation_prompt": False}
        held_back = set() if profile.returns_thinking else {"reasoning_content"}
        turns += [{name: part for name, part in turn.items() if name not in held_back} for turn in sampling.turns]
        if sampling.tools:
            sent["tools"] = [dict(tool) for tool in sampling.tools]
            parameters.append("tools")
        if form in ("json", "prompt"):
            turns = put_schema_in_words(turns, prompt)
        if form in ("schema", "json"):
            sent["response_format"] = _schema_format(prompt) if form == "schema" else {"type": "json_object"}
            parameters.append("structured")
        if any(turn["role"] == "system" for turn in turns):
            if profile.system is False:
                turns = fold_system(turns)
                not_taken.append("a system message requested, but put before the first user message")
            else:
                parameters.append("system")
        sent["messages"] = turns
    for name, value in extra.items():
        if name in profile.extra_refused:
            not_taken.append(f"{name} requested, but not accepted by this endpoint")
        else:
            sent[name] = value
    return RequestBody(sent, tuple(parameters), tuple(not_taken))


def _schema_format(prompt: Prompt) -> Json:
    schema, is_strict = make_strict_schema(prompt.schema or {})
    name = re.sub(r"[^A-Za-z0-9_-]", "_", prompt.name.rpartition("/")[2].partition(".")[0])[:64]
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": is_strict}}


def make_strict_schema(schema: Mapping[str, Any]) -> tuple[Json, bool]:
    """Return a JSON schema for strict mode (all fields required, no additional fields), and whether the conversion was
    possible; it is not possible if an optional field does not allow null or an object allows additional fields."""
    is_strict = True

    def walk(node: Any) -> Any:
        nonlocal is_strict
        if isinstance(node, list):
            return [walk(n) for n in node]
        if not isinstance(node, Mapping):
            return node
        made = {k: walk(v) for k, v in node.items()}
        fields = node.get("properties")
        if isinstance(fields, Mapping):
            optional = [f for name, f in fields.items() if name not in node.get("required", ())]
            if node.get("additionalProperties") is not False or any("null" not in f.get("type", ()) for f in optional):
                is_strict = False
            else:
                made["required"] = list(fields)
        return made

    made = walk(schema)
    return (made, True) if is_strict else (dict(schema), False)


def put_schema_in_words(messages: list[Json], prompt: Prompt) -> list[Json]:
    """Return the messages with the JSON schema of the reply written into the system message."""
    schema = json.dumps(prompt.schema, ensure_ascii=False)
    words = {
        "zh": f"只回复一个 JSON 对象，不要写别的内容。它必须符合这个 JSON schema：\n{schema}",
        "en": f"Reply with one JSON object and nothing else. It has to fit this JSON schema:\n{schema}",
    }
    text = words.get(prompt.language, words["en"])
    if messages and messages[0]["role"] == "system":
        return [{"role": "system", "content": f"{messages[0]['content']}\n\n{text}"}, *messages[1:]]
    return [{"role": "system", "content": text}, *messages]


def fold_system(messages: list[Json]) -> list[Json]:
    """Return the messages with the texts of system messages moved to the front of the first user message."""
    head = "\n\n".join(str(m["content"]) for m in messages if m["role"] == "system")
    rest = [dict(m) for m in messages if m["role"] != "system"]
    first = next((m for m in rest if m["role"] == "user"), None)
    if first is None:
        return [{"role": "user", "content": head}, *rest]
    first["content"] = f"{head}\n\n{first['content']}"
    return rest
