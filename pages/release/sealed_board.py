"""Board: submissions to a sealed release, with their scores. The URL parameter release=NAME chooses the release."""

import streamlit as st

from pages.parts.annotate.review.keys_help import stop
from pages.parts.release import board
from pages.parts.ui.allowed import explain_refusal, find_guest_release
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import choose
from pages.parts.ui.say import show_note
from workbench import open_workbench

show_heading(
    "Board",
    "Answers of systems to a sealed release. Its gold answers are secret until the seal is opened; the opened seal proves that "
    "nothing was changed.",
)
own = find_guest_release()
if why := None if own else explain_refusal("see boards"):
    show_note(why)
    stop()
names = [own] if own else open_workbench().sealed_boards.list_boards()
if not names:
    show_empty(
        "No release is sealed",
        "Freeze a release with sealed gold answers; it then has a board.",
        "pages/release/freeze.py",
        "Go to Freeze",
    )
    stop()
with show_errors():
    board.show(choose(st, "Release", "release", names, "board_release", width=320))
