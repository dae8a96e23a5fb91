"""What is varied: the items, by task, domain, status and release; and the kinds, with what each does and whether it asks an
agent, and the address of the verifier of grammar."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.in_url import choose, put, word, words
from pages.parts.ui.say import counted, plain
from workbench import open_workbench
from workbench.build.varying.varying import KindCard, VaryRequest

GROUPS = {
    "Noise": ("spelling", "keyboard", "ocr"),
    "Grammar": ("grammar",),
    "Style": ("formality", "readability"),
    "Sentence type": ("declarative", "imperative"),
}
LANGUAGES = {"en": "English", "zh": "Chinese"}
STATUSES = ("accepted", "drafted", "refused", "discarded")
ANY = "any"


class Selection(NamedTuple):
    """The items of a request; None = any."""

    task: str | None
    domain: str | None
    status: str | None
    release: str | None


def choose_items() -> Selection:
    """Draw the choice of the items, with how many they are; it stands in the address."""
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


def choose_kinds(cards: Mapping[str, KindCard]) -> tuple[str, ...]:
    """Draw the kinds; returns those that are ticked."""
    grouped = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, "Other": tuple(name for name in cards if name not in grouped)}
    chosen = [name for name in words("kind") if name in cards] or ([] if "kinds" in st.query_params else ["spelling"])
    with st.container(border=True, gap="small"):
        groups = {group: names for group, names in groups.items() if names}
        for column, (group, names) in zip(st.columns(len(groups)), groups.items(), strict=True):
            column.markdown(f"**{group}**")
            for name in names:
                card = cards[name]
                st.session_state[f"vary_kind_{name}"] = name in chosen
                missing = (f"Not for {LANGUAGES.get(language, language)}." for language in card.missing)
                about = " ".join((card.about, "Asks an agent." if card.asks else "Free.", *missing))
                with column.container(gap=None):
                    st.checkbox(card.label, key=f"vary_kind_{name}", on_change=_tick, args=(tuple(cards),))
                    st.caption(plain(about))
    return tuple(name for name in cards if name in chosen)


def show_verifier() -> None:
    """Draw the address of the LanguageTool server that errors of grammar are checked by."""
    show_feedback("vary_server")
    server = open_workbench().vary.server()
    if "vary_server" not in st.session_state:
        st.session_state["vary_server"] = server
    with st.container(horizontal=True, vertical_alignment="bottom"):
        help = "Errors of grammar are checked there: questions are sent to it."
        st.text_input("LanguageTool server", key="vary_server", placeholder="http://127.0.0.1:8081", width=340, help=help)
        may, is_set = "set the rules of the work", st.session_state["vary_server"].strip() == server
        draw_button("Set", "vary_server_set", _set_server, requires=may, disabled=is_set)
    if not server:
        st.caption("Without a server, or a local LanguageTool, errors of grammar are made and say unverified.")


def _choose(name: str, label: str, options: Sequence[str], any_label: str, width: int, default: str = ANY) -> str | None:
    every = dict.fromkeys((ANY, *options, word(name, default)))  # the address may hold one that no item has any more
    labels = {option: any_label if option == ANY else option.replace("_", " ") for option in every}
    value = choose(st, label, name, labels, f"vary_{name}", default=default, width=width)
    return None if value == ANY else value


def _tick(names: tuple[str, ...]) -> None:
    ticked = [name for name in names if st.session_state[f"vary_kind_{name}"]]
    put(kind=ticked, kinds=None if ticked else "none")


def _set_server() -> None:
    with keep_errors("vary_server"):
        open_workbench().vary.set_server(st.session_state["vary_server"])
