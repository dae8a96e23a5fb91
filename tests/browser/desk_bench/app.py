"""A server with nothing but the desk, on the fake bench beside it: what the desk does is then the desk's alone."""

import streamlit as st
from fake import BENCH, ROUTES

from pages.components.review.desk import KEYS, mark_answered, show_record
from pages.parts.annotate.review.keys_help import keys_help
from serving.security import MIDDLEWARE


def main() -> None:
    """One rerun: the item of ?item=N; a press leads to another number."""
    st.set_page_config(page_title="Desk", page_icon="🧪", layout="wide")
    st.header("Review", anchor=False)
    number = int(st.query_params.get("item", "1"))
    pressed = show_record(BENCH.data(number, st.query_params.get("person", "Ada")))
    keys_help(KEYS)
    with st.sidebar:
        st.selectbox("Filter", ["all", "some"])
        st.button("Draw again", on_click=lambda: BENCH.items[f"item{number}"].update(domain="drawn again"))
    if pressed:
        step = {"next": 1, "decided": 1, "back": -1}.get(pressed.to)
        number = number + step if step else int(pressed.item.removeprefix("item"))
        st.query_params["item"] = str(number)
        mark_answered(pressed, f"item{number}")
        st.rerun()


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, routes=ROUTES, middleware=MIDDLEWARE)
