"""Which items are varied: by task, domain, status and release, with how many that are."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import plain
from workbench import opened
from workbench.build.varying.varying import Vary

STATUSES = ("accepted", "drafted", "refused", "discarded")
ANY = "any"
LANGUAGES = {"en": "English", "zh": "Chinese"}


class Selection(NamedTuple):
    """What Vary is asked with; None = any."""

    task: str | None
    domain: str | None
    status: str | None
    release: str | None


def show() -> Selection:
    """Draw the boxes and the count; the choice stands in the address."""
    bench = opened()
    there = bench.find.choices()
    releases = [one.name for one in bench.shelf.listed()] if not bench.people.why_not("see releases") else []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        task = _choice("task", "Task", list(map(str, there["task"])), "any", 240)
        domain = _choice("domain", "Domain", list(map(str, there["domain"])), "any", 170)
        status = _choice("status", "Status", list(STATUSES), "any", 140, "accepted")
        release = _choice("release", "Release", releases, "any, or none", 170) if releases else None
        chosen = Selection(task, domain, status, release)
        try:
            found = bench.vary.count(Vary(kinds=(), **chosen._asdict()))
        except BenchError as error:
            st.caption(plain(str(error)))
            return chosen
        each = ", ".join(f"{n:,} {LANGUAGES.get(name, name)}" for name, n in found["languages"].items())
        counted = f"**{found['items']:,} {'item' if found['items'] == 1 else 'items'}**"
        st.markdown(f"{counted} ({plain(each)})" if each else counted, width="content")
    return chosen


def _choice(name: str, label: str, options: Sequence[str], nothing: str, width: int, default: str = ANY) -> str | None:
    value = word(name, default)
    among = [ANY, *options, *([value] if value not in (ANY, *options) else [])]  # one that nothing is of any more
    st.selectbox(
        label,
        among,
        key=f"vary_{name}",
        width=width,
        format_func=lambda one: nothing if one == ANY else one.replace("_", " "),
        on_change=held(f"vary_{name}", name, value),
    )
    return None if value == ANY else value
