"""The documents as a list: sizes by domain and language, a page of fifty with search and filters, and what can be set for those
that are ticked."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.corpus.add_box import LANGUAGES, licences
from pages.parts.ui import job_card
from pages.parts.ui.allowed import kept
from pages.parts.ui.in_url import link
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import caution, done, trouble
from workbench import opened
from workbench.build.corpus.corpus import DocumentRow, Filter

SIZE = 50
"""Documents on one page."""
SORTS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "By title",
    "longest": "Longest first",
    "shortest": "Shortest first",
}
NO_LICENCE = "no licence"


def sizes(size: Mapping[str, Any]) -> None:
    """The whole corpus in numbers, and by domain and language."""
    with st.container(horizontal=True):
        for label, key in (
            ("Documents", "documents"),
            ("Tokens, estimated", "tokens"),
            ("Median", "median"),
            ("90 % have at most", "p90"),
            ("Longest", "longest"),
        ):
            value = size[key]
            st.metric(label, "–" if value is None else f"{value:,.0f}", border=True, width="stretch")
    if size["uncounted"]:
        st.caption(f"{size['uncounted']:,} documents of an older workspace are not counted in tokens yet.")
        st.button("Count them", on_click=_count)
    if job := st.session_state.get("documents_count"):
        job_card.show(job, compact=True)
    with st.expander("By domain and language", key="corpus_sizes"):
        st.dataframe(
            [
                {
                    "Domain": row["domain"],
                    "Language": row["language"],
                    "Documents": row["documents"],
                    "Tokens": row["tokens"],
                    "Median": row["median"],
                    "90 % at most": row["p90"],
                    "Longest": row["longest"],
                    "Without licence": row["unlicensed"],
                }
                for row in opened().corpus.sizes()
            ],
            hide_index=True,
            column_config={
                name: st.column_config.NumberColumn(format="localized", step=1)
                for name in ("Documents", "Tokens", "Median", "90 % at most", "Longest", "Without licence")
            },
        )
    if size["unlicensed"]:
        n = size["unlicensed"]
        one = "1 document has" if n == 1 else f"{n:,} documents have"
        caution(f"{one} no licence: a release wants one for each. Choose “{NO_LICENCE}” below, tick them, and set it.")


def show() -> None:
    """A page of the list, and the work on what is ticked."""
    corpus = opened().corpus
    only, sort = _filter()
    turn = st.session_state.get("documents_turn", 0)
    place = "|".join(map(str, (*only, sort, turn)))
    number = st.session_state.get(f"documents_page_{place}", 1)
    found, total = corpus.page(only, sort, SIZE, SIZE * (number - 1))
    ticked = _table(found, f"documents_{place}_{number}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{total:,} {'document' if total == 1 else 'documents'}", width="content")
        same = corpus.same_titles() if not only.same_title else 0
        if same:
            st.caption(f"· {same:,} share their title with another one (equal texts come in once)", width="content")
        st.space("stretch")
        if total > SIZE:
            st.pagination(-(-total // SIZE), key=f"documents_page_{place}")
    if ticked:
        _act(ticked, only, total)
    for key, say in (("documents_done", done), ("documents_trouble", trouble)):
        if sentence := st.session_state.pop(key, ""):
            say(sentence)


def _filter() -> tuple[Filter, str]:
    """What the boxes above the list ask for."""
    corpus = opened().corpus
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input("Search titles", type="search", key="documents_search", placeholder="part of a title", width=240)
        domain = st.selectbox("Domain", corpus.domains(), index=None, placeholder="any", key="documents_domain", width=150)
        language = st.selectbox(
            "Language",
            ["en", "zh"],
            format_func=LANGUAGES.__getitem__,
            index=None,
            placeholder="any",
            key="documents_language",
            width=120,
        )
        licence = st.selectbox(
            "Licence", [NO_LICENCE, *corpus.licences()], index=None, placeholder="any", key="documents_licence", width=160
        )
        sort = st.selectbox("Order", list(SORTS), format_func=SORTS.__getitem__, key="documents_sort", width=160)
        same = bool(corpus.same_titles()) and st.checkbox(
            "Same title", key="documents_same", help="Documents that share their title with another one."
        )
    return Filter(search.strip(), domain, language, "" if licence == NO_LICENCE else licence, same), sort


def _table(found: Sequence[DocumentRow], key: str) -> list[DocumentRow]:
    """The rows; returns those that are ticked."""
    if not found:
        st.caption("No document fits: take a filter away.")
        return []
    table = st.dataframe(
        [
            {
                "Title": d.title,
                "Domain": d.domain,
                "Language": d.language,
                "Tokens": d.tokens,
                "Licence": d.licence or "–",
                "Origin": d.origin,
            }
            for d in found
        ],
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        key=key,
        height=420 if len(found) > 10 else "auto",
        column_config={
            "Title": st.column_config.TextColumn(width="large"),
            "Tokens": st.column_config.NumberColumn(format="localized"),
        },
    )
    return [found[place] for place in table.selection.rows if place < len(found)]


def _act(ticked: Sequence[DocumentRow], only: Filter, total: int) -> None:
    """Read one, or set licence or domain of all that are ticked, or of all that fit the filters."""
    ids = [d.id for d in ticked]
    is_named = bool(person())
    wide = total > len(ticked) and st.checkbox(f"All {total:,} documents that fit the filters, not only the ticked")
    chosen = only if wide else ids
    with st.container(horizontal=True, vertical_alignment="bottom", border=True):
        if len(ticked) == 1:
            link("Read it", ":material/menu_book:", "documents_read", document=ids[0])
        else:
            st.markdown(f"**{len(ticked)} ticked**", width="content")
        st.space("stretch")
        licence = st.selectbox(
            "Licence",
            licences(),
            index=None,
            accept_new_options=True,
            key="documents_set_licence",
            width=190,
            placeholder="choose, or type one",
        )
        st.button(
            "Set licence",
            on_click=_set,
            args=("licence", chosen, licence),
            **kept("change the corpus", not (licence and is_named)),
        )
        domain = st.selectbox(
            "Domain",
            opened().corpus.domains(),
            index=None,
            accept_new_options=True,
            key="documents_set_domain",
            width=180,
            placeholder="choose, or type one",
        )
        st.button(
            "Set domain", on_click=_set, args=("domain", chosen, domain), **kept("change the corpus", not (domain and is_named))
        )
    if not is_named:
        ask_here("Give your name to change something: changes are recorded under it.", "document_list")


def _set(field: str, chosen: Sequence[str] | Filter, value: str) -> None:
    corpus = opened().corpus
    ids = corpus.ids(chosen) if isinstance(chosen, Filter) else chosen
    try:
        changed = (corpus.set_licence if field == "licence" else corpus.set_domain)(ids, value, person())
    except BenchError as error:
        st.session_state["documents_trouble"] = str(error)
        return
    st.session_state["documents_turn"] = st.session_state.get("documents_turn", 0) + 1
    words = "1 document has" if changed == 1 else f"{changed} documents have"
    st.session_state["documents_done"] = f"{words} {field} {value} now." if changed else f"They had {field} {value} already."


def _count() -> None:
    job = opened().corpus.plan_count()
    jobs.start(opened()).submit(job)
    st.session_state["documents_count"] = job
