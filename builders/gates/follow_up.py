"""Refuse a follow-up of a conversation that is understood without the turns before, because it lacks nothing of its standalone
form, and a follow-up that lacks a name which the turns before do not contain. Items that are no follow-up pass."""

from collections.abc import Sequence

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item
from core.quality.conversations import Exchange, read_earlier, read_turn
from core.text.names import missing_names
from core.text.text import content_words


def check(item: Item, context: GateContext) -> Finding:
    turn = read_turn(item.labels)
    if turn is None or not turn.is_follow_up:
        return Finding("pass")
    if not turn.standalone:
        return Finding("flag", "The follow-up has no standalone question, so nothing could be checked.")
    before = read_earlier(item)
    if before is None:
        return Finding("flag", "The turns before are not recorded with the follow-up, so nothing could be checked.")
    why = explain_unfit(item.question, turn.standalone, before, item.language)
    return Finding("refuse", f"The follow-up {why}.") if why else Finding("pass")


def explain_unfit(question: str, standalone: str, before: Sequence[Exchange], language: str) -> str:
    """Return why the question is not a follow-up to the turns before, as the end of a sentence, or "" if it is.

    Names are compared word by word. If the standalone form has no name that the question lacks, its other content words are
    compared; at least one of those that the question lacks must occur in the turns before."""
    said = "\n".join(text for one in before for text in one)
    lacking = missing_names(standalone, question, language)
    if lacking:
        nowhere = [name for name in missing_names(standalone, said, language) if name in lacking]
        return f"refers to {nowhere[0]!r}, which the turns before do not contain" if nowhere else ""
    own = set(content_words(question, language))
    words = [word for word in content_words(standalone, language) if word not in own]
    if not words:
        return "is understood alone: it lacks nothing of its standalone form"
    known = set(content_words(said, language))
    return "" if known.intersection(words) else f"refers to {words[0]!r}, which the turns before do not contain"


GATE = Gate(version="1", check=check)
