"""Keep the replies of an agent for one draft in memory while they arrive."""

import time
from dataclasses import dataclass, field

from core.agent import Completion
from core.errors import Unreadable
from core.nouns import Prompt
from prompts.reply import parse


@dataclass(slots=True)
class AnswerPart:
    """One reply of the agent, as much of it as has arrived."""

    prompt: Prompt
    text: str


@dataclass(slots=True)
class LiveDraft:
    """The agent's replies for one draft, as much of them as has arrived."""

    began: float = field(default_factory=time.monotonic)
    parts: list[AnswerPart] = field(default_factory=list)

    def add_text(self, prompt: Prompt, text: str) -> None:
        """Set the text of the last reply to `text`. If `prompt` is not the prompt of that reply, begin a new reply."""
        if self.parts and (last := self.parts[-1]).prompt.messages == prompt.messages and last.prompt.name == prompt.name:
            last.text = text
        else:
            self.parts.append(AnswerPart(prompt, text))

    def explain_none(self) -> str:
        """Return the reason why the agent proposed no question; "" if its last reply gives no reason."""
        part = next((part for part in reversed(self.parts) if part.prompt.skill == "draft"), None)
        if part is None:
            return ""
        try:
            return str(parse(part.prompt, Completion(part.text)).get("none", ""))
        except Unreadable:
            return ""
