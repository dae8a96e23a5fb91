"""Any OpenAI-compatible endpoint."""

from agents.kind import TEMPERATURE, AgentKind, AgentOrder, AgentSetting
from core.agent import Agent


def make(order: AgentOrder) -> Agent:
    from agents.openai.openai import OpenAIAgent, OpenAISettings

    key, url = order.environment.get(order.key_env), order.base_url or order.environment.get("OPENAI_BASE_URL")
    return OpenAIAgent(order.what, url or None, key or None, OpenAISettings(**order.values), key_env=order.key_env)


KIND = AgentKind(
    label="OpenAI-compatible endpoint",
    make=make,
    takes="MODEL",
    takes_label="Model",
    settings=(
        AgentSetting("price_in", "Price in, USD per million tokens", "unknown", may_be_zero=True),
        AgentSetting("price_out", "Price out, USD per million tokens", "unknown", may_be_zero=True),
        AgentSetting("context", "Context window, tokens", "unknown", is_whole=True),
        TEMPERATURE,
        AgentSetting("rpm", "Requests per minute", "no limit"),
        AgentSetting("tpm", "Tokens per minute", "no limit"),
        AgentSetting("concurrency", "Calls at once", "8, growing to 64", is_whole=True),
        AgentSetting("timeout", "Timeout, seconds", "60"),
        AgentSetting(
            "structured",
            "Structured output",
            "auto",
            choices={"auto": "auto", "schema": "by schema", "json": "JSON object", "prompt": "in words"},
            help="How JSON replies are asked for; auto finds out what the endpoint takes.",
        ),
    ),
    asks_endpoint=True,
    has_model=True,
)
