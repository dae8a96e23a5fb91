"""One stacked bar per system, which shows the shares of response types among the system's answers. The width and text of each
segment show its share, a click on a segment opens its answers, and a legend explains the types."""

from collections.abc import Sequence
from typing import Any

from pages.components.bundles import register
from workbench.evaluate.results.analyses import TYPES, TypeLine

COLOURS = {"EM": "#0072b2", "AM": "#56b4e9", "GE": "#e69f00", "TE": "#d55e00", "ME": "#999999", "RE": "#cc79a7"}
"""Colours of the response types, from the palette of Okabe and Ito; letters on the segments also identify the types."""
DARK = ("EM", "TE")
"""Response types with dark segments, on which letters are white."""
_BARS = register("type_bars", "type_bars")


def show(lines: Sequence[TypeLine], chosen: tuple[str, str], key: str) -> Any:
    """Show the bars, where `chosen` = (run id, response type) is the open segment; return a dict with the run ("of") and the
    "type" of the segment that was clicked, or None."""
    key_lines = [{"colour": COLOURS[kind], "text": f"{kind}: {about.lower()}"} for kind, about in TYPES.items()]
    return _BARS(
        data={"rows": [_build_bar(line, chosen) for line in lines], "key": key_lines}, key=key, on_go_change=lambda: None
    ).go


def _build_bar(line: TypeLine, chosen: tuple[str, str]) -> dict[str, Any]:
    counts, total = line.responses.of, line.responses.n
    parts = []
    for kind, about in TYPES.items():
        n, share = counts[kind], counts[kind] / (total or 1)
        part = {
            "n": n,
            "colour": COLOURS[kind],
            "ink": "#fff" if kind in DARK else "#111",
            "label": f"{kind} {share * 100:.0f} %" if share >= 0.09 else kind if share >= 0.045 else "",
            "title": f"{line.name}, {kind}: {n:,} of {total:,} ({share * 100:.1f} %). {about}. Click for the answers.",
            "go": {"of": line.run, "type": kind},
            "chosen": (line.run, kind) == chosen,
        }
        parts += [part] if n else []
    matches = f" · {(counts['EM'] + counts['AM']) / total * 100:.0f} % match" if total else ""
    unscored = f", {line.responses.unscored:,} unscored" if line.responses.unscored else ""
    return {"name": line.name, "parts": parts, "side": f"n={total:,}{unscored}{matches}"}
