"""A server with nothing but the desk, on the fake bench beside it: what the desk does is then the desk's alone."""

import streamlit as st
from fake import BENCH, ROUTES

from pages.components.review.desk import KEYS, show_record
from pages.parts.annotate.review import path
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.frame import note_page
from pages.parts.ui.presses import mark_answered
from serving.security import MIDDLEWARE
from workbench.annotate.desk.desk_data import DeskVisit


def main() -> None:
    """One run: the item of ?item=N, or where the desk went from there; the desk goes on by itself as on the page Review."""
    st.set_page_config(page_title="Desk", page_icon="🧪", layout="wide")
    note_page("desk")
    BENCH.runs += 1
    st.header("Review", anchor=False)
    person, tab = st.query_params.get("person", "Ada"), path.get_tab()
    asked = st.query_params.get("item", "1").removeprefix("item")
    visit = path.find_visit(BENCH.visits) or BENCH.visits.put(person, tab, f"item{asked}")
    number = int(visit.item.removeprefix("item"))
    path.write(visit.item)
    pressed = show_record(BENCH.data(number, person, DeskVisit(tab, visit.number, {})))
    keys_help(KEYS)
    with st.sidebar:
        st.selectbox("Filter", ["all", "some"])
        st.button("Draw again", on_click=lambda: [one.update(domain="drawn again") for one in BENCH.items.values()])
    if pressed:
        step = {"next": 1, "decided": 1, "back": -1}.get(pressed.to)
        number = number + step if step else int(pressed.item.removeprefix("item"))
        path.go_to(f"item{number}")
        mark_answered(pressed, f"item{number}")
        st.rerun()


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, routes=ROUTES, middleware=MIDDLEWARE)
