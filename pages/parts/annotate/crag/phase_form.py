"""The form for a web question in one phase of its review: its web pages, its labels or answers, and the changes that reviewers
propose."""

from collections.abc import Callable, Mapping
from functools import partial
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
"""Height in pixels of the box in which a long web page scrolls."""
MAX_WHOLE_PAGE_CHARACTERS = 600
"""Maximum length in characters of a web page that is shown whole, without a scroll bar."""
WHY = "Reason (optional; required for a discard)"
ANSWERS = "Answers, one per line; the first is the gold answer"
FEEDBACK = "phase"
KEYS = (
    ("a", "Accept the question as it is, or store it with your changes"),
    ("x", "Discard the question; write a reason first"),
    ("n", "Leave this question for later and go to the next one"),
    ("q", "Go to the question box, in the first phase"),
    ("w", "Go to the answers box, in the second phase"),
    ("c", "Go to the line for the reason"),
    ("Esc", "Leave a box"),
)
"""Keys of the form with their actions, for the help that the key `?` opens."""


def show(sheet: PhaseSheet, who: str) -> None:
    """Show the guideline and web pages on the left, and the form on the right; a person without a name can only read the
    question."""
    key = f"phase_{sheet.item.id}_{sheet.phase}"
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        beside.show(sheet.item.task, who)
        labels.show_meanings()
        _show_pages(sheet, key)
    with right:
        st.subheader(TITLES[sheet.phase], anchor=False)
        waits = "question waits" if sheet.left == 1 else "questions wait"
        asked_at = sheet.item.labels.get("query_time") or "no time given"
        st.caption(escape(f"{sheet.left:,} {waits} for you · asked at {asked_at}"))
        for opinion in sheet.opinions:
            _show_opinion(opinion, sheet.values)
        keep = partial(_keep_form, sheet, key)
        draw = _draw_labels if sheet.phase == "labels" else _draw_answers
        values = draw(sheet, _read_shown(sheet, key), key, keep)
        st.text_input(WHY, _read_comment(sheet, key), key=f"{key}_comment", on_change=keep)
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


def _draw_labels(sheet: PhaseSheet, shown: Mapping[str, Json], key: str, keep: Callable[[], None]) -> dict[str, Json]:
    st.text_area("Question", str(shown["question"]), key=f"{key}_question", on_change=keep, height=80)
    labels.show(shown, key, ("domain", "question_type"), keep)
    labels.show(shown, key, ("static_or_dynamic", "popularity"), keep)
    return _read_form(sheet, key)


def _draw_answers(sheet: PhaseSheet, shown: Mapping[str, Json], key: str, keep: Callable[[], None]) -> dict[str, Json]:
    item = sheet.item
    st.text_area("Question", item.question, key=f"{key}_question", height=80, disabled=True)
    values = [f"{crag.NAMES[name]}: {item.labels.get(name) or '–'}" for name in crag.LABELS]
    st.caption(escape(" · ".join([f"Domain: {item.domain}", *values])))
    st.text_area(ANSWERS, _join(shown["answers"], "\n"), key=f"{key}_answers", on_change=keep, height=110)
    below = st.container()
    st.text_input("Page with the answer (URL)", str(shown["answer_url"]), key=f"{key}_url", on_change=keep)
    form = _read_form(sheet, key)
    gold = _join(form["answers"], "\n").partition("\n")[0]
    if gold and (why := crag.explain_unanswering(gold)):
        with below:
            show_warning(f"The gold {why}.")
    return form


def _read_form(sheet: PhaseSheet, key: str) -> dict[str, Json]:
    """Return the values in the boxes of the form, including text typed just before a button press."""
    shown, state = _read_shown(sheet, key), st.session_state
    if sheet.phase == "labels":
        return {name: state.get(f"{key}_{name}", shown[name]) for name in ("question", "domain", *crag.LABELS)}
    lines = state.get(f"{key}_answers", _join(shown["answers"], "\n")).splitlines()
    answers = [line.strip() for line in lines if line.strip()]
    return {"answers": answers, "answer_url": str(state.get(f"{key}_url", shown["answer_url"])).strip()}


def _read_comment(sheet: PhaseSheet, key: str) -> str:
    return str(st.session_state.get(f"{key}_comment", _read_shown(sheet, key)["comment"]))


def _read_shown(sheet: PhaseSheet, key: str) -> dict[str, Json]:
    """Return the values to show in the boxes of the form: the values of the question, or those that the person typed in their
    place."""
    return {**sheet.values, "comment": "", **_unsent_forms().get(key, {})}


def _unsent_forms() -> dict[str, dict[str, Json]]:
    """Return a dict from form key to the typed values of that form that are not stored yet. The dict is needed because
    Streamlit loses the values of boxes that a run did not show, for example after the connection breaks."""
    forms: dict[str, dict[str, Json]] = st.session_state.setdefault("phase_unsent_forms", {})
    return forms


def _keep_form(sheet: PhaseSheet, key: str) -> None:
    _unsent_forms()[key] = {**_read_form(sheet, key), "comment": _read_comment(sheet, key)}


def _show_opinion(opinion: ShownPhaseOpinion, current: Mapping[str, Json]) -> None:
    """Show a reviewer's opinion: the values that the opinion proposes in place of the values in `current`, or the proposal to
    discard the question."""
    values = opinion.values
    with st.container(border=True):
        st.markdown(f"**{escape(opinion.person)}**")
        if values == DISCARD:
            st.text("would discard the question")
        elif values == current:
            st.text("accepts the question without changes")
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
    comment = _read_comment(sheet, key)
    with keep_errors(FEEDBACK):
        outcome = open_workbench().phases.say(PhaseOpinion(uuid4().hex, who, sheet.item.id, sheet.phase, values, comment))
        _unsent_forms().pop(key, None)
        keep_success(FEEDBACK, f"Stored: {outcome}.")


def _skip(sheet: PhaseSheet) -> None:
    st.session_state["phase_after"] = sheet.item.id
