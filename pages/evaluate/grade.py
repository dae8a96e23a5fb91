"""Grade: people mark answers without knowing which system gave them, and judges are compared with these marks. The page's URL
contains the id of the batch and the number of the answer on the screen."""

import streamlit as st

from core.as_json import as_json
from core.errors import BenchError
from core.quality.grading import SCHEMES
from pages.components.marking import marking
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.evaluate.grade import by_file, judges, next_marks, result, start
from pages.parts.evaluate.links import RUN
from pages.parts.ui import in_url
from pages.parts.ui.allowed import explain_refusal, guard
from pages.parts.ui.data_table import download
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error, show_note, show_success
from workbench import open_workbench
from workbench.evaluate.grading.grading import BatchSummary
from workbench.evaluate.results.run_board import RunLine

stage, desk = open_workbench().grading, open_workbench().grading_desk
VIEWS = {"batches": "Batches", "next": "Next answers to mark", "judges": "Judges"}


def main() -> None:
    """Show the view that the page's URL names: the list of batches with the form for a new batch, one batch,
    the answers to mark next, or the judges."""
    show_heading("Grade", "People mark answers without knowing which system gave them; judges are compared with these marks.")
    show_feedback("grade")
    chosen = in_url.read_word("batch")
    batches = {batch.id: batch for batch in stage.list_batches(chosen)}
    if chosen in batches:
        show_batch(batches[chosen])
    elif chosen:
        show_error(f"This workspace has no batch {chosen} of answers to grade.")
        st.button("To all batches", icon=":material/arrow_back:", on_click=open_batch)
    elif not explain_refusal("see gradings"):
        view = in_url.switch_view(VIEWS, "grade_view")
        if view == "judges":
            judges.show()
        elif view == "next":
            show_next()
        else:
            list_batches(list(batches.values()))
    else:
        list_batches(list(batches.values()))
    keys_help(marking.KEYS)


def list_batches(batches: list[BatchSummary]) -> None:
    """Show the list of batches with their progress, and the form for a new batch."""
    for batch in batches:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            show_name(batch)
            st.caption(escape(f"{batch.by}, {batch.at[:16].replace('T', ' ')} UTC"), width="content")
            st.space("stretch")
            st.button(
                "See" if batch.closed else "Grade",
                key=f"grade_open_{batch.id}",
                on_click=open_batch,
                args=(batch.id,),
                icon=":material/arrow_forward:",
            )
    if why := explain_refusal("begin gradings"):
        show_note(f"Only a lead or a researcher can start a batch. {why}")
        return
    if lines := load_lines():
        st.subheader("A new batch", anchor=False)
        start.show(lines)


def show_next() -> None:
    """Show which answers to mark next."""
    if lines := load_lines():
        next_marks.show(lines)


def load_lines() -> dict[str, RunLine]:
    """Return a dict from run id to the run's data, for runs with answers; if there are none, say what to do."""
    lines = {line.run.id: line for line in open_workbench().reports.runs() if line.tally.answered}
    if not lines:
        show_empty("No answers yet", "Run a system on a release: people grade its answers here.", RUN, "Run a system")
    return lines


