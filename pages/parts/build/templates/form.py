"""The form of a template. Every change is stored: typed text a quarter of a second after the last keystroke, choices at
once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality.crag import DYNAMISMS, QUESTION_TYPES
from core.tables.world import Tables
from core.text.language import language_name
from pages.parts.build.templates.listing import ROLES
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success
from pages.parts.ui.in_url import write_address
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench
from workbench.build.templates.templates import TemplateDraft

LEVELS = {
    "KS": "Seeking: the answer is a fact to find.",
    "KU": "Understanding: the answer is computed from facts that were found.",
    "KA": "Application: several steps lead to the answer.",
}
_ROLES_BY_KIND = {"comparison": ("subject", "other", "condition"), "false_premise": ("subject", "false")}
"""Dict from kind of template to the roles that its placeholders can have. In a template of any other kind, a placeholder is a
subject or a condition."""


@dataclass(frozen=True, slots=True)
class TemplateForm:
    """The widgets for one draft of a template; each change calls `keep`, which updates `content`."""

    who: str
    draft: TemplateDraft
    world: Tables

    @property
    def key(self) -> str:
        return f"template_{self.draft.id}"

    @property
    def content(self) -> Mapping[str, Any]:
        return self.draft.content

    def keep(self) -> None:
        """Store the values of the form's widgets in the draft."""
        state, key = st.session_state, self.key
        plain_fields = [name for name in self.content if name not in ("slots", "several") and f"{key}_{name}" in state]
        fields: dict[str, Any] = {name: state[f"{key}_{name}"] or "" for name in plain_fields}
        if f"{key}_several" in state:
            fields["several"] = "set" if state[f"{key}_several"] else "refuse"
        slots = dict(self.content["slots"])
        for name in self.list_places(fields.get("text", self.content["text"])):
            before = slots.get(name) or {}
            parts = {"path": before.get("path", ""), "of": before.get("of", "subject")}
            slots[name] = {part: state.get(f"{key}_{part}_{name}", value) or "" for part, value in parts.items()}
        with keep_errors("templates"):
            open_workbench().templates.keep(self.who, self.draft.id, {**fields, "slots": slots})

    def list_places(self, text: str) -> list[str]:
        """Return the names of the placeholders in the text, or an empty list if a brace is missing or misplaced; the form
        reports this error in its list of placeholders."""
        try:
            return open_workbench().templates.places(text)
        except BenchError:
            return []

    def type_text(self, place: Any, label: str, name: str, **options: Any) -> None:
        """Show a text field for the part `name` of the template, which stores each change."""
        place.text_input(label, self.content[name], key=f"{self.key}_{name}", on_change=self.keep, live=True, **options)

    def choose(
        self, place: Any, label: str, name: str, options: Sequence[str], value: str, labels: Any = str, help: str | None = None
    ) -> None:
        """Show a select box with a fixed list of options; `labels` returns the display text of an option."""
        place.selectbox(
            label,
            list(options),
            index=list(options).index(value) if value in options else None,
            key=f"{self.key}_{name}",
            help=help,
            on_change=self.keep,
            format_func=lambda option: str(labels(option)),
            placeholder="choose",
        )

    def choose_path(
        self, place: Any, label: str, name: str, options: Sequence[str], value: str, help: str | None = None
    ) -> None:
        """Show a select box for a column path, into which a person can also type a path."""
        every = list(dict.fromkeys([*options, value] if value else options))
        place.selectbox(
            label,
            every,
            index=every.index(value) if value else None,
            key=f"{self.key}_{name}",
            on_change=self.keep,
            help=help,
            placeholder="choose or type",
            accept_new_options=True,
            filter_mode="contains",
        )


