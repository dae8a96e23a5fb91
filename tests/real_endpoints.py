"""How real endpoints refuse requests and shape replies, for tests/openai_server.py to act as one of them. Each body is quoted
from the source that stands beside it; where a source leaves the wrapper out, the row says so. {value} is what the request
held."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Asked = Mapping[str, Any]


class RefusedRequest(NamedTuple):
    """One thing that an endpoint refuses."""

    endpoint: str
    refuses: str
    applies: Callable[[Asked], bool]
    status: int
    body: str
    """JSON."""
    source: str
    times: int = 0
    """How often it does so; 0 = always."""


class ReplyShape(NamedTuple):
    """What is unusual about an endpoint's replies."""

    endpoint: str
    shape: str
    change: Callable[[dict[str, Any], Asked], dict[str, Any]]
    """(whole reply, request) -> the reply as this endpoint gives it."""
    source: str


def has(name: str) -> Callable[[Asked], bool]:
    return lambda asked: name in asked


def _openai_refuses(name: str) -> str:
    return (
        f'{{"error": {{"message": "Unsupported parameter: \'{name}\' is not supported with this model.", '
        f'"type": "invalid_request_error", "param": "{name}", "code": "unsupported_parameter"}}}}'
    )


def _has_system(asked: Asked) -> bool:
    return any(message["role"] in ("system", "developer") for message in asked.get("messages", ()))


def _is_thinking(asked: Asked) -> bool:
    return asked.get("reasoning_effort") != "none"


OPENAI_LIMIT = (
    '{"error": {"message": "Unsupported parameter: \'max_tokens\' is not supported with this model. Use '
    '\'max_completion_tokens\' instead.", "type": "invalid_request_error", "param": "max_tokens", '
    '"code": "unsupported_parameter"}}'
)
OPENAI_TEMPERATURE = (
    '{"error": {"message": "Unsupported value: \'temperature\' does not support {value} with this model. Only the default (1) '
    'value is supported.", "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value"}}'
)
MISTRAL = (
    '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":%s,"msg":"Extra inputs are not permitted",'
    '"input":{value}}]},"type":"invalid_request_error","param":null,"code":null}'
)

