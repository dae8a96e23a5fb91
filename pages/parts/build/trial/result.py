"""What a closed trial shows: each side's drafts and money, their differences in pairs with intervals, and one sentence that
claims no more than the pairs can show."""

from collections.abc import Callable

import streamlit as st

from core.statistics.statistics import Paired
from core.statistics.trials import SideSum
from pages.parts.evaluate.results.figures import DASH, format_difference, interval, money, p_value
from pages.parts.ui.job_card import duration
from pages.parts.ui.say import note, plain
from workbench.build.trials.trials import TrialResult

Row = tuple[str, str, str]


def show(found: TrialResult, entered: dict[str, int]) -> None:
    """Draw it."""
    note(found.sentence)
    with st.container(horizontal=True, gap="large"):
        for name, label in zip("AB", found.labels, strict=True):
            st.markdown(f"**{name}** {plain(label)}", width="content")
    people = "1 person" if found.people == 1 else f"{found.people} people"
    st.caption(f"{found.answers:,} windows decided on by {people}, who did not know which draft was whose.")
    st.table(dict(zip(("", "A", "B"), map(list, zip(*_sums(found), strict=True)), strict=True)))
    st.markdown("**B less A, window by window**")
    st.table(_differences(found))
    st.caption(
        "Intervals: 95 %, percentile bootstrap over the windows. p: exact McNemar for accepted or not, permutation of "
        "signs for the rest, a sign test for what is preferred. Windows on which the endpoint or the search failed are "
        "in no difference."
    )
    went = [
        (entered.get(key, 0), words)
        for key, words in (
            ("accepted", "accepted"),
            ("discarded", "discarded"),
            ("queue", "to the queue, undecided"),
            ("refused", "refused"),
            ("alike", "left out: an item says the same"),
        )
    ]
    st.caption("The drafts went to the items: " + ", ".join(f"{n:,} {words}" for n, words in went if n) + ".")


def _sums(found: TrialResult) -> list[Row]:
    a, b = found.compared.a, found.compared.b

    def row(label: str, cell: Callable[[SideSum], str]) -> Row:
        return label, cell(a), cell(b)

    return [
        row("Windows", lambda s: f"{s.windows:,}"),
        row("Drafted", lambda s: f"{s.drafted:,}"),
        row("Refused by a gate", lambda s: f"{s.refused:,}"),
        row("Nothing worth asking", lambda s: f"{s.none:,}"),
        row("Unreadable", lambda s: f"{s.unreadable:,}"),
        row("Failed", lambda s: f"{s.failed:,}"),
        row("Accepted as drafted", lambda s: f"{s.unchanged:,}"),
        row("Accepted, edited", lambda s: f"{s.edited:,}"),
        row("Discarded", lambda s: f"{s.discarded:,}"),
        row("Not decided", lambda s: f"{s.undecided:,}"),
        row("Accepted, of those decided", _share),
        row("USD in all", lambda s: f"{money(s.cost)} ({s.calls:,} calls)"),
        row("USD an accepted item", lambda s: money(s.cost_each)),
        row("Characters edited, an accepted item", lambda s: DASH if s.characters_each is None else f"{s.characters_each:.1f}"),
        row("Service time of the calls", lambda s: duration(s.seconds)),
    ]


def _share(side: SideSum) -> str:
    share = side.accepted_share
    if share.mean is None:
        return DASH
    return f"{share.mean:.0%} {interval(share.low, share.high, lambda v: f'{v:.0%}')} n={share.n:,}"


def _differences(found: TrialResult) -> dict[str, list[str]]:
    c = found.compared
    rows = [
        _row("Accepted, where both drafted (points)", c.accept, 100.0, 0),
        _row("Accepted items a window", c.gain, 1.0, 2),
        _row("USD a window", c.cost, 1.0, 6),
        _row("Characters edited, where both were accepted", c.effort, 1.0, 1),
    ]
    n = c.prefers_a + c.prefers_b + c.alike
    rows.append(
        {
            "": "Preferred",
            "Difference": DASH,
            "95 %": "",
            "B higher": f"{c.prefers_b:,}",
            "Same": f"{c.alike:,}",
            "A higher": f"{c.prefers_a:,}",
            "n": f"{n:,}",
            "p": p_value(c.preference_p),
        }
    )
    return {head: [row[head] for row in rows] for head in rows[0]}


def _row(label: str, found: Paired, times: float, digits: int) -> dict[str, str]:
    def shown(value: float | None) -> str:
        return format_difference(None if value is None else value * times, digits)

    same = bool(found.n) and not found.wins and not found.losses  # a bootstrap of ties alone knows nothing of its width
    ends = "" if same else interval(found.low, found.high, shown)
    return {
        "": label,
        "Difference": shown(found.mean),
        "95 %": ends,
        "B higher": f"{found.wins:,}",
        "Same": f"{found.ties:,}",
        "A higher": f"{found.losses:,}",
        "n": f"{found.n:,}",
        "p": p_value(found.p),
    }
