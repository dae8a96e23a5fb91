"""Replace an item's evidence with other sentences that do not contain the answer."""

from dataclasses import replace
from random import Random

from builders.injected_error import AcceptedCopy, InjectedCopy, InjectedError, InjectionContext, strip_spaces
from core.nouns import Item, Span
from core.text.text import content_words

MAX_SHARED_WORDS = 0.34
"""Maximum share (0..1) of the answer's words that a sentence may contain to replace the evidence."""


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    if not item.evidence:
        return None
    taken: list[Span] = []
    for span in item.evidence:
        free = [other for other in _list_other_sentences(span.document, item, context) if other not in taken]
        if not free:
            return None
        taken.append(random.choice(sorted(free, key=lambda other: abs(other.start - span.start))[:6]))
    moved = replace(item, evidence=tuple(sorted(taken)))
    gone, put = (" ".join(context.cut(span) for span in spans) for spans in (item.evidence, moved.evidence))
    return InjectedCopy(moved, gone, put, "The marked sentences do not contain the answer; it is elsewhere in the text.")


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    """Check whether the reviewer again marked as evidence at least half of the original pieces of evidence."""
    covered = [any(right.overlaps(span) for span in answered.evidence) for right in before.evidence]
    return 2 * sum(covered) >= len(covered)


def _list_other_sentences(document: str, item: Item, context: InjectionContext) -> list[Span]:
    """Return the document's sentences that can replace the evidence: they are not evidence, do not contain the answer, and
    contain at most the share MAX_SHARED_WORDS of the answer's content words."""
    answer = set(content_words(item.answers[0], item.language))
    spans = []
    for start, end in context.sentences[document]:
        span = Span(document, start, end)
        text = context.cut(span)
        said = set(content_words(text, item.language))
        is_apart = not any(span.overlaps(other) for other in item.evidence) and len(said) > 3
        if (
            is_apart
            and not any(strip_spaces(accepted) in strip_spaces(text) for accepted in item.answers)
            and len(answer & said) <= MAX_SHARED_WORDS * len(answer)
        ):
            spans.append(span)
    return spans


INJECTED_ERROR = InjectedError(
    label="shifted evidence",
    where="evidence",
    expected="Mark the sentences that contain the answer, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
