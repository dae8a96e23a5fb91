"""Show one contest with its item and evidence, and the form in which a lead corrects or withdraws the item, or dismisses the
contest."""

from collections.abc import Mapping
from functools import partial
from typing import Literal

import streamlit as st

from core.quality.contests import KINDS
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.deciding import decision_buttons
from pages.parts.deciding.kept_text import forget_text, sync_text
from pages.parts.release.contest.address import read_filter
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_note
from workbench import open_workbench
from workbench.release.contests import Contest, ContestCase, ContestRuling

EMPTY_HEIGHT_PIXELS = 68
"""Height of a field without text."""
KEYS = [
    ("Ctrl Enter", "Accept with the correction, and open the next contest"),
    ("Alt W", "Accept, and withdraw the item"),
    ("Alt D", "Dismiss with the reason"),
    ("Alt N", "Open the next contest without deciding"),
]

Press = Literal["accept", "withdraw", "dismiss"]
BUTTONS: Mapping[Press, tuple[str, str, str]] = {
    "accept": ("Accept the correction", "check", "ctrl+enter"),
    "withdraw": ("Withdraw the item", "delete", "alt+w"),
    "dismiss": ("Dismiss", "close", "alt+d"),
}
"""A dict from what a button does to the label, icon and shortcut of the button."""


def show(contest: str, key: str) -> None:
    """Show the contest and the form. Raises BenchError if there is no such contest."""
    keys_help(KEYS)
    show_feedback(key)
    case = open_workbench().contests.load_case(contest)
    one = case.contest
    _show_words(one)
    for other in case.others:
        st.caption(escape(f"Also contested ({other.state}): {other.reason or KINDS[other.kind]} {other.answer}"))
    left, right = st.columns([1, 1], gap="large")
    with right:
        _show_released(case)
    with left:
        _show_form(case, f"{key}_{one.id}_{case.item.revision}", key)
    ask_here("Give your name: it is stored with the decision.", key)


def _show_words(one: Contest) -> None:
    """Show the text of the contest and the decisions on it so far."""
    who = f"by {one.person}" if one.person else "without a name"
    origin = "from a file" if one.source == "file" else "in the app"
    st.caption(escape(f"{one.release} · {one.item} · {who}, {origin}, {one.at[:16].replace('T', ' ')} UTC · {one.state}"))
    st.markdown(f"**{escape(KINDS[one.kind])}**")
    if one.reason:
        st.text(one.reason)
    if one.answer:
        st.text(f"Proposed answer: {one.answer}")
    for past in one.decisions:
        what = "item withdrawn" if past.revision is None else f"revision {past.revision}"
        done = "dismissed" if past.decision == "dismiss" else f"accepted, {what}"
        st.caption(escape(f"{past.at[:16].replace('T', ' ')} UTC  {past.person}: {done}. {past.reason}"))


def _show_released(case: ContestCase) -> None:
    """Show the released evidence, and how the item differs now from the released item."""
    released, now = case.released.item, case.item
    st.caption(f"Evidence as released ({len(released.evidence)})")
    for span, text in zip(released.evidence, case.released.evidence, strict=True):
        st.text(f"{case.released.titles.get(span.document, span.document)}, {span.start} to {span.end}")
        st.code(text, language=None, wrap_lines=True)
    if not released.evidence:
        st.text("This item has no evidence.")
    if now.revision != released.revision or now.status != "accepted":
        show_note(f"Changed since the release: from revision {released.revision} to {now.revision}, which is {now.status}.")
        word_diff.show(released.question, now.question)
        word_diff.show("\n".join(released.answers), "\n".join(now.answers))


def _show_form(case: ContestCase, fields: str, key: str) -> None:
    answers, proposed = [*case.item.answers], case.contest.answer
    if proposed and case.contest.kind == "wrong_answer" and case.contest.state == "open" and answers:
        answers[0] = proposed
    elif proposed and case.contest.kind != "wrong_answer" and case.contest.state == "open":
        answers.append(proposed)
    labels = {"question": "Question", "answer_1": "Answer"}
    labels |= {f"answer_{number}": f"Answer {number}" for number in range(2, len(answers) + 1)}
    labels[f"answer_{len(answers) + 1}"] = "Another answer" if answers else "Answer"
    labels |= {f"evidence_{number}": f"Evidence {number}" for number in range(1, len(case.evidence) + 1)}
    labels[f"evidence_{len(case.evidence) + 1}"] = "Another passage, copied from the item's documents"
    labels["reason"] = "Reason (needed to dismiss)"
    first = [case.item.question, *answers, "", *case.evidence, "", ""]
    sync_text(fields, _place(case), dict(zip(labels, first, strict=True)), key)
    with st.container(key=fields), st.form(f"{fields}_form", border=False, enter_to_submit=False):
        for name, label in labels.items():
            height: Literal["content"] | int = "content" if st.session_state[f"{fields}_{name}"] else EMPTY_HEIGHT_PIXELS
            st.text_area(label, key=f"{fields}_{name}", height=height)
        counts = (len(answers) + 1, len(case.evidence) + 1)
        press = partial(_decide, case, fields, counts, key)
        decision_buttons.show(fields, BUTTONS, press, "contest", _find_next(case.contest), "decide on contests")
    st.caption(
        "Empty fields are left out. This browser keeps what you typed until you decide. The release stays as it is: accepted "
        "contests go into its erratum."
    )


def _place(case: ContestCase) -> str:
    """Return the name under which the browser stores the text typed for this contest. The name changes with each decision."""
    return f"contest:{case.contest.id}:{case.item.revision}:{len(case.contest.decisions)}"


def _decide(case: ContestCase, fields: str, counts: tuple[int, int], key: str, kind: Press) -> None:
    state, item = st.session_state, case.item
    following = _find_next(case.contest)

    def read(name: str, count: int) -> list[str]:
        return [str(state[f"{fields}_{name}_{number}"] or "") for number in range(1, count + 1)]

    question, answers, evidence = str(state[f"{fields}_question"]), read("answer", counts[0]), read("evidence", counts[1])
    is_correction = kind == "accept"
    with keep_errors(key):
        decided = open_workbench().contests.decide(
            ContestRuling(
                contest=case.contest.id,
                decision="dismiss" if kind == "dismiss" else "accept",
                person=get_person(),
                reason=str(state[f"{fields}_reason"] or ""),
                question=question if is_correction and question.strip() != item.question else None,
                answers=answers if is_correction else None,
                evidence=evidence
                if is_correction and [text for text in evidence if text.strip()] != [*case.evidence]
                else None,
                withdraw=kind == "withdraw",
                seen=len(case.contest.decisions),
                revision=item.revision,
            )
        )
        forget_text(_place(case))
        keep_success(key, f"The contest of {decided.item} is {decided.state}.")
        write_address(contest=following)


def _find_next(contest: Contest) -> str | None:
    """Return the id of the next contest of the list after this one, or None. Only open contests follow if the list has all
    states."""
    only = read_filter()
    waiting = open_workbench().contests.list_contests(only.release, only.state or "open")
    ids = [one.id for one in waiting]
    after = ids[ids.index(contest.id) + 1 :] if contest.id in ids else ids
    return next((id_ for id_ in [*after, *ids] if id_ != contest.id), None)
