"""Write the shortcut certificate of a release into its exported folder (certificate.json), and its table into the dataset
card."""

from collections.abc import Mapping
from typing import Any

from store.format import Bundle
from store.formats._markdown import escape_markdown, render_table
from store.formats._withheld import map_splits

FILE = "certificate.json"


def make_record(bundle: Bundle, withheld: frozenset[str]) -> dict[str, Any]:
    """Return the certificate as JSON values. Results of items in withheld splits are left out, because the name of a passage
    with the answer would reveal the answer."""
    splits = map_splits(bundle)
    kept = [one for one in bundle.certificate["results"] if splits.get(one["item"], "test") not in withheld]
    return {**bundle.certificate, "results": kept}


def render_shortcuts(bundle: Bundle) -> str:
    """Return the section of the dataset card on shortcuts; "" if the release has no certificate."""
    if not bundle.certificate:
        return ""
    rows = [
        (_name_shortcut(rate), rate["rate"]["n"], _format_rate(rate["rate"]), _format(rate["chance"]["value"]))
        for rate in bundle.certificate["rates"]
    ]
    text = (
        "## Shortcuts\n\nShare of the n questions that can be answered without understanding, with a 95 % interval, beside "
        "how often the same answers are right by the gold answers of other questions, or by a guess. "
        f"`{FILE}` has the result for each question.\n\n" + render_table(["Shortcut", "n", "Rate", "Chance"], rows)
    )
    if offline := bundle.certificate["offline"]:
        names = ", ".join(f"`{name}`" for name in offline)
        text += f"\n\nWithout an LLM, and so without knowledge: {names}."
    return text


def _name_shortcut(rate: Mapping[str, Any]) -> str:
    name = "at least one" if rate["shortcut"] == "any" else str(rate["shortcut"]).replace("_", " ")
    return escape_markdown(f"{name} ({rate['agent']})" if rate["agent"] else name)


def _format_rate(rate: Mapping[str, Any]) -> str:
    if rate["value"] is None:
        return "none"
    return f"{rate['value']:.1%} [{rate['low']:.1%}, {rate['high']:.1%}]"


def _format(value: float | None) -> str:
    return "none" if value is None else f"{value:.1%}"
