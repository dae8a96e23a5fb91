"""Show a prompt as it would be sent, filled in with an item of the workspace. The text around the item's evidence takes the
place of the passage to draft from (window)."""

from dataclasses import dataclass, replace

from core.errors import BenchError
from core.nouns import Document, Item, Message, Span
from core.text.text import count_tokens
from prompts.prompt import PromptFile
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from workbench.setup.trial import make_inputs

CONTEXT_CHARACTERS = 6000
"""Number of characters before and after the evidence that the prompt contains."""
MAX_CHOICES = 50
"""Maximum number of items from which a person can choose to fill in a prompt."""


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """A prompt that is filled in: the messages that would be sent, and their number of tokens."""

    messages: tuple[Message, ...]
    tokens: int


def choices(database: Database, language: str) -> dict[str, str]:
    """Return a dict from item id to question, for the first items in this language with which a prompt can be filled in."""
    candidates = items.list_items(database, language=language, limit=MAX_CHOICES)
    return {item.id: item.question for item in candidates if item.evidence and item.answers}


def preview(database: Database, file: PromptFile, language: str, item: str) -> PromptPreview:
    """Fill in the prompt with the item. Raises BenchError if the item does not exist, or has no evidence or no answer."""
    chosen = items.get(database, item)
    if not chosen.evidence or not chosen.answers:
        raise BenchError("This item lacks evidence or an answer, so no prompt can be filled from it: choose another item.")
    prompt = file.prompts[language]
    inputs = make_inputs(*excerpt(database, chosen))
    messages = prompt.fill({name: inputs.get(name, "") for name in prompt.inputs})
    return PromptPreview(messages, sum(count_tokens(message.content, language) for message in messages))


def excerpt(database: Database, item: Item) -> tuple[Item, Document]:
    """Return the item and the document of its first evidence, both cut to the text around this evidence, so that a long
    document need not be split into sentences."""
    span = item.evidence[0]
    document = documents.get(database, span.document)
    first = max(0, span.start - CONTEXT_CHARACTERS)
    cut = replace(document, text=document.text[first : span.end + CONTEXT_CHARACTERS])
    return replace(item, evidence=(Span(document.id, span.start - first, span.end - first),)), cut
