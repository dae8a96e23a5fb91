"""What the gates found on a draft, one a line, the refusing ones first."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.ui.say import plain

ICONS = {
    "refuse": ":red[:material/block:]",
    "flag": ":orange[:material/flag:]",
    "not run": ":gray[:material/do_not_disturb_on:]",
    "pass": ":green[:material/check:]",
}
"""Outcome -> its sign."""


def gate_list(verdicts: Sequence[Mapping[str, Any]]) -> None:
    """Draw them, those that passed in one line; the RAG check, which never refuses, stands elsewhere."""
    gates = [verdict for verdict in verdicts if verdict["gate"] != "rag_check"]
    for verdict in sorted((v for v in gates if v["outcome"] != "pass"), key=lambda v: list(ICONS).index(v["outcome"])):
        st.markdown(f"{ICONS[verdict['outcome']]} {plain(_name(verdict))}: {plain(verdict['why'])}")
    if passed := [_name(verdict).lower() for verdict in gates if verdict["outcome"] == "pass"]:
        st.markdown(f"{ICONS['pass']} Passed: {plain(', '.join(passed))}")


def _name(verdict: Mapping[str, Any]) -> str:
    return str(verdict["gate"]).replace("_", " ").capitalize()
