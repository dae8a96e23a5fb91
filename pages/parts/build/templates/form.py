"""The form of a template. Every change is kept: words a quarter of a second after the last key, choices at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality.crag import DYNAMISMS, QUESTION_TYPES
from core.tables.world import Tables
from pages.parts.build.templates.listing import OF
from pages.parts.ui.allowed import kept
from pages.parts.ui.in_url import put
from pages.parts.ui.say import caution, plain
from workbench import opened
from workbench.build.templates.templates import TemplateDraft

LEVELS = {
    "KS": "Seeking: a fact is found.",
    "KU": "Understanding: something is made of what was found.",
    "KA": "Application: several steps lead to it.",
}
LANGUAGES = {"en": "English", "zh": "Chinese"}
_FITS = {"comparison": ("subject", "other", "condition"), "false_premise": ("subject", "false")}
"""What a slot can be for, by kind; of any other kind a subject or a condition."""
PLAIN = ("id", "text", "table", "kind", "level", "language", "domain", "dynamism", "answer", "measure", "minus", "unit")


def show(who: str, draft: TemplateDraft, world: Tables) -> dict[str, Any]:
    """Draw it; returns the record of the template as it stands."""
    key, now, stage = f"template_{draft.id}", dict(draft.content), opened().templates
    choices = stage.choices()

    def keep() -> None:
        state = st.session_state
        fields: dict[str, Any] = {name: state[f"{key}_{name}"] or "" for name in PLAIN if f"{key}_{name}" in state}
        if f"{key}_several" in state:
            fields["several"] = "set" if state[f"{key}_several"] else "refuse"
        slots = dict(now["slots"])
        for name in _places(fields.get("text", now["text"])):
            slots[name] = {
                part: state.get(f"{key}_{part}_{name}", (slots.get(name) or {}).get(part, begins))
                for part, begins in (("path", ""), ("of", "subject"))
            }
            slots[name] = {part: value or "" for part, value in slots[name].items()}
        try:
            stage.keep(who, draft.id, {**fields, "slots": slots})
        except BenchError as error:
            state["templates_trouble"] = str(error)

    st.text_input(
        "Question, with a {place} for whatever changes",
        now["text"],
        key=f"{key}_text",
        on_change=keep,
        live=True,
        placeholder="In what year was {company} founded?",
    )
    name, table, kind = st.columns([1.2, 1, 1.2])
    with name:
        st.text_input(
            "Name",
            now["id"],
            key=f"{key}_id",
            on_change=keep,
            live=True,
            placeholder="company_founded",
            help="Letters, digits and _. Saved under a name that is there, it is a new version.",
        )
    with table:
        _one("Table", f"{key}_table", list(world), now["table"], keep, help="Whose rows the questions are about.")
    with kind:
        _one("Kind", f"{key}_kind", choices["kind"], now["kind"], keep)
    st.caption(plain(QUESTION_TYPES[now["kind"]]))
    paths = stage.paths(now["table"], world)
    _slots(key, now, paths, stage.conditions(now["table"], now["answer"], world), keep)
    _answer(key, now, paths, choices, keep)
    level, language, domain, dynamism = st.columns([0.8, 1, 1, 1.2])
    with level:
        _one("Level", f"{key}_level", choices["level"], now["level"], keep, help=_lines(LEVELS))
    with language:
        _one("Language", f"{key}_language", choices["language"], now["language"], keep, LANGUAGES.get)
    with domain:
        st.text_input("Domain", now["domain"], key=f"{key}_domain", on_change=keep, live=True)
    with dynamism:
        _one(
            "Answer changes",
            f"{key}_dynamism",
            choices["dynamism"],
            now["dynamism"],
            keep,
            lambda one: one or "not labelled",
            help=_lines(DYNAMISMS),
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Save as a version",
            type="primary",
            icon=":material/save:",
            key=f"{key}_save",
            on_click=_save,
            args=(who, draft.id),
            **kept("draft items"),
        )
        st.button(
            "Throw away", icon=":material/delete:", key=f"{key}_drop", type="tertiary", on_click=_drop, args=(who, draft.id)
        )
        st.caption(plain(f"Kept at {draft.saved_at[11:19]} UTC{f', changes {draft.of}' if draft.of else ''}."))
    return stage.written(draft)


def _lines(meanings: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {what}" for name, what in meanings.items())


def _places(text: str) -> list[str]:
    try:
        return opened().templates.places(text)
    except BenchError:  # said beside the slots
        return []


def _slots(
    key: str, now: Mapping[str, Any], paths: Mapping[str, str], conditions: Sequence[str], keep: Callable[[], None]
) -> None:
    """A row for each place of the words."""
    try:
        named = opened().templates.places(now["text"])
    except BenchError as error:
        caution(str(error))
        return
    fits = _FITS.get(now["kind"], ("subject", "condition"))
    for name in named:
        slot = now["slots"].get(name) or {"path": "", "of": "subject"}
        what, path, of = st.columns([0.7, 1.4, 1.3], vertical_alignment="bottom")
        what.markdown(f"**{{{plain(name)}}}**")
        with path:
            options = conditions if slot["of"] == "condition" else [one for one, kind in paths.items() if kind != "rows"]
            _path("Filled by", f"{key}_path_{name}", options, slot["path"], keep)
        with of:
            _one("It", f"{key}_of_{name}", list(dict.fromkeys([*fits, slot["of"]])), slot["of"], keep, OF.get)


def _answer(
    key: str, now: Mapping[str, Any], paths: Mapping[str, str], choices: Mapping[str, Sequence[str]], keep: Callable[[], None]
) -> None:
    """What the kind needs for its answer."""
    kind = now["kind"]
    if kind == "false_premise":
        st.caption("The answer is “invalid question”, for what it takes for granted is not so.")
        return
    is_counted = kind == "aggregation" and now["measure"] == "count"
    options = [path for path, held in paths.items() if held != "rows" or is_counted]
    columns = st.columns([1.6, 1, 1.2] if kind == "post-processing" else [1.6, 1.2], vertical_alignment="bottom")
    with columns[0]:
        _path(
            "What is compared" if kind == "comparison" else "Answer",
            f"{key}_answer",
            options,
            now["answer"],
            keep,
            "A column, or relation.column over up to three relations.",
        )
    if kind in ("aggregation", "comparison"):
        with columns[1]:
            measures = choices["measure"] if kind == "aggregation" else ("max", "min")
            _one(
                "How" if kind == "aggregation" else "Which one",
                f"{key}_measure",
                ["", *measures],
                now["measure"],
                keep,
                lambda one: {"": "choose", "max": "the highest", "min": "the lowest"}.get(one, one),
            )
    elif kind == "post-processing":
        with columns[1]:
            _one("Reckoned in", f"{key}_unit", choices["unit"], now["unit"], keep)
        with columns[2]:
            _path("Minus", f"{key}_minus", options, now["minus"], keep)
    elif kind != "set":
        with columns[1]:
            st.toggle(
                "Several are a set",
                now["several"] == "set",
                key=f"{key}_several",
                on_change=keep,
                help="Else a row with several answers gives no question.",
            )


def _path(label: str, key: str, options: Sequence[str], value: str, keep: Callable[[], None], help: str | None = None) -> None:
    """A path, chosen or typed."""
    every = list(dict.fromkeys([*options, value] if value else options))
    st.selectbox(
        label,
        every,
        index=every.index(value) if value else None,
        key=key,
        on_change=keep,
        help=help,
        placeholder="choose or type",
        accept_new_options=True,
        filter_mode="contains",
    )


def _one(
    label: str,
    key: str,
    options: Sequence[str],
    value: str,
    keep: Callable[[], None],
    named: Callable[[str], str | None] = lambda one: one,
    help: str | None = None,
) -> None:
    """One of a closed list."""
    st.selectbox(
        label,
        list(options),
        index=list(options).index(value) if value in options else None,
        key=key,
        help=help,
        on_change=keep,
        format_func=lambda one: str(named(one)),
        placeholder="choose",
    )


def _save(who: str, id_: str) -> None:
    try:
        card = opened().templates.hand_in(who, id_)
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)
        return
    put(view="list", draft=None, template=card["id"])
    number = "its first version" if card["versions"] == 1 else f"version {card['versions']}"
    st.session_state["templates_said"] = f"{card['id']} is saved: {number}."


def _drop(who: str, id_: str) -> None:
    opened().templates.drop(who, id_)
    put(draft=None)
