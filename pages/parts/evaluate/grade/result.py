"""The result of a closed batch: the mean of people's marks for each system, with its interval, and how far the people agree who
graded the same answers."""

import streamlit as st

from core.quality.grading import FOUR_GRADES, NUGGET_SUPPORT, RIGHT_WRONG, SCHEMES
from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui.say import escape, show_warning
from workbench.evaluate.grading.grading import GradingResult

MEANS = {
    FOUR_GRADES: ("Truthfulness", "perfect 1, acceptable ½, missing 0, incorrect −1"),
    RIGHT_WRONG: ("Right", "right 1, wrong 0"),
    NUGGET_SUPPORT: ("Supported", "support 1, partial support ½, no support 0"),
}
"""Dict from scheme to (name of the mean of its marks, weights of the marks in words)."""


def show(result: GradingResult) -> None:
    """Show the result of the batch."""
    head, weights = MEANS[result.scheme]
    rows = [
        {
            "System": escape(line.name),
            head: DASH if line.mean.mean is None else f"{mean(line.mean.mean)} {interval(line.mean.low, line.mean.high)}",
            "n": f"{line.mean.n:,} of {line.of:,}",
            **{escape(mark.capitalize()): f"{line.counts[mark]:,}" for mark in SCHEMES[result.scheme].names},
            "By rule": f"{line.by_rule:,}",
            "No mark": f"{line.unresolved:,}",
        }
        for line in result.systems
    ]
    st.table({name: [row[name] for row in rows] for name in rows[0]})
    st.caption(
        escape(
            f"{head}: mean of {weights}, estimated for the whole run; 95 % bootstrap interval by question. By rule: "
            "failed and empty answers, which get their mark without a person. No mark: answers that are left out of all "
            "results."
        )
    )
    if result.left_out:
        show_warning(f"No answer of {'; '.join(result.left_out)} has a mark: the means do not cover these answers.")
    st.markdown("**Agreement of the marks given blind**")
    kappa = result.agreement
    if kappa.value is None:
        st.caption(escape(f"Kappa {DASH}: {kappa.why}."))
    else:
        people = "Cohen's kappa of two people" if kappa.people == 2 else f"Fleiss' kappa of {kappa.people} people"
        st.caption(
            escape(
                f"{people}: {mean(kappa.value)} {interval(kappa.low, kappa.high)} on {kappa.units:,} answers. "
                f"The same mark on {result.same:,} of {result.twice:,} answers; one more person decided on {result.resolved:,}."
            )
        )
    st.caption(escape("Blind marks: " + ", ".join(f"{person} {n:,}" for person, n in result.people.items()) + "."))
