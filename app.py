"""Define the app: its server object and its menu. The server imports this module once, and Streamlit runs it again each time a
page is drawn. The module therefore stores nothing: workbench.current_workbench has the open workspace, and jobs.py has the
runner of background jobs."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review import keys_help
from pages.parts.ui.allowed import find_guest_release, find_menu_visibility, list_forbidden_permissions
from pages.parts.ui.frame import note_page, show_frame, tell_unknown_address
from pages.parts.ui.in_url import begin_address, remember_address
from pages.parts.ui.say import show_error, show_failure
from serving.base_path import find_base, place_routes
from serving.lifespan import check_before_start, lifespan
from serving.routes import ROUTES
from serving.security import MIDDLEWARE
from workbench import open_workbench

PAGES: Mapping[str, Sequence[tuple[str, str, str, str]]] = {
    "Build": [
        ("corpus", "Corpus", "library_books", ""),
        ("tables", "Tables", "table_view", ""),
        ("coverage", "Coverage", "grid_on", "draft items"),
        ("draft", "Draft", "edit_note", "draft items"),
        ("trials", "Trials", "compare", ""),
        ("gates", "Gates", "rule", "run gates"),
        ("vary", "Vary", "shuffle", "make variants"),
        ("templates", "Templates", "data_object", "draft items"),
        ("web_question", "Web question", "travel_explore", ""),
        ("reverse", "Reverse", "settings_backup_restore", "draft items"),
    ],
    "Annotate": [
        ("review", "Review", "rate_review", "decide on items"),
        ("adjudicate", "Adjudicate", "balance", "decide between people"),
        ("find", "Find", "search", ""),
        ("rewrite", "Rewrite", "edit_square", "rewrite questions"),
        ("phases", "Two phases", "looks_two", ""),
        ("variants", "Variants", "alt_route", "decide on items"),
        ("conversations", "Conversations", "forum", ""),
        ("nuggets", "Nuggets", "format_list_bulleted", ""),
        ("variant_quality", "Variant quality", "fact_check", "see who did what"),
        ("progress", "Progress", "monitoring", ""),
    ],
    "Release": [
        ("freeze", "Freeze", "ac_unit", "freeze releases"),
        ("browse", "Releases", "inventory_2", "see releases"),
        ("compare", "Compare", "difference", "see releases"),
        ("contests", "Contests", "gavel", "see contests"),
        ("sealed_board", "Board", "lock", "see boards"),
    ],
    "Evaluate": [
        ("run", "Run", "play_circle", "run systems"),
        ("sweeps", "Sweeps", "tune", "run systems"),
        ("results", "Results", "leaderboard", "see runs"),
        ("robustness", "Robustness", "swap_calls", "see runs"),
        ("analyses", "Analyses", "radar", "see runs"),
        ("traces", "Traces", "account_tree", "see runs"),
        ("grade", "Grade", "grading", ""),
        ("question_sets", "Question sets", "quiz", "see runs"),
        ("conformance", "Conformance", "straighten", "see runs"),
    ],
    "Setup": [
        ("agents", "Agents", "smart_toy", "see agents"),
        ("prompts", "Prompts", "description", "see prompts"),
        ("guidelines", "Guidelines", "menu_book", ""),
        ("labels", "Labels", "label", "set the rules of the work"),
        ("queue", "Queue", "low_priority", "set the rules of the work"),
        ("people", "People", "group", ""),
        ("jobs", "Jobs", "pending_actions", ""),
    ],
}
"""Dict from stage of the work to its pages, each as (file in pages/, title, icon, permission); the menu shows a page to people
with the permission ("" = to everybody)."""


GUEST_PAGES = [("pages/release/browse.py", "Release", "inventory_2"), ("pages/setup/people.py", "Your access", "key")]
"""Pages that a guest can see, each as (file, title, icon); every other address shows the first of them."""
BOARD_PAGE = ("pages/release/sealed_board.py", "Board", "lock")
"""Page that a guest of a sealed release sees in place of the page Release, and after the seal was opened beside it."""


def menu() -> dict[str, list[st.Page]]:
    """Return all pages of the menu, grouped by stage of the work. The menu leaves out pages for which the person lacks the
    permission; at the address of such a page, a message says that access is refused. A guest has only the pages in
    GUEST_PAGES, and the page Board for a sealed release."""
    if (release := find_guest_release()) is not None:
        pages = enumerate(_list_guest_pages(release))
        return {"": [st.Page(path, title=title, icon=f":material/{icon}:", default=not i) for i, (path, title, icon) in pages]}
    hidden = list_forbidden_permissions()

    def page(stage: str, file: str, title: str, icon: str, permission: str) -> st.Page:
        path, visibility = f"pages/{stage.lower()}/{file}.py", find_menu_visibility(hidden, permission)
        return st.Page(path, title=title, icon=f":material/{icon}:", visibility=visibility)

    home = st.Page("pages/home/board.py", title="Home", icon=":material/home:", default=True)
    return {"": [home]} | {stage: [page(stage, *row) for row in rows] for stage, rows in PAGES.items()}


def _list_guest_pages(release: str) -> list[tuple[str, str, str]]:
    boards = open_workbench().sealed_boards
    if not boards.is_board(release):
        return GUEST_PAGES
    return [BOARD_PAGE, *GUEST_PAGES] if boards.view(release).opened else [BOARD_PAGE, *GUEST_PAGES[1:]]


def main() -> None:
    """Run the script of the app once: show the logo and the sidebar that all pages share, and then the page. If the page raises
    a BenchError, show the error's message."""
    st.set_page_config(page_title="Benchwright", page_icon="🧪", layout="wide", initial_sidebar_state=236)
    stages = menu()
    page = st.navigation(stages, expanded=True)
    note_page(page.url_path)
    begin_address()
    keys_help.begin()
    try:
        show_frame()
        if find_guest_release() is None:  # a guest sees the release at every address
            tell_unknown_address(page.url_path for pages in stages.values() for page in pages)
        page.run()
    except BenchError as error:
        show_error(str(error))
    finally:
        remember_address()
    keys_help.end()


if __name__ == "__main__":
    main()
else:
    check_before_start()
    routes = place_routes(ROUTES, find_base())
    app = st.App(__file__, lifespan=lifespan, routes=routes, middleware=MIDDLEWARE, on_script_error=show_failure)
