"""Which items are varied: by task, domain, status and release, with how many they are."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.errors import BenchError
from pages.parts.build.vary.kinds_box import LANGUAGES
from pages.parts.ui.in_url import choose, word
from pages.parts.ui.say import counted, plain
from workbench import open_workbench
from workbench.build.varying.varying import VaryRequest

STATUSES = ("accepted", "drafted", "refused", "discarded")
ANY = "any"


class Selection(NamedTuple):
    """The items of a request; None = any."""

    task: str | None
    domain: str | None
    status: str | None
    release: str | None


def show() -> Selection:
    """Draw the boxes and the count; the choice stands in the address."""
    bench = open_workbench()
    choices = bench.find.choices()
    releases = [one.name for one in bench.shelf.listed()] if not bench.people.explain_refusal("see releases") else []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        task = _choose("task", "Task", list(map(str, choices["task"])), "any", 240)
        domain = _choose("domain", "Domain", list(map(str, choices["domain"])), "any", 170)
        status = _choose("status", "Status", STATUSES, "any", 140, "accepted")
        release = _choose("release", "Release", releases, "any, or none", 170) if releases else None
        chosen = Selection(task, domain, status, release)
        try:
            languages = bench.vary.count_languages(VaryRequest(kinds=(), **chosen._asdict()))
        except BenchError as error:
            st.caption(plain(str(error)))
            return chosen
        each = ", ".join(f"{n:,} {LANGUAGES.get(name, name)}" for name, n in languages.items())
        total = f"**{counted(sum(languages.values()), 'item')}**"
        st.markdown(f"{total} ({plain(each)})" if each else total, width="content")
    return chosen


def _choose(name: str, label: str, options: Sequence[str], any_label: str, width: int, default: str = ANY) -> str | None:
    every = dict.fromkeys((ANY, *options, word(name, default)))  # the address may hold one that no item has any more
    labels = {option: any_label if option == ANY else option.replace("_", " ") for option in every}
    value = choose(st, label, name, labels, f"vary_{name}", default=default, width=width)
    return None if value == ANY else value
