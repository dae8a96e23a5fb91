"""The retrieved passages beside the gold evidence, with the text that they share highlighted on both sides."""

from typing import Any

from pages.components.bundles import register
from workbench.evaluate.traces.evidence_overlap import EvidenceColumns, ShownPassage

_COLUMNS = register("evidence", "evidence")


def show(evidence: EvidenceColumns, key: str) -> Any:
    """Show both columns, and return a dict with the "document", "start" and "end" of the passage that a person wants to open,
    or None."""
    nothing = "This system does not record its passages." if evidence.passages is None else "Nothing was retrieved."
    passages = [_build_passage(passage) for passage in evidence.passages or ()]
    golds = [_build_gold(gold, share) for gold, share in zip(evidence.gold, evidence.covered, strict=True)]
    columns = [
        {"title": "Retrieved, best first", "cards": passages, "empty": "" if passages else nothing},
        {"title": "Gold evidence", "cards": golds, "empty": "" if golds else "This item has no gold evidence."},
    ]
    return _COLUMNS(data={"columns": columns}, key=key, on_open_change=lambda: None).open


def _build_passage(passage: ShownPassage) -> dict[str, Any]:
    covers = ", ".join(f"{_format_percent(share)} of gold {number}" for number, share in passage.shares)
    return _build_card(passage, f"covers {covers}" if covers else "no gold evidence in it")


def _build_gold(gold: ShownPassage, covered: float) -> dict[str, Any]:
    ranks = ", ".join(str(rank) for rank, _ in gold.shares)
    return _build_card(gold, f"{_format_percent(covered)} found, at rank {ranks}" if ranks else "not retrieved")


def _build_card(passage: ShownPassage, cover: str) -> dict[str, Any]:
    is_stored = bool(passage.title or passage.pieces)
    span = passage.span
    return {
        "number": str(passage.number),
        "title": passage.title if is_stored else "not in this workspace",
        "place": f"{span.start:,} to {span.end:,}",
        "document": {"document": span.document, "start": span.start, "end": span.end} if is_stored else None,
        "href": f"/corpus?document={span.document}",
        "hit": bool(passage.shares),
        "cover": cover,
        "pieces": list(map(list, passage.pieces)) if is_stored else [["The text of this passage is not stored here.", False]],
        "hidden": f"{passage.hidden:,} more characters: open the document." if passage.hidden > 0 else "",
    }


def _format_percent(share: float) -> str:
    """Format a share in whole percent. Only a share of exactly 0 becomes 0 %, and only a share of exactly 1 becomes 100 %."""
    return f"{min(max(round(share * 100), 1), 99) if 0 < share < 1 else round(share * 100)} %"
