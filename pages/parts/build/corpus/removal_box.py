"""A box that lists what depends on a document, and removes the document from the corpus or replaces it with a newer text."""

from typing import Any

import streamlit as st

from pages.parts.ui.buttons import draw_button, draw_link
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.fields import select_field
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, show_warning
from workbench import open_workbench
from workbench.build.corpus.removal import DocumentDependents, Replacement


def show(document: str, is_removed: bool) -> None:
    """Show the box that removes or replaces a document."""
    show_feedback("removal")
    is_named = bool(get_person())
    if is_removed:
        show_warning(
            "This document was removed from the corpus. It is not used for drafting, and new releases do not include it."
        )
        label, key = "Bring it back", "removal_bring_back"
        draw_button(label, key, _bring_back, document, requires="change the corpus", disabled=not is_named)
        return
    with st.expander("Remove or replace", icon=":material/delete:", key="document_removal"):
        dependents = open_workbench().removal.count_dependents([document])
        st.text(describe(dependents))
        if dependents.items:
            draw_link("annotate/find", "Show its items", "search", document=document)
        why = "Discard the items on this document first, or replace the document." if dependents.items else None
        may_not = bool(dependents.items) or not is_named
        label, key = "Remove from the corpus", "removal_remove"
        draw_button(label, key, _remove, document, requires="change the corpus", disabled=may_not, help=why)
        titles = {row.id: row.title for row in open_workbench().removal.list_successors(document)}
        options: dict[str, Any] = {"index": None, "placeholder": "add the newer text to the corpus, then choose it"}
        options["help"] = (
            "Items whose evidence occurs word for word in the newer text move to it and wait for review again. The other items "
            "stay on this text."
        )
        chosen: str | None = select_field(st, "Newer text", titles, f"removal_by_{document}", **options)
        if chosen is not None and dependents.items:
            st.text(_describe_replacement(open_workbench().removal.preview_replacement(document, chosen)))
        may_not = chosen is None or not is_named
        draw_button("Replace", "removal_replace", _replace, document, chosen, requires="change the corpus", disabled=may_not)
        if not is_named:
            ask_here("Give your name to change something: changes are recorded under it.", "removal_box")


def describe(dependents: DocumentDependents) -> str:
    """Describe in sentences which items and releases depend on a document."""
    line = "No waiting or accepted item is based on this document."
    if dependents.items:
        items = count_things(dependents.items, "item")
        line = f"{items} on it: {dependents.accepted:,} accepted, {dependents.drafted:,} to review."
    if not dependents.releases:
        return line
    names = ", ".join(dependents.releases[:5]) + (", …" if len(dependents.releases) > 5 else "")
    return f"{line}\n{count_things(len(dependents.releases), 'release')} with this document: {names}. A release keeps its text."


def _describe_replacement(preview: Replacement) -> str:
    """Describe what would become of the items if the chosen text replaced the document."""
    moved = f"{count_things(len(preview.moved), 'item')} would move to the newer text and wait for review again"
    moved += f", {preview.accepted:,} of them accepted now" if preview.moved else ""
    return f"{moved}; {len(preview.left):,} would stay on this text."


def _remove(document: str) -> None:
    with keep_errors("removal"):
        open_workbench().removal.remove([document], get_person())
        keep_success("removal", "The document was removed from the corpus.")


def _bring_back(document: str) -> None:
    with keep_errors("removal"):
        open_workbench().removal.bring_back([document], get_person())
        keep_success("removal", "The document is in the corpus again.")


def _replace(document: str, by: str) -> None:
    with keep_errors("removal"):
        result = open_workbench().removal.replace(document, by, get_person())
        end = "The old text was removed from the corpus."
        if not result.is_removed:
            end = (
                f"{count_things(len(result.left), 'item')} stayed on the old text, because some of their evidence does "
                "not occur exactly once in the newer text."
            )
        keep_success(
            "removal",
            f"{count_things(len(result.moved), 'item')} moved to the newer text, to be reviewed again ({result.accepted:,} "
            f"accepted before). {end}",
        )
