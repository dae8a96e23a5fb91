"""The app: the server object and the menu. It is imported once for the server and executed again at every rerun, so it holds
no state: the workspace is workbench.opened's, the background runner jobs.py's."""

import streamlit as st

from core.errors import BenchError
from pages.parts import keys_help
from pages.parts.frame import frame
from pages.parts.say import broken, trouble
from serving.lifespan import lifespan
from serving.routes import ROUTES
from serving.security import MIDDLEWARE


def menu() -> dict[str, list[st.Page]]:
    """Every page, by stage; a page is one line here."""
    return {
        "": [st.Page("pages/home/board.py", title="Home", icon=":material/home:", default=True)],
        "Build": [
            st.Page("pages/build/corpus.py", title="Corpus", icon=":material/library_books:"),
            st.Page("pages/build/draft.py", title="Draft", icon=":material/edit_note:"),
        ],
        "Annotate": [
            st.Page("pages/annotate/review.py", title="Review", icon=":material/rate_review:"),
            st.Page("pages/annotate/rewrite.py", title="Rewrite", icon=":material/edit_square:"),
            st.Page("pages/annotate/progress.py", title="Progress", icon=":material/monitoring:"),
        ],
        "Release": [
            st.Page("pages/release/freeze.py", title="Freeze", icon=":material/ac_unit:"),
            st.Page("pages/release/browse.py", title="Releases", icon=":material/inventory_2:"),
            st.Page("pages/release/compare.py", title="Compare", icon=":material/difference:"),
        ],
        "Evaluate": [
            st.Page("pages/evaluate/run.py", title="Run", icon=":material/play_circle:"),
            st.Page("pages/evaluate/results.py", title="Results", icon=":material/leaderboard:"),
            st.Page("pages/evaluate/traces.py", title="Traces", icon=":material/account_tree:"),
        ],
        "Setup": [
            st.Page("pages/setup/agents.py", title="Agents", icon=":material/smart_toy:"),
            st.Page("pages/setup/prompts.py", title="Prompts", icon=":material/description:"),
            st.Page("pages/setup/guidelines.py", title="Guidelines", icon=":material/menu_book:"),
            st.Page("pages/setup/jobs.py", title="Jobs", icon=":material/pending_actions:"),
        ],
    }  # fmt: skip


def main() -> None:
    """One rerun: the frame, then the page; what a person can mend is one sentence on it."""
    st.set_page_config(page_title="Benchwright", page_icon="🧪", layout="wide", initial_sidebar_state=236)
    page = st.navigation(menu(), expanded=True)
    keys_help.begin()
    try:
        frame()
        page.run()
    except BenchError as error:
        trouble(str(error))
    keys_help.end()


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, lifespan=lifespan, routes=ROUTES, middleware=MIDDLEWARE, on_script_error=broken)
