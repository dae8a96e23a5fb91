"""One question in one phase of its review: its pages, its values, and what one person would change of them."""

from collections.abc import Mapping
from uuid import uuid4

import streamlit as st

from core.as_json import Json
from core.quality import crag
from pages.parts.annotate.crag import labels
from pages.parts.setup.guideline import beside
from pages.parts.ui import box_keys, plain_text
from pages.parts.ui.feedback import keep_errors, keep_success
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench
from workbench.annotate.reviewing.phases import DISCARD, PhaseOpinion, PhaseSheet, ShownPhaseOpinion

TITLES = {"labels": "Phase 1: the question and its labels", "answers": "Phase 2: its answers"}
MAX_PAGE_CHARACTERS = 20_000
PAGE_HEIGHT_PIXELS = 320
"""Within which a longer page scrolls."""
MAX_WHOLE_PAGE_CHARACTERS = 600
"""Of a page that is shown without scrolling."""
WHY = "Why, if you like; a discard needs it"
ANSWERS = "Answers, one a line, the first is the gold"
FEEDBACK = "phase"
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
    """Draw guideline and pages on the left, the form on the right; without a name it can be read alone."""
    key = f"phase_{sheet.item.id}_{sheet.phase}"
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        beside.show(sheet.item.task, who)
        labels.show_meanings()
        _show_pages(sheet, key)
    with right:
        st.subheader(TITLES[sheet.phase], anchor=False)
        waits = "waits" if sheet.left == 1 else "wait"
        asked_at = sheet.item.labels.get("query_time") or "no time given"
        st.caption(escape(f"{sheet.left:,} {waits} for you · asked at {asked_at}"))
        for opinion in sheet.opinions:
            _show_opinion(opinion, sheet.values)
        values = _show_labels(sheet, key) if sheet.phase == "labels" else _show_answers(sheet, key)
        st.text_input(WHY, key=f"{key}_comment")
        with st.container(horizontal=True):
            st.button(
                "Store it with my changes" if values != sheet.values else "Right as it stands",
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
            st.button("Later", key=f"{key}_later", type="tertiary", on_click=_skip, args=(sheet,), shortcut="n")
    box_keys.show_box_keys({"c": WHY, **({"q": "Question"} if sheet.phase == "labels" else {"w": ANSWERS})}, f"{key}_keys")


def _show_pages(sheet: PhaseSheet, key: str) -> None:
    st.subheader(f"Pages ({len(sheet.pages)})", anchor=False)
    for page in sheet.pages:
        title = f"{page.rank}. {page.title or 'a page without text'}"
        with st.expander(escape(title[:110]), page.rank == 1, key=f"{key}_page_{page.rank}"):
            plain_text.show_caption(page.url or "no URL", f"{key}_url_{page.rank}")
            if page.document:
                words = open_workbench().corpus.document(page.document).text[:MAX_PAGE_CHARACTERS]
                is_short = len(words) <= MAX_WHOLE_PAGE_CHARACTERS
                with st.container(height="content" if is_short else PAGE_HEIGHT_PIXELS):
                    plain_text.show(words, f"{key}_text_{page.rank}")


def _show_labels(sheet: PhaseSheet, key: str) -> dict[str, Json]:
    st.text_area("Question", str(sheet.values["question"]), key=f"{key}_question", height=80)
    labels.show(sheet.values, key, ("domain", "question_type"))
    labels.show(sheet.values, key, ("static_or_dynamic", "popularity"))
    return _read_form(sheet, key)


def _show_answers(sheet: PhaseSheet, key: str) -> dict[str, Json]:
    item = sheet.item
    st.text_area("Question", item.question, key=f"{key}_question", height=80, disabled=True)
    values = [f"{crag.NAMES[name]}: {item.labels.get(name) or '–'}" for name in crag.LABELS]
    st.caption(escape(" · ".join([f"Domain: {item.domain}", *values])))
    st.text_area(ANSWERS, _join(sheet.values["answers"], "\n"), key=f"{key}_answers", height=110)
    below = st.container()
    st.text_input("Where the answer stands (URL)", str(sheet.values["answer_url"]), key=f"{key}_url")
    form = _read_form(sheet, key)
    gold = _join(form["answers"], "\n").partition("\n")[0]
    if gold and (why := crag.explain_unanswering(gold)):
        with below:
            show_warning(f"The gold {why}.")
    return form


def _read_form(sheet: PhaseSheet, key: str) -> dict[str, Json]:
    """The values in the boxes now: a press may come before the page has drawn what was typed just before."""
    state = st.session_state
    if sheet.phase == "labels":
        return {name: state[f"{key}_{name}"] for name in ("question", "domain", *crag.LABELS)}
    answers = [line.strip() for line in state[f"{key}_answers"].splitlines() if line.strip()]
    return {"answers": answers, "answer_url": state[f"{key}_url"].strip()}


def _show_opinion(opinion: ShownPhaseOpinion, current: Mapping[str, Json]) -> None:
    """What one of the two would change, or that they would discard it."""
    values = opinion.values
    with st.container(border=True):
        st.markdown(f"**{escape(opinion.person)}**")
        if values == DISCARD:
            st.text("would discard it")
        elif values == current:
            st.text("takes it as it is")
        else:
            for name, value in values.items():
                if value != current[name]:
                    label = crag.NAMES.get(name, name.replace("_", " ").capitalize())
                    st.text(f"{label}: {_join(value, '; ') or '–'}")
        if opinion.comment:
            st.caption(escape(opinion.comment))


def _join(value: Json, separator: str) -> str:
    return separator.join(map(str, value)) if isinstance(value, list) else str(value or "")


def _say(sheet: PhaseSheet, who: str, key: str, is_discard: bool = False) -> None:
    values = None if is_discard else _read_form(sheet, key)
    comment = st.session_state[f"{key}_comment"]
    with keep_errors(FEEDBACK):
        outcome = open_workbench().phases.say(PhaseOpinion(uuid4().hex, who, sheet.item.id, sheet.phase, values, comment))
        keep_success(FEEDBACK, f"Stored: {outcome}.")


def _skip(sheet: PhaseSheet) -> None:
    st.session_state["phase_after"] = sheet.item.id
