"""The guideline of a task, which a lead wrote in Markdown, shown beside the item that a person works on."""

import streamlit as st

from workbench import open_workbench

STYLE = """<style>
.guideline-beside {
  max-height: min(10.5rem, 15vh); overflow-y: auto; scrollbar-width: thin; font-size: .88rem; line-height: 1.45;
  padding-block-end: 1.2rem; mask-image: linear-gradient(black calc(100% - 1.3rem), transparent);
}
.guideline-beside :is(h1, h2, h3, h4, h5, h6) { font-size: .95rem; padding: .3rem 0; margin: 0; }
.guideline-beside :is(p, ul, ol, li, table, blockquote) { font-size: inherit; margin-block: .15rem; padding-block: 0; }
</style>"""


def show(task: str, who: str) -> None:
    """Show the guideline of the task, expanded until the person `who` closes this version for the first time; show nothing if
    the task has no guideline."""
    text = open_workbench().guidelines.find_beside(task)
    if text is None:
        return
    key = f"guideline_{task}_{text.version}"
    box = st.expander(
        f"Guideline, version {text.version}",
        not open_workbench().own_work.has_seen(who, key),
        key=key,
        icon=":material/menu_book:",
        on_change=_keep_closed,
        args=(key, who),
    )
    with box:
        st.html(f'<div class="guideline-beside" tabindex="0">{STYLE}{text.html}</div>')  # safe HTML from core/text/markdown.py


def _keep_closed(key: str, who: str) -> None:
    if who and not st.session_state[key]:
        open_workbench().own_work.mark_seen(who, key)
