"""The list of documents: their sizes by domain and language, pages of fifty documents with search and filters, and actions on
the ticked documents."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

import jobs
from core.text.language import language_name
from pages.parts.build.corpus.add_box import licences, typed_select
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.fields import name_languages, select_field
from pages.parts.ui.in_url import link
from pages.parts.ui.listing import PAGE_ROWS
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, show_warning
from workbench import open_workbench
from workbench.build.corpus.corpus import CorpusSize, DocumentFilter, DocumentRow

SORTS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "By title",
    "longest": "Longest first",
    "shortest": "Shortest first",
}
NO_LICENCE = "no licence"
SIZES = {"documents": "Documents", "tokens": "Tokens", "median": "Median", "p90": "90 % at most", "longest": "Longest"}
"""Dict from field of a size to its column label."""


def show_sizes(size: CorpusSize) -> None:
    """Show the size of the whole corpus, and its size by domain and language."""
    with st.container(horizontal=True):
        for field, label in SIZES.items():
            value = getattr(size, field)
            shown = "–" if value is None else f"{value:,.0f}"
            st.metric("Tokens, estimated" if field == "tokens" else label, shown, border=True, width="stretch")
    if size.uncounted:
        st.caption(f"The tokens of {size.uncounted:,} documents from an older workspace are not counted yet.")
        draw_button("Count them", "documents_count_go", _count)
    if job := st.session_state.get("documents_count"):
        job_card.show(job, compact=True)
    columns = {"domain": "Domain", "language": "Language", **SIZES, "unlicensed": "Without licence"}
    number = st.column_config.NumberColumn(format="localized", step=1)
    with st.expander("By domain and language", key="corpus_sizes"):
        st.dataframe(
            [
                {label: getattr(row, field) for field, label in columns.items()} | {"Language": language_name(row.language)}
                for row in open_workbench().corpus.sizes()
            ],
            hide_index=True,
            column_config=dict.fromkeys([*SIZES.values(), "Without licence"], number),
        )
    if size.unlicensed:
        documents = "1 document has" if size.unlicensed == 1 else f"{size.unlicensed:,} documents have"
        show_warning(
            f"{documents} no licence, and a release needs one. Choose “{NO_LICENCE}” below, tick the documents, set a licence."
        )


def show() -> None:
    """Show one page of the list of documents, and the actions on the ticked documents."""
    corpus = open_workbench().corpus
    only, sort = _draw_filter()
    place = "|".join(map(str, (*only, sort, st.session_state.get("documents_turn", 0))))
    number = st.session_state.get(f"documents_page_{place}", 1)
    rows, total = corpus.page(only, sort, PAGE_ROWS, PAGE_ROWS * (number - 1))
    ticked = _draw_table(rows, f"documents_{place}_{number}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(count_things(total, "document"), width="content")
        if same := 0 if only.same_title else corpus.same_titles():
            st.caption(f"· {same:,} have the same title as another document (equal texts are stored once)", width="content")
        st.space("stretch")
        if total > PAGE_ROWS:
            st.pagination(-(-total // PAGE_ROWS), key=f"documents_page_{place}")
    if ticked:
        _draw_actions(ticked, only, total)
    show_feedback("documents")


def _draw_filter() -> tuple[DocumentFilter, str]:
    """Show the filters above the list, and return the chosen filter and order."""
    corpus = open_workbench().corpus
    any_one: dict[str, Any] = {"index": None, "placeholder": "any"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input("Search titles", type="search", key="documents_search", placeholder="part of a title", width=240)
        domain = st.selectbox("Domain", corpus.domains(), key="documents_domain", width=150, **any_one)
        names = name_languages(corpus.languages())
        language = select_field(st, "Language", names, "documents_language", width=130, **any_one)
        options = [NO_LICENCE, *corpus.licences()]
        licence = st.selectbox("Licence", options, key="documents_licence", width=160, **any_one)
        sort = select_field(st, "Order", SORTS, "documents_sort", width=160)
        same = bool(corpus.same_titles()) and st.checkbox(
            "Same title", key="documents_same", help="Documents that share their title with another document."
        )
    return DocumentFilter(search.strip(), domain, language, "" if licence == NO_LICENCE else licence, same), sort


def _draw_table(rows: Sequence[DocumentRow], key: str) -> list[DocumentRow]:
    """Show the documents as a table, and return the ticked documents."""
    if not rows:
        st.caption("No document matches: remove a filter.")
        return []
    columns = ("Title", "Domain", "Language", "Tokens", "Licence", "Origin")
    table = st.dataframe(
        [
            {label: getattr(row, label.lower()) for label in columns}
            | {"Language": language_name(row.language), "Licence": row.licence or "–"}
            for row in rows
        ],
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        key=key,
        height=420 if len(rows) > 10 else "auto",
        column_config={
            "Title": st.column_config.TextColumn(width="large"),
            "Tokens": st.column_config.NumberColumn(format="localized"),
        },
    )
    return [rows[place] for place in table.selection.rows if place < len(rows)]


def _draw_actions(ticked: Sequence[DocumentRow], only: DocumentFilter, total: int) -> None:
    """Show the actions: read one document, or set the licence, domain or language of all ticked documents, or of all documents
    that match the filters."""
    ids = [row.id for row in ticked]
    is_named = bool(get_person())
    is_wide = total > len(ticked) and st.checkbox(f"All {total:,} documents that match the filters, not only the ticked ones")
    chosen = only if is_wide else ids
    with st.container(horizontal=True, vertical_alignment="bottom", border=True):
        if len(ticked) == 1:
            link("Read it", ":material/menu_book:", "documents_read", document=ids[0])
        else:
            st.markdown(f"**{len(ticked)} ticked**", width="content")
        st.space("stretch")
        for field, options in (("licence", licences()), ("domain", open_workbench().corpus.domains())):
            value = typed_select(st.container(width=190), field.capitalize(), options, f"documents_set_{field}")
            key, may_not = f"documents_set_{field}_go", not (value and is_named)
            draw_button(f"Set {field}", key, _set, field, chosen, value, requires="change the corpus", disabled=may_not)
        language = select_field(
            st, "Language", name_languages(), "documents_set_language", width=130, index=None, placeholder="choose"
        )
        may_not = not (language and is_named)
        key = "documents_set_language_go"
        draw_button("Set language", key, _set, "language", chosen, language, requires="change the corpus", disabled=may_not)
    if not is_named:
        ask_here("Give your name to change something: changes are recorded under it.", "document_list")


def _set(field: str, chosen: Sequence[str] | DocumentFilter, value: str) -> None:
    corpus = open_workbench().corpus
    with keep_errors("documents"):
        ids = corpus.ids(chosen) if isinstance(chosen, DocumentFilter) else chosen
        change = {"licence": corpus.set_licence, "domain": corpus.set_domain, "language": corpus.set_language}[field]
        changed = change(ids, value, get_person())
        st.session_state["documents_turn"] = st.session_state.get("documents_turn", 0) + 1
        documents = "1 document has" if changed == 1 else f"{changed} documents have"
        done = f"{documents} {field} {value} now." if changed else f"The documents had the {field} {value} already."
        keep_success("documents", done)


def _count() -> None:
    st.session_state["documents_count"] = job = open_workbench().corpus.plan_count()
    jobs.start(open_workbench()).submit(job)
