"""The list of question templates in use, one row each, and the chosen template: its text, example questions on the current
tables, and its versions."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.tables.world import Tables
from pages.parts.build.templates import preview
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors
from pages.parts.ui.grid import cells, columns
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.build.templates.templates import StoredTemplate

ROLES = {"subject": "names the entity", "other": "names the other", "condition": "is a condition", "false": "is not so"}
"""Dict from role of a placeholder to its description."""
MAX_UNSCROLLED = 9
"""Maximum number of templates listed without a scroll bar, so that the chosen template below stays in view."""


def show(world: Tables) -> None:
    """Show the list of templates, and the chosen template."""
    templates = {template.id: template for template in open_workbench().templates.list_templates()}
    with st.container(horizontal=True, vertical_alignment="center"):
        help = None if get_person() else "Give your name first."
        draw_button("New template", "templates_new", _begin, "", icon="add", requires="draft items", help=help)
        st.caption(count_things(len(templates), "template"))
    if not templates:
        show_empty(
            "No templates yet", "Write a template, or load the samples: 23 templates of every kind over scholars and companies."
        )
        draw_samples_button()
        return
    chosen = read_word("template", "", list(templates))
    heads = [*columns("Template", "Question", "Level", "Kind", "Table", "Answer", align="left"), *columns("Versions")]
    rows = [{"cells": _row(template, chosen)} for template in templates.values()]
    with st.container(height=380 if chosen and len(templates) > MAX_UNSCROLLED else "content", border=False):
        pressed = paper_table.show(heads, rows, "templates_list")
    if pressed and pressed != chosen:
        write_address(template=pressed)
        st.rerun()
    if chosen:
        _draw_template(templates[chosen])


def draw_samples_button() -> None:
    """Show the button that loads the sample tables and templates."""
    label, may = "Load the sample tables and templates", "change the corpus"
    draw_button(label, "templates_samples", _load_samples, icon="table_view", requires=may)


def describe_answer(record: Mapping[str, Any]) -> str:
    """Describe in a line how the answer to a template's questions is computed."""
    return " ".join(filter(None, (record["measure"], record["answer"]))) or "invalid question"


def describe_slots(record: Mapping[str, Any]) -> list[str]:
    """Return a text for each placeholder of a template: the column that fills the placeholder, and the placeholder's role."""
    return [f"{{{name}}} = {slot['path']}, {ROLES[slot['of']]}" for name, slot in record["slots"].items()]


def _row(template: StoredTemplate, chosen: str) -> list[dict[str, Any]]:
    id_, record = template.id, template.record
    name = {"text": id_, "go": id_, "href": f"?template={id_}", "mark": "best" if id_ == chosen else ""}
    return [
        name | {"sub": "written by an agent" if template.about else ""},
        {"text": record["text"], "clamp": True},
        *cells(record["level"], record["kind"], record["table"]),
        {"text": describe_answer(record), "muted": not record["answer"]},
        {"text": f"{template.versions:,}"},
    ]


def _draw_template(template: StoredTemplate) -> None:
    id_, record = template.id, template.record
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(id_)}**", width="content")
            st.caption(escape(_describe_version(template)), width="content")
            st.space("stretch")
            draw_button("Edit", "templates_edit", _begin, id_, icon="edit", requires="draft items")
            with st.popover("Remove", icon=":material/delete:"):
                st.caption("All versions of the template are deleted; items made from the template stay, with their sources.")
                draw_button("Remove it", "templates_remove", _remove, id_, requires="draft items")
        st.text(record["text"])
        for line in describe_slots(record):
            st.caption(escape(line))
        preview.show(record, id_)
        _draw_versions(open_workbench().templates.versions(id_))


def _draw_versions(versions: Sequence[StoredTemplate]) -> None:
    if len(versions) < 2:
        return
    with st.expander(f"{len(versions):,} versions", icon=":material/history:"):
        for place, template in enumerate(versions):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(template.record["text"], width="stretch")
                st.caption(escape(_describe_version(template)), width="content")
                if place == 0:
                    st.badge("in use", icon=":material/check:", color="green")
                else:
                    key = f"templates_stand_{template.version}"
                    draw_button("Use this one", key, _use_version, template.id, template.version, requires="draft items")


def _describe_version(template: StoredTemplate) -> str:
    by = f" by {template.saved_by}" if template.saved_by else ""
    return f"{template.version} · saved {template.saved_at[:16].replace('T', ' ')} UTC{by}"


def _begin(of: str) -> None:
    with keep_errors("templates"):
        write_address(view="write", draft=open_workbench().templates.begin(get_person(), of), template=None)


def _use_version(id_: str, version: str) -> None:
    with keep_errors("templates"):
        open_workbench().templates.use_version(id_, version)


def _remove(id_: str) -> None:
    with keep_errors("templates"):
        open_workbench().templates.remove(id_)
        write_address(template=None)


def _load_samples() -> None:
    with keep_errors("templates"):
        open_workbench().templates.load_samples()
