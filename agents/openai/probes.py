"""Small test requests that show which parameters an endpoint accepts, and a description of what they show."""

from collections.abc import Mapping
from typing import NamedTuple

from agents.openai.profile import Profile
from core.agent import Sampling
from core.nouns import Message, Prompt

JSON_FORMS: Mapping[str, str] = {"schema": "by JSON schema", "json": "as any JSON object", "prompt": "in words only"}
THINKING_PLACES: Mapping[str, str] = {
    "none": "none seen",
    "hidden": "counted and not shown",
    "reasoning": "in the field reasoning",
    "reasoning_content": "in the field reasoning_content",
    "reasoning_details": "in the field reasoning_details",
    "parts": "in parts of the content",
    "text": "in the text, between tags",
}
REFUSED = "not accepted"
"""Start of the text about a parameter that the endpoint refuses."""
LEFT_OUT = f"{REFUSED}: left out"
SWITCHES: Mapping[str, tuple[str, str]] = {
    "temperature": ("temperature", LEFT_OUT),
    "top_p": ("top_p", LEFT_OUT),
    "stop": ("stop sequences", f"{REFUSED}: replies are cut at the stop sequence after they arrive"),
    "logprobs": ("log-probabilities", f"{REFUSED}: systems that need probabilities work without them or refuse"),
    "tools": ("functions", f"{REFUSED}: use react or pal in place of function_calling and dfsdt"),
    "reasoning": ("reasoning effort", LEFT_OUT),
    "system": ("system message", f"{REFUSED}: its text is put before the first user message"),
    "stream": ("streaming", f"{REFUSED}: replies arrive whole"),
}
"""Dict from a parameter that an endpoint may refuse (a field of Profile) to its label and the text to show if it is refused."""


class Probe(NamedTuple):
    """One small test request to an endpoint."""

    prompt: Prompt
    sampling: Sampling
    is_streamed: bool = False


def list_probes() -> list[Probe]:
    """Return test requests that together contain every parameter that an endpoint may refuse."""
    messages = (Message("system", "Answer with one word."), Message("user", "What colour is the sky?"))
    parameters = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}
    schema = {**parameters, "additionalProperties": False}
    plain, wants_json = Prompt("probe", "probe", messages, ()), Prompt("probe_json", "probe", messages, (), schema)
    tool = {"type": "function", "function": {"name": "say", "description": "Says the colour.", "parameters": parameters}}
    return [
        Probe(plain, Sampling(max_tokens=64, seed=1)),
        Probe(plain, Sampling(max_tokens=64, top_p=0.9, stop=("zebra",), logprobs=True)),
        Probe(wants_json, Sampling(max_tokens=64)),
        Probe(plain, Sampling(max_tokens=64), is_streamed=True),
        Probe(plain, Sampling(max_tokens=64, tools=(tool,))),
    ]


def describe_profile(profile: Profile) -> dict[str, str]:
    """Return a dict from label to what is known about the endpoint, in the order of display. Facts that were never tested are
    left out."""
    rows = {"JSON": JSON_FORMS.get(profile.structured or "", ""), "thinking": THINKING_PLACES.get(profile.thinking or "", "")}
    if profile.token_limit:
        is_taken = profile.token_limit != "none"
        rows["limit of a reply"] = f"accepted as {profile.token_limit}" if is_taken else f"{REFUSED}: replies are not limited"
    if profile.most_tokens:
        rows["longest limit"] = f"{profile.most_tokens:,} tokens"
    if profile.seed:
        rows["seed"] = f"accepted as {profile.seed}" if profile.seed != "none" else LEFT_OUT
    for name, (label, refused) in SWITCHES.items():
        if (value := getattr(profile, name)) is not None:
            rows[label] = "accepted" if value else refused
    if profile.extra_refused:
        rows["extra"] = f"{REFUSED}: {', '.join(profile.extra_refused)}"
    return {label: words for label, words in rows.items() if words}
