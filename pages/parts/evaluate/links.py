"""Links from one page of the evaluation to another."""

from collections.abc import Sequence

import streamlit as st

RESULTS, TRACES, RUN = "pages/evaluate/results.py", "pages/evaluate/traces.py", "pages/evaluate/run.py"


def link_results(runs: Sequence[str], label: str = "Open in Results", icon: str = "leaderboard", **query: str) -> None:
    """Draw a link to those runs on the page Results; the link's address also contains `query`."""
    st.page_link(RESULTS, label=label, icon=f":material/{icon}:", width="content", query_params={"run": list(runs), **query})


def link_traces(runs: Sequence[str], label: str, **query: str) -> None:
    """Draw a link to those runs on the page Traces."""
    query = {name: value for name, value in query.items() if value}
    st.page_link(
        TRACES, label=label, icon=":material/account_tree:", width="content", query_params={"run": list(runs), **query}
    )


def trace_address(runs: Sequence[str], item: str, variant: str | None = None) -> str:
    """Return the address of one question's trace."""
    return "/traces?" + "&".join(
        [*(f"run={run}" for run in runs), f"item={item}", *([f"variant={variant}"] if variant else [])]
    )


def question_of(item: str, variant: str | None) -> dict[str, str]:
    """Return the query that identifies a question in an address."""
    return {"item": item, **({"variant": variant} if variant else {})}
