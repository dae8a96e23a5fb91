"""Reverse construction: a summary or continuation beside the source document that it was drafted from, with the search queries
and all documents that the search found, whether the item uses them or not."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review.keys_help import stop
from pages.parts.build.reverse import searches
from pages.parts.ui import in_url, listing, plain_text
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.say import escape, show_error, show_warning
from workbench import open_workbench

COLUMNS = {
    "question": st.column_config.TextColumn("Question", width=420),
    "status": st.column_config.TextColumn("Status", width=90),
    "language": st.column_config.TextColumn("Language", width=80),
    "domain": st.column_config.TextColumn("Domain", width=90),
    "kept": st.column_config.NumberColumn("Hits kept", width=85),
    "dropped": st.column_config.NumberColumn("Dropped", width=80),
}
MAX_SOURCE_CHARACTERS = 20_000

show_heading(
    "Reverse",
    "Summaries and continuations are drafted from a source document that systems never see; systems answer from other "
    "documents.",
)
stage = open_workbench().reverse
counts = {task: n for task, n in stage.counts().items() if n}
if not counts:
    about = "Draft summaries or continuations, or import a benchmark that has them."
    show_empty("No summaries or continuations yet", about, "pages/build/draft.py", "Draft")
    stop()

labels = {name: f"{name.replace('_', ' ').capitalize()} ({n:,})" for name, n in counts.items()}
task = in_url.switch_view(labels, "reverse_task", "item", name="task", label="Task")
start = (st.session_state.get(f"reverse_page_{task}", 1) - 1) * listing.PAGE_ROWS
lines = stage.page(task, listing.PAGE_ROWS, start)
place = listing.show([line._asdict() for line in lines], f"reverse_list_{task}_{start}", COLUMNS)
listing.find_page_start(counts[task], f"reverse_page_{task}")
if place is not None:
    in_url.write_address(item=lines[place].id)
if id_ := in_url.read_word("item"):
    try:
        opened_item = stage.open_item(id_)
    except BenchError as error:
        show_error(str(error))
        stop()
    item, source = opened_item.item, opened_item.source
    is_summary = item.task == "summary"
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("The event" if is_summary else "The beginning", anchor=False)
        plain_text.show(item.question, f"question_{id_}")
        st.subheader("The summary" if is_summary else "The continuation", anchor=False)
        plain_text.show(item.answers[0] if item.answers else "", f"answer_{id_}")
        draw_link("annotate/review", "Open on the review desk", "rate_review", item=id_)
    with right:
        st.subheader("Source document, which systems cannot search", anchor=False)
        if source is None:
            show_warning("The source of this item is not in this workspace.")
        else:
            st.caption(escape(f"{source.title} · {source.origin}"))
            with st.container(height=360):
                plain_text.show(source.text[:MAX_SOURCE_CHARACTERS], f"source_{id_}")
            with st.expander(f"Sentences that the answer is based on ({len(opened_item.cited)})", key=f"cited_{id_}"):
                for sentence in opened_item.cited:
                    st.text(sentence)
    st.subheader(f"Searches ({len(opened_item.searches)})", anchor=False)
    if not opened_item.searches:
        st.caption("This item was imported, so its search queries are not stored.")
    searches.show(opened_item.searches, f"searches_{id_}")
