"""Write the section of the dataset card on a tiny release: how its items were chosen, and how often decisions were wrong."""

from core.quality.tiny import KEY
from store.format import Bundle
from store.formats._markdown import count_noun, escape_markdown, render_table

MEASURES = {
    "wrong": "decisions on the few items that the whole release does not confirm",
    "missed": "decisions on the whole release that the few items miss",
    "error": "mean absolute error of the estimated score",
}


def render_tiny(bundle: Bundle) -> str:
    """Return the section on how the items of a tiny release were chosen; "" if the release is not tiny."""
    record = bundle.manifest.get(KEY)
    if not record:
        return ""
    of, by = record["of"], " and ".join(record["by"]) if len(record["strata"]) > 1 else ""
    seen = f"by the scores ({record['metric']}) of {count_noun(len(record['systems']), 'system')}" if record["systems"] else ""
    how = "by item response theory" if record["method"] == "irt" else f"by their form, because {record['why'].rstrip('.')}"
    text = (
        f"## Tiny release of {escape_markdown(of['name'])}\n\nExperimental. The items stand for all {of['items']} items of "
        f"{escape_markdown(of['name'])} (`{of['hash']}`); the corpus is the whole one. They were chosen "
        f"{f'{seen}, ' if seen else ''}{how}{f', within strata by {by}' if by else ''}. `manifest.json` names under "
        "`tiny.weights` how many items each stands for: a mean with these weights estimates the mean on the whole release."
    )
    agreement = record["agreement"]
    if not agreement["held_out"]:
        return f"{text}\n\nHow often decisions on these items are wrong is unknown: {escape_markdown(agreement['why'])}."
    rows = [
        (words, agreement["held_out"][name]["n"], *map(_format, (agreement["held_out"][name]["value"], random["mean"])))
        for name, words in MEASURES.items()
        if (random := agreement["random"][name])
    ]
    samples = agreement["random"]["error"]["n"]
    return (
        f"{text}\n\nSystems were held out in turn, and the items chosen anew without them. A decision between two systems is a "
        "paired test with p < .05.\n\n" + render_table(["Measure", "n", "Chosen items", f"{samples} random samples"], rows)
    )


def _format(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