def show_batch(batch: BatchSummary) -> None:
    """Show the answer that this person grades next or, once the batch is closed, its result."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All batches", icon=":material/arrow_back:", on_click=open_batch, type="tertiary")
        show_name(batch)
        st.space("stretch")
        if not batch.closed:
            if not batch.of:
                by_file.show(batch.id, get_person())
            look_inside(batch)
            show_closing(batch)
    if not batch.closed:
        show_desk(batch)
    elif why := explain_refusal("see gradings"):
        show_note(why)
    else:
        result.show(stage.result(batch.id))
        file = f"grades-{batch.id[:8]}.jsonl"
        download("Marks as JSON lines", lambda: stage.export_lines(batch.id), file, "application/x-ndjson", "grade_file")


def show_desk(batch: BatchSummary) -> None:
    """Show the next answer for this person to grade."""
    ask_here("Give your name: marks are stored under it.", "mark")
    who = get_person()
    place = in_url.read_word("place") or desk.find_next(batch.id, who)
    if place is None:
        say_why_none(batch)
        return
    try:
        sheet = desk.load_sheet(batch.id, place, who)
    except BenchError as error:
        show_error(str(error))
        in_url.write_address(place=None)
        return
    in_url.write_address(place=place)
    st.caption(f"Answer {sheet.number:,} of {sheet.of:,} · you have graded {sheet.mine:,}")
    pressed = marking.show(as_json(sheet), who, str(open_workbench().database.path or "memory"))
    if pressed:
        store_mark(batch.id, pressed, who)
        st.rerun()


def say_why_none(batch: BatchSummary) -> None:
    """Explain why this person has no answer of the batch to grade at present."""
    if batch.done == batch.places:
        show_success("Every answer has a mark. A lead closes the batch to see its result.")
    elif batch.conflicts and batch.done + batch.conflicts == batch.places:
        show_note(
            f"People marked {batch.conflicts:,} answers differently: a person who has not graded them decides, or the batch is "
            "closed without them."
        )
    else:
        show_note("You have graded all your answers. Other people grade the remaining answers or have them open now.")


def store_mark(batch: str, pressed: marking.MarkingEvent, who: str) -> None:
    """Store the mark that the person gave, and go to the next answer."""
    with keep_errors("grade"):
        if pressed.what == "undo":
            in_url.write_address(place=desk.undo(batch, who, pressed.key))
            return
        if pressed.what == "save":
            desk.mark(batch, pressed.place, who, pressed.key, pressed.mark, pressed.comment, pressed.seconds)
    in_url.write_address(place=desk.find_next(batch, who, pressed.place))


def look_inside(batch: BatchSummary) -> None:
    """Show leads which systems gave the answers, and how many answers each person graded."""
    if explain_refusal("see open gradings"):
        return
    with st.popover("Look inside", icon=":material/visibility:", key="grade_inside", width="content"):
        st.caption("This shows which systems gave the answers: after you look, you can no longer grade without knowing them.")
        if st.toggle("Show me", key=f"grade_look_{batch.id}"):
            contents = stage.look_inside(batch.id)
            st.caption(escape("Systems: " + ", ".join(contents.systems)))
            marks = ", ".join(f"{who} {n:,}" for who, n in contents.people.items())
            st.caption(escape(f"Number of marks by person: {marks or 'none yet'}"))
            if contents.by_rule:
                st.caption(f'{contents.by_rule:,} failed or empty answers count as "missing" without grading.')


def show_closing(batch: BatchSummary) -> None:
    """Show the button that closes the batch, and explain what closing does."""
    with st.popover("Close and see", icon=":material/lock_open:", key="grade_close_box", width="content"):
        left = batch.places - batch.done
        out = f"{left:,} of {batch.places:,} answers have no final mark and are left out of all results. " if left else ""
        st.caption(f"{out}The page then shows the systems and results, and nobody can grade these answers any more.")
        st.button(
            "Close the batch",
            key="grade_close",
            type="primary",
            on_click=close_batch,
            args=(batch.id,),
            **guard("begin gradings", not get_person()),
        )


def close_batch(batch: str) -> None:
    with keep_errors("grade"):
        stage.close_batch(batch, get_person())
        in_url.write_address(place=None)


def show_name(batch: BatchSummary) -> None:
    """Show the batch's name and progress, without naming the systems behind its answers."""
    units = f"verdicts at {batch.of}" if batch.of else "answers"
    st.markdown(f"**{escape(f'{batch.places:,} {units} on {batch.release}: {SCHEMES[batch.scheme].label}')}**", width="content")
    differ = f", {batch.conflicts:,} differ" if batch.conflicts else ""
    state = "closed" if batch.closed else f"{batch.done:,} of {batch.places:,} done{differ}"
    st.badge(state, color="gray" if batch.closed else "blue", width="content")


def open_batch(batch: str | None = None) -> None:
    """Open the batch with the id `batch`, or the list of batches if `batch` is None."""
    in_url.write_address(batch=batch, place=None)


main()