REFUSED_REQUESTS = (
    RefusedRequest(
        "openai_reasoning",
        "max_tokens",
        has("max_tokens"),
        400,
        OPENAI_LIMIT,
        "https://github.com/griptape-ai/ComfyUI-Griptape/issues/312",
    ),
    RefusedRequest(
        "openai_reasoning",
        "any temperature but 1, unless the effort is none",
        lambda asked: asked.get("temperature", 1) != 1 and _is_thinking(asked),
        400,
        OPENAI_TEMPERATURE,
        "https://github.com/johny-b/llmcomp/issues/69 (body); https://github.com/vercel/ai/issues/10932 (taken with none)",
    ),
    RefusedRequest(
        "openai_reasoning",
        "stop",
        has("stop"),
        400,
        _openai_refuses("stop"),
        "https://github.com/huggingface/smolagents/issues/1671",
    ),
    RefusedRequest(
        "openai_reasoning",
        "top_p",
        has("top_p"),
        400,
        _openai_refuses("top_p"),
        "https://github.com/HIllya51/LunaTranslator/issues/1842",
    ),
    RefusedRequest(
        "openai_reasoning",
        "logprobs",
        has("logprobs"),
        403,
        '{"error": {"message": "You are not allowed to request logprobs from this model", "type": "invalid_request_error", '
        '"param": null, "code": null}}',
        "https://github.com/confident-ai/deepeval/pull/2184",
    ),
    RefusedRequest(
        "openai_reasoning",
        "streaming by an organization that is not verified",
        lambda asked: bool(asked.get("stream")),
        400,
        '{"error": {"message": "Your organization must be verified to stream this model. Please go to: '
        "https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it "
        'can take up to 15 minutes for access to propagate.", "type": "invalid_request_error", "param": "stream", '
        '"code": "unsupported_value"}, "endpoint": "https://api.openai.com/v1", "provider": "openai"}',
        "https://github.com/lobehub/lobehub/issues/9385",
    ),
    RefusedRequest(
        "openai_functions",
        "max_tokens",
        has("max_tokens"),
        400,
        OPENAI_LIMIT,
        "https://github.com/fish2018/YPrompt/issues/26",
    ),
    RefusedRequest(
        "openai_functions",
        "functions while it reasons",
        lambda asked: "tools" in asked and _is_thinking(asked),
        400,
        '{"error": {"message": "Function tools with reasoning_effort are not supported for gpt-5.6-luna in '
        "/v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.\", "
        '"type": "invalid_request_error", "param": "reasoning_effort", "code": null}}',
        "https://github.com/itzcrazykns/vane/issues/1173 (the inner object; OpenAI's wrapper around it as in its other rows)",
    ),
    RefusedRequest(
        "azure",
        "max_tokens",
        has("max_tokens"),
        400,
        OPENAI_LIMIT,
        "https://github.com/anomalyco/opencode/issues/37964 (message; the object as OpenAI's own)",
    ),
    RefusedRequest(
        "azure",
        "stop",
        has("stop"),
        400,
        _openai_refuses("stop"),
        "https://github.com/huggingface/smolagents/issues/1893 (gpt-5.2 on Azure)",
    ),
    RefusedRequest(
        "azure",
        "an address without api-version",
        lambda asked: "api-version" not in asked["?"],
        404,
        '{"error": {"code": "404", "message": "Resource not found"}}',
        "https://github.com/ThinkInAIXYZ/deepchat/issues/262",
    ),
    RefusedRequest(
        "openrouter",
        "a request while the provider behind it is busy, with status 200",
        lambda asked: True,
        200,
        '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"z-ai/glm-5.3-flash is temporarily '
        'rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: ...",'
        '"provider_name":"BaseTen"}}}',
        "https://github.com/open-webui/computer/issues/293 (body); "
        "https://openrouter.ai/docs/api/reference/errors-and-debugging (status 200)",
        times=1,
    ),
    RefusedRequest(
        "openrouter",
        "nothing, and answers without a choice",
        lambda asked: True,
        200,
        '{"choices": []}',
        "https://github.com/roboflow/inference/pull/2602",
        times=1,
    ),
    RefusedRequest(
        "openrouter_no_tools",
        "functions, if no provider of the model takes them",
        has("tools"),
        404,
        '{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: '
        'https://openrouter.ai/docs/guides/routing/provider-selection","code":404}}',
        "https://github.com/bobrware/bobrchat/issues/60",
    ),
    RefusedRequest(
        "mistral",
        "seed",
        has("seed"),
        422,
        MISTRAL % '["body","seed"]',
        "https://github.com/editor-code-assistant/eca/issues/231 (the body for another field: no thread quotes it for seed, "
        "which https://docs.rs/crate/mistral-rouille/latest/source/docs/ChatCompletionRequest.md names random_seed)",
    ),
    RefusedRequest(
        "mistral",
        "max_completion_tokens",
        has("max_completion_tokens"),
        422,
        MISTRAL % '["body","max_completion_tokens"]',
        "https://github.com/editor-code-assistant/eca/issues/231",
    ),
    RefusedRequest(
        "mistral",
        "stream_options",
        has("stream_options"),
        422,
        '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options","include_usage"],'
        '"msg":"Extra inputs are not permitted","input":true}]},"type":"invalid_request_error","param":null,"code":null}',
        "https://github.com/avante-corp/avante.nvim/issues/2347",
    ),
    RefusedRequest(
        "gemini",
        "seed",
        has("seed"),
        400,
        '[{"error": {"code": 400, "message": "Invalid JSON payload received. Unknown name \\"seed\\": Cannot find field.", '
        '"status": "INVALID_ARGUMENT", "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": '
        '[{"description": "Invalid JSON payload received. Unknown name \\"seed\\": Cannot find field."}]}]}}]',
        "https://github.com/Vali-98/ChatterUI/issues/227",
    ),
    RefusedRequest(
        "gemini",
        "a system message (Gemma)",
        _has_system,
        400,
        '[{ "error": { "code": 400, "message": "Developer instruction is not enabled for models/gemma-3-27b-it", '
        '"status": "INVALID_ARGUMENT" } } ]',
        "https://github.com/microsoft/vscode/issues/258088",
    ),
    RefusedRequest(
        "gemini_functions",
        "a function call that comes back without its signature",
        lambda asked: any(
            "extra_content" not in call for message in asked.get("messages", ()) for call in message.get("tool_calls") or ()
        ),
        400,
        '[{"error": {"code": 400, "message": "Function call is missing a thought_signature in functionCall parts. This is '
        "required for tools to work correctly, and missing thought_signature may lead to degraded model performance. "
        "Additional data, function call `default_api:read_files` , position 2. please refer to "
        'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.", "status": "INVALID_ARGUMENT"}}]',
        "https://github.com/JetBrains/koog/issues/1148 (the object; the list around it as in Gemini's other rows)",
    ),
    RefusedRequest(
        "anthropic",
        "temperature",
        has("temperature"),
        400,
        '{"type":"error","request_id":"req_nd3rf2fu2rzszuywalosdulhkzz7pvbzz4lju5q7nfec4ciuvb4a","error":'
        '{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}',
        "https://github.com/Mintplex-Labs/anything-llm/issues/5461 (Anthropic's own form; no thread quotes that of its "
        "OpenAI-compatible path)",
    ),
    RefusedRequest(
        "vllm",
        "a system message (Gemma's template)",
        _has_system,
        400,
        '{"object":"error","message":"System role not supported","type":"BadRequestError","param":null,"code":400}',
        "https://github.com/vllm-project/vllm/pull/2964",
    ),
    RefusedRequest(
        "vllm_old",
        "max_completion_tokens",
        has("max_completion_tokens"),
        400,
        "{\"object\":\"error\",\"message\":\"[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), "
        '\'msg\': \'Extra inputs are not permitted\', \'input\': 800}]","type":"BadRequestError","param":null,"code":400}',
        "https://github.com/1Panel-dev/MaxKB/issues/2912",
    ),
    RefusedRequest(
        "vllm_gaudi",
        "logprobs",
        has("logprobs"),
        400,
        "{\"error\":{\"message\":\"Gaudi doesn't support logprobs. Please remove 'logprobs'/'top_logprobs' from your request "
        'to receive a response.","type":"BadRequestError","param":null,"code":400}}',
        "https://github.com/vllm-project/vllm-gaudi/pull/1098",
    ),
    RefusedRequest(
        "vllm_no_tools",
        "functions, when started without a parser for them",
        has("tools"),
        400,
        '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be '
        'set","type":"BadRequestError","param":null,"code":400}',
        "https://github.com/langchain4j/langchain4j/issues/3475",
    ),
    RefusedRequest(
        "llama_cpp",
        "functions, when started without --jinja",
        has("tools"),
        500,
        '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
        "https://github.com/QwenLM/Qwen3.8/issues/44",
    ),
    RefusedRequest(
        "ollama",
        "functions, of a model without them",
        has("tools"),
        400,
        '{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error","param":null,'
        '"code":null}}',
        "https://github.com/louisho5/picobot/issues/6",
    ),
    RefusedRequest(
        "groq",
        "reasoning_format, of a model that does not reason",
        has("reasoning_format"),
        400,
        '{"error":{"message":"`reasoning_format` is not supported with this model","type":"invalid_request_error",'
        '"param":"reasoning_format"}}',
        "https://github.com/0xPlaygrounds/rig/issues/1134 (quoted up to the first letters of param's value)",
    ),
    RefusedRequest(
        "groq",
        "any reasoning_effort but none and default",
        lambda asked: asked.get("reasoning_effort", "none") not in ("none", "default"),
        400,
        '{"error":{"message":"`reasoning_effort` must be one of `none` or `default`","type":"invalid_request_error"}}',
        "https://github.com/Alishahryar1/free-claude-code/issues/1348 (the inner object)",
    ),
    RefusedRequest(
        "groq",
        "logprobs",
        has("logprobs"),
        400,
        '{"error":{"message":"`logprobs` is not supported with this model","type":"invalid_request_error"}}',
        "https://github.com/groq/groq-python/issues/25 (the message; the object as in Groq's other rows)",
    ),
    RefusedRequest(
        "deepseek",
        "a reply schema",
        lambda asked: asked.get("response_format", {}).get("type") == "json_schema",
        400,
        '{"error": {"message": "This response_format type is unavailable now", "type": "invalid_request_error", '
        '"param": null, "code": "invalid_request_error"}}',
        "https://github.com/bytedance/deer-flow/issues/545",
    ),
    RefusedRequest(
        "deepseek",
        "a turn without the thinking that came with it",
        lambda asked: any(
            message["role"] == "assistant" and message.get("tool_calls") and "reasoning_content" not in message
            for message in asked.get("messages", ())
        ),
        400,
        '{"error":{"message":"The reasoning_content in the thinking mode must be passed back to the API.",'
        '"type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
        "https://github.com/JohnnyZ93/oai-compatible-copilot/issues/202",
    ),
)


