"""Flag an item if systems cannot retrieve its source document and no other document supports its answer, because a system could
only guess the answer."""

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item


def check(item: Item, context: GateContext) -> Finding:
    hits = [hit for step in item.steps if step.get("kind") == "search" for hit in step.get("hits") or ()]
    kept = {hit["document"] for hit in hits if hit.get("kept")}
    dropped = {hit["document"] for hit in hits} - kept
    details = {"kept": len(kept), "dropped": len(dropped)}
    if kept:
        return Finding("pass", details=details)
    reason = f"all {len(dropped)} hits are near copies of the source" if dropped else "the search found nothing"
    return Finding("flag", f"No document is left to answer from: {reason}.", details)


GATE = Gate(version="1", check=check)
