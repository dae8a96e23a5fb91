"""One question in one phase of its review: the pages it came with, the values as they stand, and what one says of them."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import uuid4

import streamlit as st

from core.errors import BenchError
from core.quality import crag
from pages.parts.annotate.crag import labels
from pages.parts.setup.guideline import beside
from pages.parts.ui import box_keys, plain_text
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench
from workbench.annotate.reviewing.phases import DISCARD, PhaseOpinion, PhaseSheet

TITLES = {"labels": "Phase 1: the question and its labels", "answers": "Phase 2: its answers"}
LONGEST = 20_000
"""Characters of a page that are shown."""
PAGE_HEIGHT = 320
"""Pixels within which a longer page scrolls."""
SHORT_PAGE = 600
"""Characters of a page that is shown whole."""
WHY = "Why, if you like; a discard needs it"
ANSWERS = "Answers, one a line, the first is the gold"
KEYS = (
    ("a", "Right as it stands; store it with your changes"),
    ("x", "Discard the question; say why first"),
    ("n", "Later: the next question"),
    ("q", "Into the question, in the first phase"),
    ("w", "Into the answers, in the second phase"),
    ("c", "Into the line for why"),
    ("Esc", "Out of a box"),
)
"""What the keys do, for the help on `?`."""


def show(sheet: PhaseSheet, who: str) -> None:
    """Guideline and pages on the left, the form on the right; without a name it can be read alone."""
    key = f"phase_{sheet.item.id}_{sheet.phase}"
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        beside.show(sheet.item.task, who)
        labels.meanings()
        _pages(sheet, key)
    with right:
        st.subheader(TITLES[sheet.phase], anchor=False)
        waits = "waits" if sheet.left == 1 else "wait"
        asked = sheet.item.labels.get("query_time") or "no time given"
        st.caption(escape(f"{sheet.left:,} {waits} for you · asked at {asked}"))
        for opinion in sheet.opinions:
            _opinion(opinion, sheet.values)
        keep = partial(_keep, sheet, key)
        shown = _shown(sheet, key)
        values = _labels(sheet, shown, key, keep) if sheet.phase == "labels" else _answers(sheet, shown, key, keep)
        st.text_input(WHY, shown["comment"], key=f"{key}_comment", on_change=keep)
        with st.container(horizontal=True):
            is_changed = values != sheet.values
            st.button(
                "Store it with my changes" if is_changed else "Right as it stands",
                type="primary",
                key=f"{key}_say",
                icon=":material/check:",
                on_click=_say,
                args=(sheet, who, key),
                shortcut="a",
                disabled=not who,
            )
            st.button(
                "Discard the question",
                key=f"{key}_discard",
                icon=":material/delete:",
                on_click=_say,
                args=(sheet, who, key, True),
                shortcut="x",
                disabled=not who,
            )
            st.button("Later", key=f"{key}_later", type="tertiary", on_click=_later, args=(sheet,), shortcut="n")
    box_keys.show_box_keys({"c": WHY, **({"q": "Question"} if sheet.phase == "labels" else {"w": ANSWERS})}, f"{key}_keys")


def _pages(sheet: PhaseSheet, key: str) -> None:
    st.subheader(f"Pages ({len(sheet.pages)})", anchor=False)
    for page in sheet.pages:
        title = f"{page['rank']}. {page['title'] or 'a page without text'}"
        with st.expander(escape(title[:110]), page["rank"] == 1, key=f"{key}_page_{page['rank']}"):
            plain_text.show_caption(page["url"] or "no URL", f"{key}_url_{page['rank']}")
            if page["document"]:
                words = open_workbench().corpus.document(page["document"]).text[:LONGEST]
                with st.container(height=PAGE_HEIGHT if len(words) > SHORT_PAGE else "content"):
                    plain_text.show(words, f"{key}_text_{page['rank']}")


def _labels(sheet: PhaseSheet, shown: Mapping[str, Any], key: str, keep: Callable[[], None]) -> dict[str, Any]:
    st.text_area("Question", shown["question"], key=f"{key}_question", on_change=keep, height=80)
    labels.show(shown, key, ("domain", "question_type"), keep)
    labels.show(shown, key, ("static_or_dynamic", "popularity"), keep)
    return _in_the_form(sheet, key)


def _answers(sheet: PhaseSheet, shown: Mapping[str, Any], key: str, keep: Callable[[], None]) -> dict[str, Any]:
    st.text_area("Question", sheet.item.question, key=f"{key}_question", height=80, disabled=True)
    told = [f"{crag.NAMES[name]}: {sheet.item.labels.get(name) or '–'}" for name in crag.LABELS]
    st.caption(escape(" · ".join([f"Domain: {sheet.item.domain}", *told])))
    st.text_area(ANSWERS, "\n".join(shown["answers"]), key=f"{key}_answers", on_change=keep, height=110)
    gold = st.container()
    st.text_input("Where the answer stands (URL)", shown["answer_url"], key=f"{key}_url", on_change=keep)
    found = _in_the_form(sheet, key)
    if found["answers"] and (why := crag.explain_unanswering(found["answers"][0])):
        with gold:
            show_warning(f"The gold {why}.")
    return found


def _in_the_form(sheet: PhaseSheet, key: str) -> dict[str, Any]:
    """The values as they stand in the boxes now: a press reads them anew, for it may come before the page has drawn what was
    typed just before."""
    shown, now = _shown(sheet, key), st.session_state
    if sheet.phase == "labels":
        return {name: now.get(f"{key}_{name}", shown[name]) for name in ("question", "domain", *crag.LABELS)}
    answers = [line.strip() for line in now.get(f"{key}_answers", "\n".join(shown["answers"])).splitlines() if line.strip()]
    return {"answers": answers, "answer_url": now.get(f"{key}_url", shown["answer_url"]).strip()}


def _comment(sheet: PhaseSheet, key: str) -> str:
    return str(st.session_state.get(f"{key}_comment", _shown(sheet, key)["comment"]))


def _shown(sheet: PhaseSheet, key: str) -> dict[str, Any]:
    """What the boxes begin with: the values as they stand, and what was typed over them."""
    return {**sheet.values, "comment": "", **_kept().get(key, {})}


def _kept() -> dict[str, dict[str, Any]]:
    """What was typed and not stored, by form: Streamlit forgets the values of boxes that a run did not draw, as when the
    connection breaks."""
    kept: dict[str, dict[str, Any]] = st.session_state.setdefault("phase_words", {})
    return kept


def _keep(sheet: PhaseSheet, key: str) -> None:
    _kept()[key] = {**_in_the_form(sheet, key), "comment": _comment(sheet, key)}


def _opinion(opinion: dict[str, Any] | Any, values: Any) -> None:
    """What one of the two said: what they would change, or that it goes."""
    with st.container(border=True):
        st.markdown(f"**{escape(opinion['person'])}**")
        said = opinion["values"]
        if said == DISCARD:
            st.text("would discard it")
        elif said == values:
            st.text("takes it as it is")
        for name, value in said.items():
            if said != DISCARD and value != values[name]:
                st.text(f"{crag.NAMES.get(name, name.replace('_', ' ').capitalize())}: {_words(value)}")
        if opinion["comment"]:
            st.caption(escape(opinion["comment"]))


def _words(value: Any) -> str:
    return "; ".join(value) if isinstance(value, list) else str(value or "–")


def _say(sheet: PhaseSheet, who: str, key: str, is_discard: bool = False) -> None:
    values = None if is_discard else _in_the_form(sheet, key)
    comment = _comment(sheet, key)
    try:
        told = open_workbench().phases.say(PhaseOpinion(uuid4().hex, who, sheet.item.id, sheet.phase, values, comment))
    except BenchError as error:
        st.session_state["phase_trouble"] = str(error)
        return
    _kept().pop(key, None)
    st.session_state["phase_said"] = f"Stored: {told}."


def _later(sheet: PhaseSheet) -> None:
    st.session_state["phase_after"] = sheet.item.id
