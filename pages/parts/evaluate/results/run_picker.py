"""A select box for the runs that a page shows, from all runs, newest first; the page's URL contains the chosen runs as
run=ID&run=ID."""

import streamlit as st

from pages.parts.evaluate.links import RUN
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import choose, keep_in_address, read_word, read_words, write_address
from pages.parts.ui.say import show_note
from workbench import open_workbench
from workbench.evaluate.results.run_board import RunLine

ANY = "All releases"
DEPENDENT = ("item", "variant", "page", "at")
"""Names of the URL parameters that are removed when a person chooses other runs, because they depend on the runs."""


def show(key: str) -> list[str]:
    """Show the select box for runs, and return the ids of the chosen runs; the list is empty if no run is chosen."""
    reports = open_workbench().reports
    releases = reports.release_names()
    if not releases:
        show_empty("No runs yet", "Run a system on a release to see its answers and scores here.", RUN, "Run a system")
        return []
    release = read_word("release", ANY, releases)
    lines = {line.run.id: line for line in reports.runs(None if release == ANY else release)}
    names = read_words("run")
    chosen = list(dict.fromkeys(run for name in names for run in lines if len(name) >= 6 and run.startswith(name)))
    unknown = [name for name in names if not any(run.startswith(name) for run in lines)]
    left, right = st.columns([1, 4], vertical_alignment="bottom")
    choose(left, "Release", "release", [ANY, *releases], f"{key}_release", forgets=("run", *DEPENDENT))
    right.multiselect(
        "Runs",
        list(lines),
        key=f"{key}_runs",
        on_change=keep_in_address(f"{key}_runs", "run", chosen, *DEPENDENT),
        format_func=lambda run: _format_label(lines[run]),
        placeholder="Choose one run, or several to compare them",
    )
    if unknown:
        show_note(
            f"These runs are not in the list: {', '.join(unknown)}. The list above has every run that you can choose here."
        )
    if not chosen:
        newest = list(lines)[:3]
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text("No run chosen.")
            st.button(
                "Show the newest run" if len(newest) == 1 else f"Show the newest {len(newest)} runs",
                icon=":material/leaderboard:",
                key=f"{key}_newest",
                on_click=lambda: write_address(run=newest),
                type="primary",
            )
    return chosen


def _format_label(line: RunLine) -> str:
    done = line.tally.answered + line.tally.failed
    size = "" if done == line.tally.asked else f" · {done} of {line.tally.asked} asked"
    return f"{line.name} · {line.run.release}{size} · {line.tally.at[5:16].replace('T', ' ')}"
