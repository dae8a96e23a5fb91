"""The choices of the page Vary: the items, by task, domain, status and release; the kinds of variants, with what each kind does
and whether it asks an agent; and the grammar checker."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from core.errors import BenchError
from core.text.language import language_name
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.in_url import choose, read_word, read_words, write_address
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.build.varying.varying import KindCard, VaryRequest
from workbench.setup.grammar_checker import HERE, NONE

GROUPS = {
    "Noise": ("spelling", "keyboard", "ocr"),
    "Grammar": ("grammar",),
    "Style": ("formality", "readability"),
    "Sentence type": ("declarative", "imperative"),
}
CHECKERS = {
    HERE: "LanguageTool, started on this machine, checks each grammar error.",
    NONE: "Grammar errors are not checked: each variant is marked as unverified.",
}
STATUSES = ("accepted", "drafted", "refused", "discarded")
ANY = "any"


class Selection(NamedTuple):
    """The choice of the items to vary; None means any value."""

    task: str | None
    domain: str | None
    status: str | None
    release: str | None


def choose_items() -> Selection:
    """Show the choice of the items with the number of items chosen, and return the choice, which is stored in the page's
    URL."""
    bench = open_workbench()
    choices = bench.find.choices()
    releases = (
        [header.name for header in bench.release_browser.list_releases()]
        if not bench.people.explain_refusal("see releases")
        else []
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        task = _choose("task", "Task", list(map(str, choices["task"])), "any", 240)
        domain = _choose("domain", "Domain", list(map(str, choices["domain"])), "any", 170)
        status = _choose("status", "Status", STATUSES, "any", 140, "accepted")
        release = _choose("release", "Release", releases, "any, or none", 170) if releases else None
        chosen = Selection(task, domain, status, release)
        try:
            languages = bench.vary.count_languages(VaryRequest(kinds=(), **chosen._asdict()))
        except BenchError as error:
            st.caption(escape(str(error)))
            return chosen
        each = ", ".join(f"{n:,} {language_name(name)}" for name, n in languages.items())
        total = f"**{count_things(sum(languages.values()), 'item')}**"
        st.markdown(f"{total} ({escape(each)})" if each else total, width="content")
    return chosen


def choose_kinds(cards: Mapping[str, KindCard]) -> tuple[str, ...]:
    """Show the kinds of variants each with a checkbox, and return the ticked kinds."""
    grouped = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, "Other": tuple(name for name in cards if name not in grouped)}
    chosen = [name for name in read_words("kind") if name in cards] or ([] if "kinds" in st.query_params else ["spelling"])
    with st.container(border=True, gap="small"):
        groups = {group: names for group, names in groups.items() if names}
        for column, (group, names) in zip(st.columns(len(groups)), groups.items(), strict=True):
            column.markdown(f"**{group}**")
            for name in names:
                card = cards[name]
                st.session_state[f"vary_kind_{name}"] = name in chosen
                only = " and ".join(map(language_name, card.languages))
                about = " ".join((card.about, "Asks an agent." if card.asks else "Free.", f"{only} only." if only else ""))
                with column.container(gap=None):
                    st.checkbox(card.label, key=f"vary_kind_{name}", on_change=_tick, args=(tuple(cards),))
                    st.caption(escape(about))
    return tuple(name for name in cards if name in chosen)


def show_checker() -> str | None:
    """Show a description of how grammar errors are checked, and the choice of an agent for a second opinion; return the agent's
    name, or None."""
    server = open_workbench().grammar_checker.find_server()
    checker, opinion, _ = st.columns([4, 3, 2.8])
    with checker.container(gap="xsmall"):
        st.caption(
            escape(CHECKERS.get(server) or f"LanguageTool at {server} checks each grammar error: questions are sent there.")
        )
        if server != NONE:
            st.caption(
                "A variant of this kind must have grammatical errors. The checker finds half of the real errors in English and "
                'almost none in Chinese, so a variant marked "unverified" can still have one. When it finds no error in an '
                "English variant, another variant is requested, at most three times."
            )
        draw_link("setup/agents", "Choose a checker", "spellcheck")
    with opinion:
        judge = agent_picker.show("Second opinion", "vary_judge", optional=True)
        if judge:
            st.caption(
                "This agent judges whether each variant has a grammar error, and which error; the agent's verdict is stored "
                "beside the checker's verdict."
            )
    return judge


def _choose(name: str, label: str, options: Sequence[str], any_label: str, width: int, default: str = ANY) -> str | None:
    every = dict.fromkeys((ANY, *options, read_word(name, default)))  # the URL may contain a value that no item has any more
    labels = {option: any_label if option == ANY else option.replace("_", " ") for option in every}
    value = choose(st, label, name, labels, f"vary_{name}", default=default, width=width)
    return None if value == ANY else value


def _tick(names: tuple[str, ...]) -> None:
    ticked = [name for name in names if st.session_state[f"vary_kind_{name}"]]
    write_address(kind=ticked, kinds=None if ticked else "none")
