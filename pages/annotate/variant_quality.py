"""Variant quality: samples that two people judge blind to each other, and what they came to. Address: sample=ID."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.variant import draw, quality
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import keep_in_address, read_word
from pages.parts.ui.person import get_person
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench

bench = open_workbench()
stage = bench.variant_quality
who = get_person()


def main() -> None:
    """The samples, and one of them."""
    show_heading(
        "Variant quality", "Two people judge a sample of variants without seeing each other's word; it decides about none."
    )
    pool, samples = stage.pool(), stage.samples()
    names = sorted(one.name for one in bench.people.team().people if not one.is_removed)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if samples:
            ids = [one["id"] for one in samples]
            told = {
                one["id"]: f"{one['at'][:16].replace('T', ' ')}, {one['drawn']:,} variants, seed {one['seed']}"
                for one in samples
            }
            chosen = read_word("sample", ids[0], among=ids)
            st.selectbox(
                "Sample",
                ids,
                key="quality_sample",
                format_func=lambda id_: told[id_],
                width=420,
                on_change=keep_in_address("quality_sample", "sample", chosen),
            )
        draw.show(stage, pool, names, who)
    if not pool and not samples:
        show_empty(
            "No variant yet",
            "Variants are made of questions, and people's rewrites are variants too.",
            "pages/build/vary.py",
            "Vary questions",
        )
    if samples:
        one_sample(next(one for one in samples if one["id"] == chosen))


def one_sample(sample: dict[str, object]) -> None:
    """How it was drawn, how far it is, and what it came to."""
    kinds = [f"{s['kind']} {s['drawn']:,} of {s['there']:,}" for s in sample["strata"]]  # type: ignore[attr-defined]
    st.caption(escape(f"Drawn by {sample['by']}: {', '.join(kinds)}."))
    done = [f"{name} {n:,} of {sample['drawn']:,}" for name, n in sample["done"].items()]  # type: ignore[attr-defined]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Judged: {', '.join(done) or 'nobody has begun; the first two who do are its reviewers'}", width="content")
        st.page_link(
            "pages/annotate/variants.py",
            label="Judge it",
            icon=":material/visibility_off:",
            width="content",
            query_params={"sample": str(sample["id"])},
        )
    try:
        report = stage.report(str(sample["id"]), who)
    except BenchError as error:
        show_error(str(error))
        return
    quality.show(report)


main()
