"""The sweeps there are, newest first."""

import streamlit as st

from pages.parts.ui.heading import empty
from pages.parts.ui.job_card import WORDS
from pages.parts.ui.say import plain
from workbench import opened


def show() -> None:
    """Draw them; each leads to what it came to."""
    found = opened().sweeps.listed()
    if not found:
        empty("No sweeps yet", "A sweep of top-k on a sample takes minutes and shows what more passages bring.")
    for row in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                plain(row["name"]),
                key=f"sweep_{row['job']}",
                type="tertiary",
                icon=":material/tune:",
                on_click=_open,
                args=(row["job"],),
            )
            st.caption(
                plain(
                    f"on {row['release']} · {row['done']} of {row['cells']} cells · {WORDS[row['state']]} · "
                    f"{row['at'][:16].replace('T', ' ')}"
                )
            )


def _open(job: str) -> None:
    st.query_params.from_dict({"job": job})
