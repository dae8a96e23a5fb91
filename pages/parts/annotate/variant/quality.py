"""What a sample of variants came to: how many passed, per person and kind, what the two agree on beyond chance, and where they
do not agree."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui import listing
from pages.parts.ui.say import escape
from workbench.annotate.wordings.variant_quality import ALL

RATES = (
    ("Kind", "left", ""),
    ("Judged", "", ""),
    ("Applied", "", "Yes to: was the perturbation applied?"),
    ("Kept", "", "Yes to: was the meaning kept?"),
    ("Passed", "", "Yes to both."),
    ("95 % interval", "", "Wilson's, of the share."),
)
KAPPA = (
    ("Cohen's kappa of", "left", ""),
    ("Value", "", ""),
    ("95 % interval", "", "Bootstrapped over variants."),
    ("Variants", "", "That both judged."),
)
WHAT = {"passed": "passing (yes to both)", "applied": "perturbation applied", "kept": "meaning kept"}


def show(report: Mapping[str, Any]) -> None:
    """Draw it; a sentence alone as long as nobody has judged."""
    rates = report["rates"]
    if not rates:
        st.caption("Nobody has judged a variant of it yet. Rates, agreement and differences stand here once somebody does.")
        return
    paper_table.show(
        _columns(RATES),
        _rates(rates),
        "variant_rates",
        notes=[
            "Kinds are drawn evenly, as far as there are, so that the row over all is of this sample and not of all variants."
        ],
    )
    paper_table.show(_columns(KAPPA), [_kappa(what, found) for what, found in report["kappa"].items()], "variant_kappa")
    conflicts = report["conflicts"]
    st.subheader(f"Where they differ ({len(conflicts):,})", anchor=False)
    start = listing.find_page_start(len(conflicts), "variant_conflicts")
    for one in conflicts[start : start + listing.PAGE_ROWS]:
        conflict(one)


def conflict(one: Mapping[str, Any]) -> None:
    """One variant on which the two said different things."""
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(escape(f"{one['kind'].replace('_', ' ')}, {one['variant']}"), width="content")
            st.space("stretch")
            st.page_link(
                "pages/annotate/variants.py",
                label="Decide on it",
                icon=":material/arrow_forward:",
                width="content",
                query_params={"variant": one["variant"]},
            )
        word_diff.show(one["original"], one["text"])
        for said in one["said"]:
            answers = f"applied {_yes(said['applied'])}, meaning kept {_yes(said['kept'])}"
            st.text(f"{said['person']}: {answers}{': ' + said['comment'] if said['comment'] else ''}")


def _rates(rates: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for number, row in enumerate(rates):
        if not number or rates[number - 1]["person"] != row["person"]:
            found.append({"group": row["person"]})
        n, ends = row["n"], interval(row["low"], row["high"])
        name = "all kinds" if row["kind"] == ALL else row["kind"].replace("_", " ")
        share = DASH if row["rate"] is None else f"{row['rate']:.0%}"
        found.append(
            {
                "cells": [
                    {"text": name, "best": row["kind"] == ALL},
                    {"text": f"{n:,}"},
                    {"text": f"{row['applied']:,}" if n else DASH},
                    {"text": f"{row['kept']:,}" if n else DASH},
                    {"text": share, "sub": f"{row['passed']:,} of {n:,}" if n else ""},
                    {"text": ends or DASH, "muted": not ends, "whole": True},
                ]
            }
        )
    return found


def _kappa(what: str, found: Mapping[str, Any]) -> dict[str, Any]:
    ends = interval(found["low"], found["high"])
    return {
        "cells": [
            {"text": WHAT[what], "sub": found["why"]},
            {"text": mean(found["value"]), "muted": found["value"] is None},
            {"text": ends or DASH, "muted": not ends, "whole": True},
            {"text": f"{found['units']:,}"},
        ]
    }


def _columns(named: tuple[tuple[str, str, str], ...]) -> list[dict[str, str]]:
    return [{"label": name, "align": align, "help": about} for name, align, about in named]


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
