"""One page of a list of items as a table: rows can be ticked for bulk actions, and each row has a link to the review desk."""

from typing import Any

import streamlit as st

from pages.parts.annotate.find.list_address import pack, read_address
from pages.parts.ui.in_url import read_number, write_address
from workbench.annotate.desk.guidelines import name_task
from workbench.annotate.finding.finding import PAGE_SIZE, FoundItem, FoundPage

MAX_SHOWN_CHARACTERS = 500
"""Maximum length in characters of a displayed question or answer."""
MAX_ROWS_WITHOUT_SCROLLING = 15
TOOLBAR_PIXELS = 112
"""Width of the toolbar that Streamlit shows above the right end of a table."""
COLUMNS: dict[str, Any] = {
    "Open": st.column_config.ButtonColumn("", key="find_open", width=60, pinned=True, type="tertiary"),
    "Question": st.column_config.TextColumn(width=225),
    "Answer": st.column_config.TextColumn(width=105),
    "Status": st.column_config.TextColumn(width=80),
    "Level": st.column_config.TextColumn(width=50),
    "Domain": st.column_config.TextColumn(width=75),
    "Task": st.column_config.TextColumn(width=105),
    "Overlap": st.column_config.NumberColumn(
        width=65, format="%.2f", help="Share of the question's words that occur in its evidence"
    ),
    "Flags": st.column_config.ListColumn(width=90),
    "Agent": st.column_config.TextColumn(width=75),
}


def show(page: FoundPage, turn: int) -> list[str]:
    """Show one page of the list, and return the ids of the ticked rows. All ticks are cleared when the function is called with
    a new value of `turn`."""
    place = min(read_number("page"), max(1, -(-page.total // PAGE_SIZE)))
    columns, cosine = COLUMNS, ""
    if page.similar is not None:
        cosine = f"Cosine, {page.similar.model}"
        column = {cosine: st.column_config.NumberColumn(width=130, format="%.3f")}
        columns = {"Open": COLUMNS["Open"], **column, **COLUMNS}
    table: Any = st.dataframe(
        [_row(item, cosine) for item in page.rows],
        key=f"find_table_{turn}_{place}_{hash(pack(read_address()))}",
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        column_config=columns,
        column_order=list(columns),
        placeholder="–",
        height="content" if len(page.rows) <= MAX_ROWS_WITHOUT_SCROLLING else 35 * (MAX_ROWS_WITHOUT_SCROLLING + 1) + 2,
    )
    pressed: Any = st.session_state.get("find_open")
    if pressed is not None and int(pressed["row"]) < len(page.rows):
        open_desk(page.rows[int(pressed["row"])].id)
    return [page.rows[row].id for row in table.selection.rows if row < len(page.rows)]


def open_desk(item: str) -> None:
    """Open `item` on the review desk, which then goes through the list that the page Find shows."""
    st.switch_page("pages/annotate/review.py", query_params={"item": item, "found": pack(read_address())})


def list_similar(item: str) -> None:
    """Filter the list to the items that are similar to the given item."""
    write_address(like=item, text=None, page=None)


def _row(item: FoundItem, cosine: str) -> dict[str, Any]:
    row = {
        "Open": "Open",
        "Question": item.question[:MAX_SHOWN_CHARACTERS],
        "Answer": item.answer[:MAX_SHOWN_CHARACTERS],
        "Status": item.status,
        "Level": None if item.level is None else str(item.level),
        "Domain": item.domain,
        "Task": name_task(item.task),
        "Overlap": item.overlap,
        "Flags": item.flags,
        "Agent": item.agent,
    }
    return {**row, cosine: item.cosine} if cosine else row
