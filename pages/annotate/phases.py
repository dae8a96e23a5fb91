"""Two phases: two people review a web question without seeing each other's work, first its labels, then its answers; a third
person resolves their differences. The page also shows statistics of both phases, and gold answers that may be wrong. The next
question is shown without a rerun of the whole page."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.crag import doubts, phase_form, phase_rates
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.feedback import show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error, show_note
from workbench import open_workbench

VIEWS = {"mine": "My opinion", "conflicts": "Conflicts", "rates": "Figures", "doubts": "Doubtful gold answers"}


def main() -> None:
    """Show the page's heading and the view that the person chose."""
    show_heading(
        "Two phases",
        (
            "Two people review a web question, first its labels, then its answers, without seeing each other's decisions; a "
            "third person resolves the differences."
        ),
    )
    view = switch_view(VIEWS, "phases_view")
    if view == "rates":
        phase_rates.show(open_workbench().phases.rates())
    elif view == "doubts":
        doubts.show()
    else:
        ask_here("Give your name: opinions are stored under it, and you cannot give an opinion without a name.")
        draw_in_place(show_question)(view == "conflicts")


def show_question(resolves: bool) -> None:
    """Show a message about the person's last click, and below it the next question that this person has to review."""
    who = get_person()
    show_feedback(phase_form.FEEDBACK)
    if why := explain_refusal("decide between people" if resolves else "review in phases"):
        show_note(why)
        return
    try:
        sheet = open_workbench().phases.find_next(who, resolves=resolves, after=st.session_state.get("phase_after"))
    except BenchError as error:
        show_error(str(error))
        return
    if sheet is None:
        sentence = "No opinions differ" if resolves else "Nothing waits for you"
        do = "People write these questions on the page Web question; nobody reviews their own questions."
        show_empty(sentence, do, "pages/build/web_question.py", "Write one")
        return
    phase_form.show(sheet, who)
    keys_help(phase_form.KEYS)


main()
