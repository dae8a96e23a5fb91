"""The app: the server object and the menu. It is imported once for the server and executed again at every rerun, so it holds
no state: the workspace is workbench.current_workbench's, the background runner jobs.py's."""

from functools import partial

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review import keys_help
from pages.parts.ui.allowed import find_menu_visibility, list_forbidden_acts
from pages.parts.ui.frame import frame, tell_unknown_address
from pages.parts.ui.say import broken, trouble
from serving.lifespan import lifespan
from serving.routes import ROUTES
from serving.security import MIDDLEWARE


def menu() -> dict[str, list[st.Page]]:
    """Every page, by stage; a page is one line here. One that somebody may not use is out of their sight; its address still
    opens it, and says why not."""
    when = partial(find_menu_visibility, list_forbidden_acts())
    return {
        "": [st.Page("pages/home/board.py", title="Home", icon=":material/home:", default=True)],
        "Build": [
            st.Page("pages/build/corpus.py", title="Corpus", icon=":material/library_books:"),
            st.Page("pages/build/tables.py", title="Tables", icon=":material/table_view:"),
            st.Page("pages/build/coverage.py", title="Coverage", icon=":material/grid_on:", visibility=when("draft items")),
            st.Page("pages/build/draft.py", title="Draft", icon=":material/edit_note:", visibility=when("draft items")),
            st.Page("pages/build/trials.py", title="Trials", icon=":material/compare:"),
            st.Page("pages/build/gates.py", title="Gates", icon=":material/rule:", visibility=when("run gates")),
            st.Page("pages/build/vary.py", title="Vary", icon=":material/shuffle:", visibility=when("make variants")),
            st.Page(
                "pages/build/templates.py", title="Templates", icon=":material/data_object:", visibility=when("draft items")
            ),
            st.Page("pages/build/web_question.py", title="Web question", icon=":material/travel_explore:"),
            st.Page(
                "pages/build/reverse.py",
                title="Reverse",
                icon=":material/settings_backup_restore:",
                visibility=when("draft items"),
            ),
        ],
        "Annotate": [
            st.Page("pages/annotate/review.py", title="Review", icon=":material/rate_review:"),
            st.Page(
                "pages/annotate/adjudicate.py",
                title="Adjudicate",
                icon=":material/balance:",
                visibility=when("decide between people"),
            ),
            st.Page("pages/annotate/find.py", title="Find", icon=":material/search:"),
            st.Page("pages/annotate/rewrite.py", title="Rewrite", icon=":material/edit_square:"),
            st.Page("pages/annotate/phases.py", title="Two phases", icon=":material/looks_two:"),
            st.Page("pages/annotate/variants.py", title="Variants", icon=":material/alt_route:"),
            st.Page(
                "pages/annotate/variant_quality.py",
                title="Variant quality",
                icon=":material/fact_check:",
                visibility=when("see who did what"),
            ),
            st.Page("pages/annotate/progress.py", title="Progress", icon=":material/monitoring:"),
        ],
        "Release": [
            st.Page("pages/release/freeze.py", title="Freeze", icon=":material/ac_unit:", visibility=when("freeze releases")),
            st.Page(
                "pages/release/browse.py", title="Releases", icon=":material/inventory_2:", visibility=when("see releases")
            ),
            st.Page("pages/release/compare.py", title="Compare", icon=":material/difference:", visibility=when("see releases")),
        ],
        "Evaluate": [
            st.Page("pages/evaluate/run.py", title="Run", icon=":material/play_circle:", visibility=when("run systems")),
            st.Page("pages/evaluate/sweeps.py", title="Sweeps", icon=":material/tune:", visibility=when("run systems")),
            st.Page("pages/evaluate/results.py", title="Results", icon=":material/leaderboard:", visibility=when("see runs")),
            st.Page(
                "pages/evaluate/robustness.py", title="Robustness", icon=":material/swap_calls:", visibility=when("see runs")
            ),
            st.Page("pages/evaluate/analyses.py", title="Analyses", icon=":material/radar:", visibility=when("see runs")),
            st.Page("pages/evaluate/traces.py", title="Traces", icon=":material/account_tree:", visibility=when("see runs")),
            st.Page("pages/evaluate/grade.py", title="Grade", icon=":material/grading:"),
            st.Page(
                "pages/evaluate/question_sets.py", title="Question sets", icon=":material/quiz:", visibility=when("see runs")
            ),
            st.Page(
                "pages/evaluate/conformance.py", title="Conformance", icon=":material/straighten:", visibility=when("see runs")
            ),
        ],
        "Setup": [
            st.Page("pages/setup/agents.py", title="Agents", icon=":material/smart_toy:", visibility=when("see agents")),
            st.Page("pages/setup/prompts.py", title="Prompts", icon=":material/description:", visibility=when("see prompts")),
            st.Page("pages/setup/guidelines.py", title="Guidelines", icon=":material/menu_book:"),
            st.Page(
                "pages/setup/labels.py", title="Labels", icon=":material/label:", visibility=when("set the rules of the work")
            ),
            st.Page(
                "pages/setup/queue.py",
                title="Queue",
                icon=":material/low_priority:",
                visibility=when("set the rules of the work"),
            ),
            st.Page("pages/setup/people.py", title="People", icon=":material/group:"),
            st.Page("pages/setup/jobs.py", title="Jobs", icon=":material/pending_actions:"),
        ],
    }


def main() -> None:
    """One rerun: the frame, then the page; what a person can mend is one sentence on it."""
    st.set_page_config(page_title="Benchwright", page_icon="🧪", layout="wide", initial_sidebar_state=236)
    stages = menu()
    page = st.navigation(stages, expanded=True)
    keys_help.begin()
    try:
        frame()
        tell_unknown_address(page.url_path for pages in stages.values() for page in pages)
        page.run()
    except BenchError as error:
        trouble(str(error))
    keys_help.end()


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, lifespan=lifespan, routes=ROUTES, middleware=MIDDLEWARE, on_script_error=broken)