def _put_thinking(field: str) -> Callable[[dict[str, Any], Asked], dict[str, Any]]:
    """The reply with a thought in that field of its message."""

    def change(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
        message = reply["choices"][0]["message"]
        thought = 'Let me think: the answer may be {"score": 0}.'
        message[field] = [{"type": "reasoning.text", "text": thought}] if field == "reasoning_details" else thought
        return reply

    return change


def _think_in_text(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    message = reply["choices"][0]["message"]
    if message.get("content"):
        message["content"] = f'<think>\nPerhaps {{"score": 0}}?\n</think>\n\n{message["content"]}'
    return reply


def _end_thought_in_text(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    message = reply["choices"][0]["message"]
    if message.get("content"):
        message["content"] = f'Perhaps {{"score": 0}}?\n</think>\n\n{message["content"]}'
    return reply


def _count_reasoning(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    """A reply whose thinking is counted and not shown."""
    if asked.get("reasoning_effort") != "none":
        usage = reply["usage"]
        usage["completion_tokens"] += 64
        usage["completion_tokens_details"] = {"reasoning_tokens": 64}
    return reply


def _forget_usage(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    return {**reply, "usage": None}


def _sign_calls(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    for call in reply["choices"][0]["message"].get("tool_calls") or ():
        call["extra_content"] = {"google": {"thought_signature": "c2lnbmF0dXJl"}}
    return reply


def _give_parts(reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    message = reply["choices"][0]["message"]
    if isinstance(message.get("content"), str):
        thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Let me think."}]}
        message["content"] = [thought, {"type": "text", "text": message["content"]}]
    return reply


REPLY_SHAPES = (
    ReplyShape(
        "openai_reasoning",
        "completion_tokens_details.reasoning_tokens",
        _count_reasoning,
        "https://platform.openai.com/docs/guides/reasoning",
    ),
    ReplyShape(
        "deepseek",
        "message.reasoning_content",
        _put_thinking("reasoning_content"),
        "https://docs.litellm.ai/docs/providers/deepseek; https://api-docs.deepseek.com/guides/reasoning_model",
    ),
    ReplyShape("groq", "message.reasoning", _put_thinking("reasoning"), "https://github.com/groq/groq-python/pull/185"),
    ReplyShape(
        "vllm_gaudi", "message.reasoning", _put_thinking("reasoning"), "https://github.com/vllm-project/vllm/issues/27755"
    ),
    ReplyShape(
        "openrouter",
        "message.reasoning_details",
        _put_thinking("reasoning_details"),
        "https://openrouter.ai/docs/use-cases/reasoning-tokens.md",
    ),
    ReplyShape(
        "mistral",
        "thinking as a part of the content",
        _give_parts,
        "https://github.com/braintrustdata/braintrust-sdk-javascript/issues/1857",
    ),
    ReplyShape(
        "vllm", "thinking in the text", _think_in_text, "https://github.com/triton-inference-server/perf_analyzer/pull/433"
    ),
    ReplyShape(
        "llama_cpp",
        "a text that only ends its thought",
        _end_thought_in_text,
        "https://github.com/ggml-org/llama.cpp/issues/11861",
    ),
    ReplyShape("ollama", "no usage", _forget_usage, "https://github.com/ollama/ollama/issues/4448 (of streams)"),
    ReplyShape(
        "gemini_functions",
        "a signature with every function call",
        _sign_calls,
        "https://github.com/labring/aiproxy/issues/450; https://ai.google.dev/gemini-api/docs/thought-signatures",
    ),
)
ENDPOINTS = tuple(dict.fromkeys(row.endpoint for row in (*REFUSED_REQUESTS, *REPLY_SHAPES)))


def find_refusal(endpoint: str, asked: Asked, refused: Mapping[str, int]) -> RefusedRequest | None:
    """The first row of that endpoint that refuses the request; `refused` = how often each refused so far."""
    rows = (row for row in REFUSED_REQUESTS if row.endpoint == endpoint and row.applies(asked))
    return next((row for row in rows if not row.times or refused.get(row.refuses, 0) < row.times), None)


def fill_body(row: RefusedRequest, asked: Asked) -> str:
    """The row's body with the value that was refused."""
    names = ("temperature", "seed", "max_completion_tokens")
    return row.body.replace("{value}", str(next((asked[name] for name in names if name in row.refuses), None)))


def reshape(endpoint: str, reply: dict[str, Any], asked: Asked) -> dict[str, Any]:
    """The reply as that endpoint gives it."""
    for row in REPLY_SHAPES:
        if row.endpoint == endpoint:
            reply = row.change(reply, asked)
    return reply
