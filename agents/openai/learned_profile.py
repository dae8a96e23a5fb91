"""Learns from an endpoint's answers which parameters the endpoint accepts for a model, and stores these facts for later
requests."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from agents.openai.openai_request import RequestBody
from agents.openai.openai_settings import OpenAISettings
from agents.openai.openai_wire import Reading
from agents.openai.profile import PLAINER_FORMS, Profile, ProfileMemory
from agents.openai.refusal import Refusal
from core.errors import AgentError
from core.ids import canonical_json
from core.nouns import Prompt


class LearnedProfile:
    """What is known about one model at one endpoint: the quirks of the provider, the facts learned from answers, and the
    settings that a user made by hand."""

    def __init__(self, url: str, model: str, settings: OpenAISettings, quirks: Profile, memory: ProfileMemory) -> None:
        """`url` is the endpoint's URL without user name and password; `quirks` contains the known facts about the endpoint's
        provider; `memory` stores what is learned."""
        self._url, self._model, self._quirks, self._memory = url, model, quirks, memory
        structured = settings.structured
        self.by_hand = settings.takes if structured == "auto" else replace(settings.takes, structured=structured)
        """Parameters as a person set them."""
        self._last_read: tuple[Mapping[str, Any], Profile] = ({}, quirks)
        """Last record loaded from the memory, and the profile made of it and the quirks; saves rebuilding it."""
        self._way = canonical_json({"reasoning": settings.reasoning, "extra": settings.extra})

    @property
    def profile(self) -> Profile:
        """Parameters that the endpoint accepts, as learned from its answers so far or as set by hand."""
        return self.learned.update(self.by_hand)

    @property
    def learned(self) -> Profile:
        """Parameters that the endpoint accepts, as learned from its answers so far."""
        record = self._memory.load(self._url, self._model, self._way)
        known, profile = self._last_read
        if record != known:
            profile = self._quirks.update(Profile.from_record(record))
            self._last_read = record, profile
        return profile

    def add(self, change: Profile) -> None:
        """Store a change to the learned facts."""
        self._save(self.learned.update(change))

    def refuse(self, profile: Profile, refusal: Refusal) -> Profile | None:
        """Return the profile change that omits or renames the refused parameter, or None if the parameter cannot be changed or
        was set by hand. The change is stored, unless the refusal concerns only this request. Functions are never omitted,
        because the reply would be meaningless without functions; only the fact that the endpoint refuses functions is
        stored."""
        place = refusal.parameter.partition(".")[0].replace("extra", "extra_refused")
        refused = None if place in self.by_hand.record else profile.refuse(refusal.parameter, rename=refusal.may_rename)
        if refused is None:
            return None
        change = Profile.from_record({place: getattr(refused, place)})
        if refusal.is_general:
            self.add(change)
        return None if refusal.parameter == "tools" else change

    def guess(self, profile: Profile, prompt: Prompt) -> Profile | None:
        """Return a profile change to a simpler way of requesting JSON, for a request that the endpoint refused without naming a
        parameter. Returns None if the prompt needs no JSON, the current way was set by hand or accepted before, or no simpler
        way is left."""
        is_open = prompt.schema and self.by_hand.structured is None and self.learned.structured is None
        plainer = PLAINER_FORMS.get(profile.structured or "schema") if is_open else None
        return Profile(structured=plainer) if plainer else None

    def learn(self, guessed: Profile, profile: Profile, body: RequestBody, reading: Reading, *, has_schema: bool) -> None:
        """Store what an answered request shows about the endpoint: which parameters it accepts and where it returns
        thinking."""
        learned = self.learned.update(guessed)
        news: dict[str, Any] = {name: True for name in body.parameters if getattr(learned, name, True) in (None, False)}
        news |= {"token_limit": profile.token_limit or "max_tokens"} if "token_limit" in news else {}
        news |= {"seed": profile.seed or "seed"} if "seed" in news else {}
        if reading.completion.logprobs is None:
            news.pop("logprobs", None)  # logprobs are absent now, but the endpoint may return them later
        if has_schema and learned.structured is None:
            news["structured"] = profile.structured or "schema"
        if reading.thinking != "none" or learned.thinking is None:
            news["thinking"] = reading.thinking
        self._save(learned.update(Profile.from_record(news)))

    @contextmanager
    def relearn(self) -> Iterator[None]:
        """Discard the learned facts at the start of the `with` block, so that the requests in the block learn them anew: a
        server that was restarted or updated may accept other parameters. Keeps those learned facts that small requests cannot
        refute. If the block raises AgentError, restores the discarded facts."""
        known = self.learned
        kept = Profile(most_tokens=known.most_tokens, returns_thinking=known.returns_thinking)
        self._save(replace(kept, thinking=known.thinking if known.thinks else None))
        try:
            yield
        except AgentError:
            self._save(known)
            raise

    def _save(self, profile: Profile) -> None:
        if profile != self.learned:
            self._memory.save(self._url, self._model, self._way, profile.record)
