"""Links between the pages of the menu section Evaluate."""

from collections.abc import Sequence

import streamlit as st

RESULTS, TRACES, RUN = "pages/evaluate/results.py", "pages/evaluate/traces.py", "pages/evaluate/run.py"
NUGGETS = "pages/annotate/nuggets.py"


def link_results(runs: Sequence[str], label: str = "Open in Results", icon: str = "leaderboard", **query: str) -> None:
    """Show a link to the page Results for these runs; `query` adds further parameters to the link's URL."""
    st.page_link(RESULTS, label=label, icon=f":material/{icon}:", width="content", query_params={"run": list(runs), **query})


def link_traces(runs: Sequence[str], label: str, **query: str) -> None:
    """Show a link to the page Traces for these runs."""
    query = {name: value for name, value in query.items() if value}
    st.page_link(
        TRACES, label=label, icon=":material/account_tree:", width="content", query_params={"run": list(runs), **query}
    )


def link_nuggets(item: str) -> None:
    """Show a link to the page Nuggets for this item."""
    st.page_link(NUGGETS, label="Edit the nuggets", icon=":material/edit:", width="content", query_params={"item": item})


def trace_address(runs: Sequence[str], item: str, variant: str | None = None) -> str:
    """Return the URL at which the page Traces shows one question of one run."""
    return "/traces?" + "&".join(
        [*(f"run={run}" for run in runs), f"item={item}", *([f"variant={variant}"] if variant else [])]
    )


def question_of(item: str, variant: str | None) -> dict[str, str]:
    """Return the URL parameters that identify a question: its item id and, if the question is a variant, its variant id."""
    return {"item": item, **({"variant": variant} if variant else {})}
