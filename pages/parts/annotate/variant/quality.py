"""The report on a sample of question variants: the share that passed, by person and kind of variant; the agreement of the two
people beyond chance; and the variants that they judged differently."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.statistics.agreement import Agreement
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui import listing
from pages.parts.ui.say import escape
from workbench.annotate.wordings.variant_quality import ALL_KINDS, JudgementConflict, PassRate, SampleReport

RATE_COLUMNS = (
    ("Kind", "left", ""),
    ("Judged", "", ""),
    ("Applied", "", "Share of yes to: was the perturbation applied?"),
    ("Kept", "", "Share of yes to: was the meaning kept?"),
    ("Passed", "", "Share of yes to both questions."),
    ("95 % interval", "", "Wilson interval of the share of variants that passed."),
)
KAPPA_COLUMNS = (
    ("Cohen's kappa of", "left", ""),
    ("Value", "", ""),
    ("95 % interval", "", "Bootstrapped over variants."),
    ("Variants", "", "Variants that both people judged."),
)
QUESTIONS = {"passed": "passing (yes to both)", "applied": "perturbation applied", "kept": "meaning kept"}
NOTE = (
    "The sample has about the same number of variants of each kind. The row for all kinds therefore does not describe all "
    "variants of the workspace."
)


def show(report: SampleReport) -> None:
    """Show the report on the sample; if nobody has judged a variant yet, show only a sentence."""
    if not report.rates:
        st.caption("Nobody has judged a variant of this sample yet. Rates and agreement will appear here.")
        return
    paper_table.show(_columns(RATE_COLUMNS), _rate_rows(report.rates), "variant_rates", notes=[NOTE])
    kappas = [_kappa_row(question, kappa) for question, kappa in report.kappa.items()]
    paper_table.show(_columns(KAPPA_COLUMNS), kappas, "variant_kappa")
    st.subheader(f"Variants judged differently ({len(report.conflicts):,})", anchor=False)
    start = listing.find_page_start(len(report.conflicts), "variant_conflicts")
    for conflict in report.conflicts[start : start + listing.PAGE_ROWS]:
        _show_conflict(conflict)


def _show_conflict(conflict: JudgementConflict) -> None:
    variant = conflict.variant
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(escape(f"{variant.kind.replace('_', ' ')}, {variant.id}"), width="content")
            st.space("stretch")
            st.page_link(
                "pages/annotate/variants.py",
                label="Decide on it",
                icon=":material/arrow_forward:",
                width="content",
                query_params={"variant": variant.id},
            )
        word_diff.show(conflict.original, variant.text)
        for one in conflict.judgements:
            answers = f"applied {_yes(one.applied)}, meaning kept {_yes(one.kept)}"
            st.text(f"{one.person}: {answers}{': ' + one.comment if one.comment else ''}")


def _rate_rows(rates: Sequence[PassRate]) -> list[dict[str, Any]]:
    """Return the table rows with the share of variants that passed: a group for each person, with a row for each kind of
    variant."""
    rows: list[dict[str, Any]] = []
    for number, rate in enumerate(rates):
        if not number or rates[number - 1].person != rate.person:
            rows.append({"group": rate.person})
        n, is_all, ends = rate.n, rate.kind == ALL_KINDS, interval(rate.share.low, rate.share.high)
        share = DASH if rate.share.mean is None else f"{rate.share.mean:.0%}"
        cells = [
            {"text": "all kinds" if is_all else rate.kind.replace("_", " "), "best": is_all},
            {"text": f"{n:,}"},
            {"text": f"{rate.applied:,}" if n else DASH},
            {"text": f"{rate.kept:,}" if n else DASH},
            {"text": share, "sub": f"{rate.passed:,} of {n:,}" if n else ""},
            {"text": ends or DASH, "muted": not ends, "whole": True},
        ]
        rows.append({"cells": cells})
    return rows


def _kappa_row(question: str, kappa: Agreement) -> dict[str, Any]:
    ends = interval(kappa.low, kappa.high)
    cells = [
        {"text": QUESTIONS[question], "sub": kappa.why},
        {"text": mean(kappa.value), "muted": kappa.value is None},
        {"text": ends or DASH, "muted": not ends, "whole": True},
        {"text": f"{kappa.units:,}"},
    ]
    return {"cells": cells}


def _columns(columns: Sequence[tuple[str, str, str]]) -> list[dict[str, str]]:
    return [{"label": name, "align": align, "help": about} for name, align, about in columns]


def _yes(answer: bool | None) -> str:
    return "yes" if answer else "no"
