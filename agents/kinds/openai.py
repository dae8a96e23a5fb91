"""Declares the agent kind for any OpenAI-compatible endpoint."""

from collections.abc import Mapping

from agents.kind import TEMPERATURE, THINKING_TOKENS, AgentKind, AgentOrder, AgentSetting
from agents.openai.profile import Profile
from core.agent import Agent


def make(order: AgentOrder) -> Agent:
    from agents.openai.openai import OpenAIAgent
    from agents.openai.openai_settings import OpenAISettings

    key, url = order.environment.get(order.key_env), order.base_url or order.environment.get("OPENAI_BASE_URL")
    values = {name: value for name, value in order.values.items() if name not in BY_HAND}
    by_hand = {BY_HAND[name]: YES_NO.get(value, value) for name, value in order.values.items() if name in BY_HAND}
    takes = Profile.from_record({name: value for name, value in by_hand.items() if value is not None})
    settings = OpenAISettings(**values, takes=takes)
    return OpenAIAgent(order.what, url or None, key or None, settings, key_env=order.key_env, memory=order.memory)


YES_NO: Mapping[object, bool | None] = {"auto": None, "yes": True, "no": False}
TAKES = {
    "temperature": "Temperature",
    "top_p": "top_p",
    "stop": "Stop sequences",
    "logprobs": "Log-probabilities",
    "tools": "Functions",
    "reasoning": "reasoning_effort",
    "system": "System message",
    "stream": "Streaming",
    "stream_usage": "Token counts of streams",
}
"""Request parameters that an endpoint may refuse: a dict from parameter name to its label on the Agents page."""
BY_HAND = {f"takes_{name}": name for name in TAKES} | {
    "token_limit": "token_limit",
    "most_tokens": "most_tokens",
    "seed_name": "seed",
    "thinking_in": "thinking",
}
"""Dict from the name of a setting to the learned fact about the endpoint (a profile field) that the setting overrides."""
EFFORTS = ("default", "none", "minimal", "low", "medium", "high", "xhigh")
ENDPOINT_GROUP = "What the endpoint accepts"
BATCH_GROUP = "Batch files"


def offer(*values: str) -> dict[str, str]:
    """Return the choices for a setting whose value is detected automatically unless a user chooses one."""
    return {"auto": "detected automatically"} | {value: value for value in values}


KIND = AgentKind(
    label="OpenAI-compatible endpoint",
    make=make,
    takes="MODEL",
    takes_label="Model",
    settings=(
        AgentSetting("price_in", "Price in, USD per million tokens", "unknown", may_be_zero=True),
        AgentSetting("price_out", "Price out, USD per million tokens", "unknown", may_be_zero=True),
        AgentSetting(
            "batch_factor",
            "Batch price as a share of the price",
            "0.5",
            may_be_zero=True,
            group=BATCH_GROUP,
            help="Price of a request sent in a batch file, as a share of the prices above: 0.5 = half.",
        ),
        AgentSetting(
            "batch_price_in", "Batch price in, USD per million tokens", "share of price", may_be_zero=True, group=BATCH_GROUP
        ),
        AgentSetting(
            "batch_price_out", "Batch price out, USD per million tokens", "share of price", may_be_zero=True, group=BATCH_GROUP
        ),
        AgentSetting("context", "Context window, tokens", "unknown", is_whole=True, changes_answers=True),
        TEMPERATURE,
        AgentSetting(
            "max_tokens",
            "Maximum tokens of a reply",
            "the prompt's",
            is_whole=True,
            changes_answers=True,
            help="Token limit of a reply, in place of each prompt's own limit; tokens for thinking are added to it.",
        ),
        AgentSetting(
            "reasoning",
            "Reasoning effort",
            "default",
            choices={effort: effort for effort in EFFORTS},
            changes_answers=True,
            help="Reasoning effort, for a model that supports it. default: not sent, so the endpoint's own default applies.",
        ),
        THINKING_TOKENS,
        AgentSetting("rpm", "Requests per minute", "no limit"),
        AgentSetting("tpm", "Tokens per minute", "no limit"),
        AgentSetting("concurrency", "Concurrent calls", "8, growing to 64", is_whole=True),
        AgentSetting("timeout", "Timeout, seconds", "60"),
        AgentSetting(
            "structured",
            "Structured output",
            "auto",
            choices={"auto": "auto", "schema": "by schema", "json": "JSON object", "prompt": "in words"},
            changes_answers=True,
            help="How JSON replies are requested; auto detects what the endpoint accepts.",
        ),
        AgentSetting(
            "extra",
            "Further fields, JSON",
            "none",
            is_object=True,
            changes_answers=True,
            help='JSON object merged into every request, such as {"chat_template_kwargs": {"enable_thinking": false}}.',
        ),
        *(
            AgentSetting(f"takes_{name}", label, "detected automatically", choices=offer("yes", "no"), group=ENDPOINT_GROUP)
            for name, label in TAKES.items()
        ),
        AgentSetting(
            "token_limit",
            "Parameter for the token limit",
            "detected automatically",
            choices=offer("max_tokens", "max_completion_tokens", "none"),
            group=ENDPOINT_GROUP,
        ),
        AgentSetting("most_tokens", "Highest token limit", "detected automatically", is_whole=True, group=ENDPOINT_GROUP),
        AgentSetting(
            "seed_name",
            "Parameter for the seed",
            "detected automatically",
            choices=offer("seed", "random_seed", "none"),
            group=ENDPOINT_GROUP,
        ),
        AgentSetting(
            "thinking_in",
            "Where thinking is returned",
            "detected automatically",
            choices=offer("none", "hidden", "reasoning", "reasoning_content", "reasoning_details", "parts", "text"),
            group=ENDPOINT_GROUP,
            help='For a model that never thinks, choose "none": text that looks like thinking stays in its replies.',
        ),
    ),
    asks_endpoint=True,
    has_model=True,
)
