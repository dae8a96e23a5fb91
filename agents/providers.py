"""Known providers of chat endpoints: address, usual environment variable of the key, and quirks. A quirk is a parameter that
the endpoint silently ignores or names differently, which its answers cannot reveal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.openai.profile import Profile


@dataclass(frozen=True, slots=True)
class ChatProvider:
    """How to connect to one provider of chat endpoints, with known facts about the provider's models."""

    label: str
    """Name of the provider for display."""
    base_url: str
    """Base URL of the provider's endpoint; words in capitals are placeholders for the user's own values."""
    key_env: str
    """Environment variable that usually contains the API key."""
    quirks: Profile = field(default_factory=Profile)
    """Facts about the parameters that all models of the provider accept."""
    hint: str = ""
    """Sentence on what a user should know before the first call."""


PROVIDERS: Mapping[str, ChatProvider] = {
    "openai": ChatProvider("OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    "azure": ChatProvider(
        "Azure OpenAI",
        "https://YOUR-RESOURCE.openai.azure.com/openai/v1",
        "AZURE_OPENAI_API_KEY",
        hint="The model is the name of your deployment. An older address ends in /openai/deployments/NAME?api-version=DATE.",
    ),
    "anthropic": ChatProvider(
        "Anthropic",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        # Anthropic ignores response_format, seed, logprobs and reasoning_effort: platform.claude.com/docs/en/api/openai-sdk
        Profile(structured="prompt", seed="none", logprobs=False, reasoning=False),
        hint='Thinking is turned on by further fields, such as {"thinking": {"type": "enabled", "budget_tokens": 2000}}.',
    ),
    "gemini": ChatProvider("Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "mistral": ChatProvider(
        "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", Profile(seed="random_seed", stream_usage=False)
    ),
    "deepseek": ChatProvider("DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", Profile(structured="json")),
    "openrouter": ChatProvider("OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together": ChatProvider("Together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "groq": ChatProvider("Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "huggingface": ChatProvider("Hugging Face router", "https://router.huggingface.co/v1", "HF_TOKEN"),
    "vllm": ChatProvider("vLLM, on your own machine", "http://127.0.0.1:8000/v1", "VLLM_API_KEY"),
    "llama_cpp": ChatProvider(
        "llama.cpp, on your own machine",
        "http://127.0.0.1:8080/v1",
        "LLAMA_API_KEY",
        hint="Start llama-server with --jinja for systems that call functions.",
    ),
    "ollama": ChatProvider("Ollama, on your own machine", "http://127.0.0.1:11434/v1", "OLLAMA_API_KEY"),
    "lm_studio": ChatProvider("LM Studio, on your own machine", "http://127.0.0.1:1234/v1", "LM_STUDIO_API_KEY"),
}


def find_provider(base_url: str) -> str:
    """Return the name of the provider whose endpoint has that base URL; "" if none is known."""
    return next((name for name, provider in PROVIDERS.items() if provider.base_url == base_url.rstrip("/")), "")


def quirks_of(base_url: str) -> Profile:
    """Return what is known about the parameters that all models at that base URL accept."""
    name = find_provider(base_url)
    return PROVIDERS[name].quirks if name else Profile()
