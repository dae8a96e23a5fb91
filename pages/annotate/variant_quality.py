"""Variant quality: samples of question variants that two people judge without seeing each other's answers, and the results. URL
parameter: sample=ID."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.variant import draw, quality
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import choose
from pages.parts.ui.person import get_person
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench
from workbench.annotate.wordings.variant_quality import SampleCard

bench = open_workbench()
stage = bench.variant_quality
who = get_person()


def main() -> None:
    """Show the list of samples of variants, and the sample that the person opened."""
    show_heading(
        "Variant quality",
        "Two people judge a sample of variants without seeing each other's answers. Judging does not change the variants.",
    )
    pool, cards = stage.count_pool(), {card.sample.id: card for card in stage.list_samples()}
    names = sorted(member.name for member in bench.people.team().people if not member.is_removed)
    chosen = ""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if cards:
            labels = {id_: describe(card) for id_, card in cards.items()}
            chosen = choose(st, "Sample", "sample", labels, "quality_sample", width=420)
        draw.show(stage, pool, names, who)
    if not pool and not cards:
        do = "Variants are made from questions; people's rewrites are variants too."
        show_empty("No variant yet", do, "pages/build/vary.py", "Vary questions")
    if cards:
        show_sample(cards[chosen])


def describe(card: SampleCard) -> str:
    """Describe a sample in one line: its time, its size and its seed."""
    sample = card.sample
    return f"{sample.made_at[:16].replace('T', ' ')}, {len(sample.variants):,} variants, seed {sample.seed}"


def show_sample(card: SampleCard) -> None:
    """Show how the variants of the sample were chosen, how many variants each person has judged, and the judgements."""
    sample = card.sample
    kinds = [f"{stratum.kind} {stratum.drawn:,} of {stratum.there:,}" for stratum in sample.strata]
    st.caption(escape(f"Sample drawn by {sample.made_by}: {', '.join(kinds)}."))
    done = [f"{name} {n:,} of {len(sample.variants):,}" for name, n in card.done.items()]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Judged: {', '.join(done) or 'by nobody yet; the first two people become the reviewers'}", width="content")
        st.page_link(
            "pages/annotate/variants.py",
            label="Judge it",
            icon=":material/visibility_off:",
            width="content",
            query_params={"sample": sample.id},
        )
    try:
        report = stage.report(sample.id, who)
    except BenchError as error:
        show_error(str(error))
        return
    quality.show(report)


main()
