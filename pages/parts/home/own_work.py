"""Shows the person at the screen their waiting work by page, open contests, their unsubmitted texts, comments that mention
them, changed guidelines, and their work in the last seven days."""

from datetime import date, timedelta

import streamlit as st

from pages.parts.annotate.progress.figures import duration
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.person import get_person
from pages.parts.ui.say import escape, shorten
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.annotate.progress.pace import WorkDay, sum_days

CLOSED = "This item is reserved for somebody else, so you cannot open it. Click to remove the comment from this list."
ICONS = {
    "review": ":material/rate_review:",
    "conversations": ":material/forum:",
    "adjudicate": ":material/balance:",
    "rewrite": ":material/edit_square:",
    "phases": ":material/looks_two:",
    "variants": ":material/alt_route:",
}
WORDS = {
    "review": ("item to review", "items to review"),
    "conversations": ("conversation to review", "conversations to review"),
    "adjudicate": ("to decide between people",) * 2,
    "rewrite": ("question to rewrite", "questions to rewrite"),
    "phases": ("web question in two phases", "web questions in two phases"),
    "variants": ("variant to judge", "variants to judge"),
}


def show_waiting() -> None:
    """Show links to the pages on which work waits for this person, and to items with the person's unsubmitted text."""
    st.subheader("Waits for you", anchor=False)
    who = get_person()
    waiting = open_workbench().own_work.list_waiting(who)
    for page, free in waiting:
        st.page_link(f"pages/annotate/{page}.py", label=f"{free:,} {WORDS[page][free != 1]}", icon=ICONS[page])
    decides = not explain_refusal("decide on contests")
    contests = len(open_workbench().contests.list_contests(state="open")) if decides else 0
    if contests:
        words = "contest of a released item" if contests == 1 else "contests of released items"
        st.page_link("pages/release/contests.py", label=f"{contests:,} {words}", icon=":material/gavel:")
    unsent = open_workbench().board.list_unsent_edits(who)
    for text in unsent[:5]:
        st.page_link(
            "pages/annotate/review.py",
            label=f"Not submitted: {escape(shorten(text.question, 70))}",
            icon=":material/edit:",
            query_params={"item": text.item},
        )
    if len(unsent) > 5:
        st.caption(f"{len(unsent) - 5} more of your texts are not submitted")
    if not (waiting or contests or unsent):
        st.caption("Nothing waits for you.")
        if not explain_refusal("draft items"):
            st.page_link("pages/build/draft.py", label="Draft items", icon=":material/edit_note:")


def show_news() -> None:
    """Show comments that mention this person, and changed guidelines; show nothing if there are none."""
    stage, who = open_workbench().own_work, get_person()
    mentions = stage.list_mentions(who)
    if mentions:
        st.subheader("You are mentioned", anchor=False)
    with st.container(gap=None):
        for mention in mentions:
            words = f"{mention.by}: {shorten(mention.text, 90)}"
            if st.button(
                escape(words),
                key=f"mention_{mention.comment}",
                icon=":material/alternate_email:",
                type="tertiary",
                help=escape(f"Comment on the item: {shorten(mention.question, 300)}") if mention.is_open else CLOSED,
            ):
                stage.mark_seen(who, mention.comment)
                if mention.is_open:
                    st.switch_page("pages/annotate/review.py", query_params={"item": mention.item})
                st.rerun()
    changed = stage.list_changed_guidelines(who)
    if changed:
        st.subheader("Guidelines to read", anchor=False)
    with st.container(gap=None):
        for version in changed:
            words = f"{name_task(version.task)}, version {version.version}"
            about = f"{version.by}, {version.at[:10]}" + (f": {version.note}" if version.note else "")
            if st.button(
                escape(words),
                key=f"guideline_{version.version}",
                icon=":material/menu_book:",
                type="tertiary",
                help=escape(shorten(about, 300)),
            ):
                stage.mark_seen(who, str(version.version))
                st.switch_page("pages/setup/guidelines.py", query_params={"task": version.task} if version.task else {})


def show_week() -> None:
    """Show a line about this person's work in the last seven days, with a link to all days on which they worked; show nothing
    if the person has not given a name."""
    who = get_person()
    if not who:
        return
    st.subheader("Your week", anchor=False)
    days = until_ready(lambda: open_workbench().progress.count_days(who), "Counting your days", height=60)
    if days is not None:
        first = date.today() - timedelta(6)
        week = sum_days([day for day in days if day.date >= first] or [WorkDay(first)])
        active = f", {duration(week.active)} at work" if week.active is not None else ""
        st.text(
            "Nothing decided yet."
            if not week.decisions
            else f"{week.decisions:,} {'decision' if week.decisions == 1 else 'decisions'}: {week.accepted:,} accepted, "
            f"{week.edited:,} of them edited, {week.discarded:,} discarded{active}."
        )
    st.page_link("pages/annotate/progress.py", label="Your days", icon=":material/monitoring:", query_params={"view": "week"})
