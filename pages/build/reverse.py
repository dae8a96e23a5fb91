"""Reverse construction looked at: a summary or continuation beside the source it was made from, with the query, and every hit
kept or dropped."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review.keys_help import stop
from pages.parts.build.reverse import searches
from pages.parts.ui import in_url, listing, plain_text
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.say import caution, plain, trouble
from workbench import opened

COLUMNS = {
    "question": st.column_config.TextColumn("Question", width=420),
    "status": st.column_config.TextColumn("Status", width=90),
    "language": st.column_config.TextColumn("Language", width=80),
    "domain": st.column_config.TextColumn("Domain", width=90),
    "kept": st.column_config.NumberColumn("Hits kept", width=85),
    "dropped": st.column_config.NumberColumn("Dropped", width=80),
}
LONGEST = 20_000
"""Characters of a source that are shown."""

heading(
    "Reverse",
    "Summaries and continuations are made from a source that systems never see; they answer from what else the search found.",
)
stage = opened().reverse
counts = stage.counts()
if not any(counts.values()):
    empty(
        "No summaries or continuations yet", "Draft some, or import a benchmark that has them.", "pages/build/draft.py", "Draft"
    )
    stop()

there = [task for task, n in counts.items() if n]
task = in_url.word("task", there[0], there)
chosen = in_url.held("reverse_task", "task", task, "item")
st.segmented_control(
    "Task",
    there,
    format_func=lambda name: f"{name.replace('_', ' ').capitalize()} ({counts[name]:,})",
    key="reverse_task",
    required=True,
    on_change=chosen,
    label_visibility="collapsed",
)
start = (st.session_state.get(f"reverse_page_{task}", 1) - 1) * listing.PAGE
lines = stage.page(task, listing.PAGE, start)
place = listing.show(lines, f"reverse_list_{task}_{start}", COLUMNS)
listing.page_of(counts[task], f"reverse_page_{task}")
if place is not None:
    in_url.put(item=lines[place]["id"])
item = in_url.word("item")
if item:
    try:
        one = stage.one(item)
    except BenchError as error:
        trouble(str(error))
        stop()
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("The event" if one["task"] == "summary" else "The beginning", anchor=False)
        plain_text.show(one["question"], f"question_{item}")
        st.subheader("The summary" if one["task"] == "summary" else "The continuation", anchor=False)
        plain_text.show(one["answer"], f"answer_{item}")
        st.page_link(
            "pages/annotate/review.py",
            label="Open on the review desk",
            icon=":material/rate_review:",
            query_params={"item": item},
        )
    with right:
        st.subheader("Its source, left out of retrieval", anchor=False)
        if one["source"] is None:
            caution("The source is not in this workspace.")
        else:
            st.caption(plain(f"{one['source']['title']} · {one['source']['origin']}"))
            with st.container(height=360):
                plain_text.show(one["source"]["text"][:LONGEST], f"source_{item}")
            with st.expander(f"Sentences that the answer rests on ({len(one['cited'])})", key=f"cited_{item}"):
                for sentence in one["cited"]:
                    st.text(sentence)
    st.subheader(f"Searches ({len(one['searches'])})", anchor=False)
    if not one["searches"]:
        st.caption("This item came in from elsewhere: what was searched for is not on record.")
    searches.show(one["searches"], f"searches_{item}")