def show(who: str, draft: TemplateDraft, world: Tables) -> Mapping[str, Any]:
    """Show the form of a draft, and return the template in the form as a dict."""
    form, stage = TemplateForm(who, draft, world), open_workbench().templates
    now, choices = form.content, stage.choices()
    placeholder = "In what year was {company} founded?"
    form.type_text(st, "Question, with a {placeholder} for each part that changes", "text", placeholder=placeholder)
    name, table, kind = st.columns([1.2, 1, 1.2])
    help = "Letters, digits and _. Saving under an existing name makes a new version."
    form.type_text(name, "Name", "id", placeholder="company_founded", help=help)
    form.choose(table, "Table", "table", list(world), now["table"], help="Table whose rows the questions are about.")
    form.choose(kind, "Kind", "kind", choices["kind"], now["kind"])
    st.caption(escape(QUESTION_TYPES[now["kind"]]))
    paths = stage.paths(now["table"], world)
    _draw_slots(form, paths)
    _draw_answer(form, paths, choices)
    level, language, domain, dynamism = st.columns([0.8, 1, 1, 1.2])
    form.choose(level, "Level", "level", choices["level"], now["level"], help=_list_meanings(LEVELS))
    form.choose(language, "Language", "language", choices["language"], now["language"], language_name)
    form.type_text(domain, "Domain", "domain")
    named, help = (lambda option: option or "not labelled"), _list_meanings(DYNAMISMS)
    form.choose(dynamism, "Answer changes", "dynamism", choices["dynamism"], now["dynamism"], named, help)
    with st.container(horizontal=True, vertical_alignment="center"):
        key, may = form.key, "draft items"
        draw_button("Save as a version", f"{key}_save", _save, who, draft.id, icon="save", is_primary=True, requires=may)
        draw_button("Delete the draft", f"{key}_drop", _drop, who, draft.id, icon="delete", type="tertiary")
        st.caption(escape(f"Draft saved at {draft.saved_at[11:19]} UTC.{f' It revises {draft.of}.' if draft.of else ''}"))
    return stage.read_form(draft)


def _list_meanings(meanings: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {meaning}" for name, meaning in meanings.items())


def _draw_slots(form: TemplateForm, paths: Mapping[str, str]) -> None:
    """Show a row for each placeholder in the question, with the column that fills it."""
    now, stage = form.content, open_workbench().templates
    try:
        names = stage.places(now["text"])
    except BenchError as error:
        show_warning(str(error))
        return
    conditions = stage.conditions(now["table"], now["answer"], form.world)
    values = [path for path, kind in paths.items() if kind != "rows"]
    roles = _ROLES_BY_KIND.get(now["kind"], ("subject", "condition"))
    for name in names:
        slot = now["slots"].get(name) or {"path": "", "of": "subject"}
        label, path, role = st.columns([0.7, 1.4, 1.3], vertical_alignment="bottom")
        label.markdown(f"**{{{escape(name)}}}**")
        form.choose_path(path, "Filled by", f"path_{name}", conditions if slot["of"] == "condition" else values, slot["path"])
        form.choose(role, "It", f"of_{name}", list(dict.fromkeys([*roles, slot["of"]])), slot["of"], ROLES.get)


def _draw_answer(form: TemplateForm, paths: Mapping[str, str], choices: Mapping[str, Sequence[str]]) -> None:
    """Show the boxes that describe the answer, which depend on the kind of answer."""
    now, kind = form.content, form.content["kind"]
    if kind == "false_premise":
        st.caption("The answer is “invalid question”, because the question's premise is false.")
        return
    is_counted = kind == "aggregation" and now["measure"] == "count"
    options = [path for path, held in paths.items() if held != "rows" or is_counted]
    columns = st.columns([1.6, 1, 1.2] if kind == "post-processing" else [1.6, 1.2], vertical_alignment="bottom")
    label, help = (
        "What is compared" if kind == "comparison" else "Answer",
        "A column, or relation.column over up to three relations.",
    )
    form.choose_path(columns[0], label, "answer", options, now["answer"], help)
    if kind in ("aggregation", "comparison"):
        label, measures = ("How", choices["measure"]) if kind == "aggregation" else ("Which one", ("max", "min"))
        names = {"": "choose", "max": "the highest", "min": "the lowest"}
        form.choose(columns[1], label, "measure", ["", *measures], now["measure"], lambda measure: names.get(measure, measure))
    elif kind == "post-processing":
        form.choose(columns[1], "Computed in", "unit", choices["unit"], now["unit"])
        form.choose_path(columns[2], "Minus", "minus", options, now["minus"])
    elif kind != "set":
        columns[1].toggle(
            "Combine several answers into one set",
            now["several"] == "set",
            key=f"{form.key}_several",
            on_change=form.keep,
            help="Allow several answers to one question; if off, no question is drafted from a row with several answers.",
        )


def _save(who: str, id_: str) -> None:
    with keep_errors("templates"):
        template = open_workbench().templates.hand_in(who, id_)
        write_address(view="list", draft=None, template=template.id)
        number = "its first version" if template.versions == 1 else f"version {template.versions}"
        keep_success("templates", f"{template.id} is saved: {number}.")


def _drop(who: str, id_: str) -> None:
    open_workbench().templates.drop(who, id_)
    write_address(draft=None)
