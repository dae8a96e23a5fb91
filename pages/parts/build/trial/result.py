"""The result of a closed prompt trial: the drafts and cost of each side, their paired differences with intervals, and a
conclusion that claims no more than the pairs can show."""

from collections.abc import Callable, Mapping

import streamlit as st

from core.statistics.statistics import PairedDifference
from core.statistics.trials import SideSummary
from pages.parts.evaluate.results.figures import DASH, format_difference, interval, money, p_value
from pages.parts.ui.job_card import format_duration
from pages.parts.ui.say import escape, show_note
from workbench.build.trials.trials import TrialResult

ENDS = {
    "accepted": "accepted",
    "discarded": "discarded",
    "queue": "to the queue, undecided",
    "refused": "refused",
    "alike": "left out, because another item asks the same",
}
"""Dict from the outcome of a draft to the outcome's description on the screen."""


def show(result: TrialResult) -> None:
    """Show the result of the trial."""
    show_note(result.sentence)
    with st.container(horizontal=True, gap="large"):
        for name, label in zip("AB", result.labels, strict=True):
            st.markdown(f"**{name}** {escape(label)}", width="content")
    people = "1 person" if result.people == 1 else f"{result.people} people"
    st.caption(f"{result.answers:,} windows, decided on by {people} who did not see which side made which draft.")
    a, b, sums = result.compared.a, result.compared.b, _side_rows()
    st.table({"": list(sums), "A": [cell(a) for cell in sums.values()], "B": [cell(b) for cell in sums.values()]})
    st.markdown("**Side B minus side A, window by window**")
    st.table(_list_differences(result))
    st.caption(
        "Intervals: 95 %, percentile bootstrap over the windows. p: exact McNemar for accepted or not, "
        "permutation of signs for the rest, a sign test for preferences. Windows on which the endpoint or the search failed "
        "are left out of the differences."
    )
    ends = [f"{n:,} {words}" for end, words in ENDS.items() if (n := result.entered.get(end, 0))]
    st.caption(f"Outcomes of the drafts: {', '.join(ends)}.")


def _side_rows() -> Mapping[str, Callable[[SideSummary], str]]:
    """Return a dict from row label to a function that returns the row's cell for a side of the trial."""
    counts = {
        "Windows": "windows",
        "Drafted": "drafted",
        "Refused by a gate": "refused",
        "Nothing worth asking": "none",
        "Unreadable": "unreadable",
        "Failed": "failed",
        "Accepted as drafted": "unchanged",
        "Accepted, edited": "edited",
        "Discarded": "discarded",
        "Not decided": "undecided",
    }

    def count(field: str) -> Callable[[SideSummary], str]:
        return lambda side: f"{getattr(side, field):,}"

    return {label: count(field) for label, field in counts.items()} | {
        "Accepted, of the drafts decided on": _share,
        "USD in all": lambda side: f"{money(side.cost)} ({side.calls:,} calls)",
        "USD per accepted item": lambda side: money(side.cost_each),
        "Characters edited per accepted item": lambda side: (
            DASH if side.characters_each is None else f"{side.characters_each:.1f}"
        ),
        "Service time of the calls": lambda side: format_duration(side.seconds),
    }


def _share(side: SideSummary) -> str:
    share = side.accepted_share
    if share.mean is None:
        return DASH
    return f"{share.mean:.0%} {interval(share.low, share.high, lambda v: f'{v:.0%}')} n={share.n:,}"


def _list_differences(result: TrialResult) -> dict[str, list[str]]:
    c = result.compared
    n = c.prefers_a + c.prefers_b + c.alike
    rows = [
        _difference("Accepted, where both sides drafted (percentage points)", c.accept, 100.0, 0),
        _difference("Accepted items per window", c.gain, 1.0, 2),
        _difference("USD per window", c.cost, 1.0, 6),
        _difference("Characters edited, where both drafts were accepted", c.effort, 1.0, 1),
        ("Preferred", DASH, "", f"{c.prefers_b:,}", f"{c.alike:,}", f"{c.prefers_a:,}", f"{n:,}", p_value(c.preference_p)),
    ]
    heads = ("", "Difference", "95 %", "B higher", "Same", "A higher", "n", "p")
    return dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True))


def _difference(label: str, paired: PairedDifference, factor: float, digits: int) -> tuple[str, ...]:
    def show_value(value: float | None) -> str:
        return format_difference(None if value is None else value * factor, digits)

    # if all pairs are ties, a bootstrap interval has no width
    is_same = bool(paired.n) and not paired.wins and not paired.losses
    ends = "" if is_same else interval(paired.low, paired.high, show_value)
    counts = (f"{count:,}" for count in (paired.wins, paired.ties, paired.losses, paired.n))
    return label, show_value(paired.mean), ends, *counts, p_value(paired.p)
