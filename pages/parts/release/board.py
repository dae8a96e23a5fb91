"""The board of one sealed release: its submissions, the form that submits, and what leads may do."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.base_path import find_base
from pages.parts.ui.allowed import explain_refusal, guard
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, escape, show_error, show_success
from workbench import open_workbench
from workbench.release.boards.sealed_boards import BoardView, SubmissionLine
from workbench.release.boards.submissions import MAX_FILE_BYTES

KEY = "board"


def show(name: str) -> None:
    """Show the board of the release. Raises BenchError if the release has none."""
    view = open_workbench().sealed_boards.view(name)
    state = f"opened on {view.opened.at[:10]}" if view.opened else "closed"
    per_week = f"at most {count_things(view.rules.per_week, 'submission')}"
    st.caption(
        f"{count_things(view.items, 'sealed question')} ({escape(', '.join(view.splits))}) · the seal is {state} · "
        f"{per_week} of each person in seven days"
    )
    st.code(view.hash, language=None, width="content")
    show_feedback(KEY)
    _show_lines(view)
    left, right = st.columns(2, gap="large")
    with left:
        _show_form(view)
    with right:
        _show_download(name)
        _show_rules(view)
    _show_own(view)


def _show_lines(view: BoardView) -> None:
    if not view.lines:
        st.caption("Nobody has submitted answers yet.")
        return
    show_rows([_build_row(line, view.rules.metrics) for line in view.lines])
    st.caption(
        "Mean with its 95 % interval over the n answered questions. Ranked by the first metric; a submission that leaves "
        "questions without an answer, or came after the seal was opened, has no rank."
    )


def _build_row(line: SubmissionLine, metrics: Sequence[str]) -> dict[str, Any]:
    notes = [f"{line.counts[name]} {name}" for name in ("failed", "missing") if line.counts[name]]
    notes += [f"{n} repeat the question"] if (n := line.counts["repeats_question"]) else []
    notes += [] if line.sealed else ["after the seal was opened"]
    return {
        "Rank": line.rank,
        "System": line.system,
        "Person": line.person,
        "Submitted (UTC)": line.at[:16].replace("T", " "),
        **{metric: line.describe_score(metric) for metric in metrics},
        "Notes": ", ".join(notes) or None,
    }


def _show_form(view: BoardView) -> None:
    st.subheader("Submit", anchor=False)
    ask_here("The record of the board names the person of each submission.", KEY)
    st.caption(
        'A file with one line for each question: {"id": ..., "prediction": ...}, and `contexts` if you like. '
        "Take the ids and questions from the sealed release. A file that is refused takes no place."
    )
    system = st.text_input("System", max_chars=80, key=f"{KEY}_system", placeholder="the name that the board shows")
    file = st.file_uploader("Predictions", "jsonl", key=f"{KEY}_file", max_upload_size=MAX_FILE_BYTES // 2**20)
    st.button(
        "Submit",
        key=f"{KEY}_submit",
        type="primary",
        icon=":material/upload:",
        on_click=_submit,
        args=(view.release, system, file),
        **guard("submit to boards", not (file and system.strip() and get_person())),
    )


def _submit(name: str, system: str, file: Any) -> None:
    with keep_errors(KEY):
        bench = open_workbench()
        taken = bench.sealed_boards.submit(name, file.getvalue(), file.name, system, get_person())
        jobs.start(bench).submit(taken.job).result()
        known = "was on record already" if taken.already else "is on record"
        left = f"{count_things(taken.left, 'further submission')} now"
        keep_success(KEY, f"Submission {taken.number} {known}; you may make {left}. Receipt: {taken.hash}")


def _show_download(name: str) -> None:
    st.subheader("The sealed release", anchor=False)
    st.caption("The questions and the documents; of the gold answers only commitments, which `verify.py` checks later.")
    if not st.button("Prepare", key=f"{KEY}_prepare", icon=":material/package_2:", **guard("export releases")):
        return
    try:
        with st.spinner("Packing ..."):
            made = open_workbench().sealed_boards.pack(name)
    except BenchError as error:
        show_error(str(error))
        return
    show_success(f"{made.file}: {made.files} files, {made.bytes / 1e6:.1f} MB.")
    st.link_button("Download", f"{find_base()}/bench/export/{made.file}", icon=":material/download:")


def _show_rules(view: BoardView) -> None:
    """Show what only leads may do: change how many submissions are allowed, and open the seal."""
    if explain_refusal("manage boards"):
        return
    st.subheader("For leads", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = st.number_input(
            "Submissions of a person in seven days", 0, 1_000, view.rules.per_week, key=f"{KEY}_most", width=260
        )
        st.button(
            "Set", key=f"{KEY}_set", on_click=_set_rules, args=(view.release, int(most)), disabled=most == view.rules.per_week
        )
    if view.opened:
        return
    sure = st.checkbox("Show the gold answers to everybody; this cannot be undone", key=f"{KEY}_sure")
    st.button(
        "Open the seal",
        key=f"{KEY}_open",
        icon=":material/lock_open:",
        on_click=_open,
        args=(view.release,),
        **guard("manage boards", not sure),
    )


def _set_rules(name: str, per_week: int) -> None:
    with keep_errors(KEY):
        rules = open_workbench().sealed_boards.set_rules(name, per_week=per_week)
        keep_success(KEY, f"{count_things(rules.per_week, 'submission')} of a person in seven days.")


def _open(name: str) -> None:
    with keep_errors(KEY):
        open_workbench().sealed_boards.open(name)
        keep_success(KEY, f"The seal of {name} is open: exports have the gold answers and the salts in opened.jsonl.")


def _show_own(view: BoardView) -> None:
    own = [line for line in view.lines if line.person == get_person()]
    if not own:
        return
    st.subheader("Your submissions", anchor=False)
    show_rows([{"Entry": one.number, "System": one.system, "Receipt": one.hash} for one in own])
    st.caption("Keep the receipts: an entry of the record with a receipt cannot be removed or changed unnoticed.")
