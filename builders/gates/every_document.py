"""Flag a question on several documents if its evidence cites only some of the documents, because fewer documents may be enough
to answer the question."""

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item


def check(item: Item, context: GateContext) -> Finding:
    cited = {span.document for span in item.evidence}
    left = [place for place, document in enumerate(item.given, 1) if document not in cited]
    details = {"documents": len(item.given), "cited": len(item.given) - len(left)}
    if not left:
        return Finding("pass", details=details)
    which = ", ".join(map(str, left))
    return Finding("flag", f"No evidence is cited from document {which} of the question's {len(item.given)}.", details)


GATE = Gate(version="1", check=check)
