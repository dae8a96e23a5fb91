"""What stands on a document, and the ways to take it out of the corpus or to put a newer text in its place."""

from collections.abc import Callable

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import kept
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import caution, counted, done, trouble
from workbench import opened
from workbench.build.corpus.removal import DocumentDependents

DONE, TROUBLE = "removal_done", "removal_trouble"


def show(document: str, is_removed: bool) -> None:
    """Draw it."""
    for key, say in ((DONE, done), (TROUBLE, trouble)):
        if sentence := st.session_state.pop(key, ""):
            say(sentence)
    if is_removed:
        caution("This document was removed from the corpus. Nothing is drafted from it and no new release holds it.")
        st.button("Bring it back", on_click=_bring_back, args=(document,), **kept("change the corpus", not person()))
        return
    with st.expander("Remove or replace", icon=":material/delete:", key="document_removal"):
        standing = opened().removal.standing([document])
        st.text(describe(standing))
        if standing.items:
            st.page_link(
                "pages/annotate/find.py", label="Show its items", icon=":material/search:", query_params={"document": document}
            )
        st.button(
            "Remove from the corpus",
            on_click=_remove,
            args=(document,),
            **kept(
                "change the corpus",
                bool(standing.items) or not person(),
                "Discard its items first, or replace the document." if standing.items else None,
            ),
        )
        successors = {one.id: one for one in opened().removal.successors(document)}
        chosen = st.selectbox(
            "Newer text",
            list(successors),
            index=None,
            key=f"removal_by_{document}",
            format_func=lambda id_: successors[id_].title,
            placeholder="add it to the corpus, then choose it",
            help="Items move to it where their evidence stands in it word for word, and wait for review "
            "again. The others stay on this text.",
        )
        st.button(
            "Replace", on_click=_replace, args=(document, chosen), **kept("change the corpus", chosen is None or not person())
        )
        if not person():
            ask_here("Give your name to change something: changes are recorded under it.", "removal_box")


def describe(standing: DocumentDependents) -> str:
    """What stands on a document, in sentences."""
    lines = [
        f"{counted(standing.items, 'item')} on it: {standing.accepted:,} accepted, {standing.drafted:,} to review."
        if standing.items
        else "No item that waits or is accepted stands on it."
    ]
    if standing.releases:
        names = ", ".join(standing.releases[:5]) + (", …" if len(standing.releases) > 5 else "")
        lines.append(f"{counted(len(standing.releases), 'release')} with it: {names}. They keep its text.")
    return "\n".join(lines)


def _remove(document: str) -> None:
    def remove() -> str:
        opened().removal.remove([document], person())
        return "The document is out of the corpus."

    _do(remove)


def _bring_back(document: str) -> None:
    def bring_back() -> str:
        opened().removal.bring_back([document], person())
        return "The document is in the corpus again."

    _do(bring_back)


def _replace(document: str, by: str) -> None:
    def replace() -> str:
        result = opened().removal.replace(document, by, person())
        moved = f"{counted(len(result.moved), 'item')} moved to the newer text, to be reviewed again."
        if result.is_removed:
            return f"{moved} The document is out of the corpus."
        return f"{moved} {counted(len(result.left), 'item')} stayed: some evidence does not stand there exactly once."

    _do(replace)


def _do(change: Callable[[], str]) -> None:
    """Make the change, and keep for the next drawing what it says or why it was refused."""
    try:
        st.session_state[DONE] = change()
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
