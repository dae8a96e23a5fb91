"""What a closed batch shows: each system's mean of what people came to, with its interval, and how far they agreed."""

import streamlit as st

from core.quality.grading import FOUR_GRADES, SCHEMES
from core.statistics.statistics import Interval
from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui.say import caution, plain
from workbench.evaluate.grading.grading import GradingResult


def show(found: GradingResult) -> None:
    """Draw it."""
    marks = SCHEMES[found.scheme].names
    head = "Truthfulness" if found.scheme == FOUR_GRADES else "Right"
    rows = [
        {
            "System": plain(one.name),
            head: _figure(one.mean),
            "n": f"{one.mean.n:,} of {one.of:,}",
            **{plain(mark.capitalize()): f"{one.counts[mark]:,}" for mark in marks},
            "By rule": f"{one.by_rule:,}",
            "No mark": f"{one.unresolved:,}",
        }
        for one in found.systems
    ]
    st.table({name: [row[name] for row in rows] for name in rows[0]})
    weights = "perfect 1, acceptable ½, missing 0, incorrect −1" if found.scheme == FOUR_GRADES else "right 1, wrong 0"
    st.caption(
        plain(
            f"{head}: mean of {weights}, over the whole run that the sample stands for; 95 % bootstrap interval by "
            "question. By rule: failed and empty answers, which nobody had to read. No mark: in no figure."
        )
    )
    if found.left_out:
        caution(f"No answer of {'; '.join(found.left_out)} has a mark: these means leave them out.")
    st.markdown("**Agreement of the blind marks**")
    kappa = found.agreement
    if kappa.value is None:
        st.caption(plain(f"Kappa {DASH}: {kappa.why}."))
    else:
        people = "Cohen's kappa of two people" if kappa.people == 2 else f"Fleiss' kappa of {kappa.people} people"
        st.caption(
            plain(
                f"{people}: {mean(kappa.value)} {interval(kappa.low, kappa.high)} on {kappa.units:,} answers. "
                f"The same mark on {found.same:,} of {found.twice:,}; one more person decided on {found.resolved:,}."
            )
        )
    st.caption(plain("Blind marks: " + ", ".join(f"{person} {n:,}" for person, n in found.people.items()) + "."))


def _figure(found: Interval) -> str:
    return DASH if found.mean is None else f"{mean(found.mean)} {interval(found.low, found.high)}"
