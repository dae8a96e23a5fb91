"""Pair items that ask the same in two languages, and list the pairs side by side."""

import streamlit as st

from core.errors import BenchError
from core.text.language import language_name
from pages.parts.release import translate_box
from pages.parts.ui.allowed import guard
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, show_error, show_success
from workbench import open_workbench
from workbench.release.pairs.language_pairs import MISFITS, PairRow

MAX_ROWS = 200
"""Maximum number of pairs in the table; the command line lists all."""


def show() -> None:
    """Show the folded list of pairs, and a form that pairs two items or takes a pair apart."""
    bench = open_workbench()
    translate_box.show("translate")
    with st.expander("Pair items that ask the same in two languages"):
        st.caption(
            "A release contains the pairs of its items. Runs on it show how much a system loses in the other language, over "
            "the same pairs. On the command line, pairs also come from two files with the same ids (pairs import)."
        )
        left, right, third, fourth = st.columns([3, 3, 1, 1], vertical_alignment="bottom")
        item = left.text_input("Item", placeholder="id", max_chars=200, key="pair_item").strip()
        twin = right.text_input("Its twin in another language", placeholder="id", max_chars=200, key="pair_twin").strip()
        paired = third.button("Pair", key="pair_add", **guard("pair items", not (item and twin)))
        apart = fourth.button("Take apart", key="pair_remove", **guard("pair items", not (item and twin)))
        try:
            if paired:
                bench.language_pairs.add(item, twin, get_person())
                show_success("The two items are a pair.")
            if apart:
                bench.language_pairs.remove(item, twin, get_person())
                show_success("The pair is taken apart; both items stay.")
        except BenchError as error:
            show_error(str(error))
        if rows := bench.language_pairs.list_pairs():
            _show_table(rows)


def _show_table(rows: list[PairRow]) -> None:
    fit = sum(row.misfit is None for row in rows)
    st.caption(
        f"{count_things(len(rows), 'pair')}, {fit:,} of which a release that is frozen now contains if it has both items."
    )
    table = [
        {
            "Languages": f"{language_name(row.item.language)} – {language_name(row.twin.language)}",
            "Item": row.item.question,
            "Answer": row.item.answers[0] if row.item.answers else "",
            "Twin": row.twin.question,
            "Its answer": row.twin.answers[0] if row.twin.answers else "",
            "Source": row.pair.source,
            **({} if fit == len(rows) else {"Left out because": MISFITS[row.misfit] if row.misfit else ""}),
        }
        for row in rows[:MAX_ROWS]
    ]
    st.dataframe(table, hide_index=True, height="content" if len(table) < 12 else 420, key="pair_table")
    if len(rows) > MAX_ROWS:
        st.caption(f"Only {MAX_ROWS} pairs are listed; the command pairs list shows all.")
