"""Contests on the screen: the form below an item of a release, the lead's list and form, the erratum, and what moved."""

from streamlit.testing.v1 import AppTest

import jobs
from store.items import items
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.release.contests import NewContest

PAGE = "release/contests"


def said(at: AppTest) -> str:
    return "\n".join(
        node.value for kind in (at.caption, at.success, at.error, at.warning, at.info, at.text) for node in kind
    ).replace("\\", "")


def prepare(bench: Workbench) -> tuple[str, str, str]:
    """Freeze v1, run the system echo, and contest two items. Return (id of the first contest, its item, the other item)."""
    bench.releases.freeze("v1")
    request = RunRequest(release="v1", system="echo", retriever="bm25", metrics=["exact_match"])
    jobs.start(bench).submit(bench.runs.plan(request)).result()
    first, second = (one.id for one in bench.reviews.items(status="accepted")[:2])
    question = items.get(bench.database, first).question
    one = bench.contests.submit("v1", NewContest(item=first, kind="wrong_answer", answer=question, person="Zoe"))
    bench.contests.submit("v1", NewContest(item=second, kind="unclear_question", reason="Which one?"))
    return one.id, first, second


def test_an_item_of_a_release_is_contested_below_it(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1")
    item = bench.reviews.items(status="accepted")[0].id

    def form(name: str) -> None:
        from pages.parts.release import contest_form

        contest_form.show("v1", name)

    at = AppTest.from_function(form, args=(item,), default_timeout=60).run()
    at.button(key=f"contest_{item}_send").click().run()
    assert "A contest needs a reason or a proposed answer" in said(at)
    at.text_area(key=f"contest_{item}_reason").set_value("It was her sister.")
    at.button(key=f"contest_{item}_send").click().run()
    assert "waits for a lead" in said(at) and at.text_area(key=f"contest_{item}_reason").value == ""
    (one,) = bench.contests.list_contests("v1")
    assert (one.item, one.reason, one.source) == (item, "It was her sister.", "app")


def test_a_lead_decides_and_goes_on_to_the_next(bench: Workbench, show: Show) -> None:
    one, first, second = prepare(bench)
    links = [link.proto.label for link in show("home/board").get("page_link")]
    assert "2 contests of released items" in links
    at = show(PAGE)
    assert "2 open, 0 accepted, 0 dismissed" in said(at)
    at = show(PAGE, contest=one)
    key = f"contests_{one}_1"
    assert at.text_area(key=f"{key}_answer_1").value == items.get(bench.database, first).question, "the proposed answer"
    assert "Zoe" in said(at)
    at.button(key=f"{key}_dismiss").click().run()
    assert "A dismissal needs a reason" in said(at)
    at.button(key=f"{key}_accept").click().run()
    assert f"The contest of {first} is accepted." in said(at)
    (other,) = bench.contests.list_contests("v1", "open")
    assert other.id in at.query_params["contest"] and other.item == second
    at.button(key=f"contests_{other.id}_1_withdraw").click().run()
    assert items.get(bench.database, second).status == "discarded" and "2 accepted" in said(show(PAGE))


def test_the_erratum_is_frozen_and_results_say_what_moved(bench: Workbench, show: Show) -> None:
    one, _, _ = prepare(bench)
    at = show(PAGE, release="v1")
    assert "No accepted contest changes v1." in said(at) and at.button(key="contests_erratum_freeze").disabled
    at = show(PAGE, contest=one)
    at.button(key=f"contests_{one}_1_accept").click().run()
    at = show(PAGE, release="v1")
    assert "1 item of v1 would be corrected, 0 withdrawn. Its 1 run would be scored again" in said(at)
    at.text_input(key="contests_erratum_name").set_value("v1.1").run()
    at.button(key="contests_erratum_freeze").click().run()
    assert "v1.1 is frozen: 1 item corrected, 0 withdrawn." in said(at)
    jobs.start(bench).submit(str(at.query_params["job"])).result()
    run = next(run for run in bench.reports.runs("v1.1")).run.id
    at = show("evaluate/results", run=run, release="v1.1")
    for _ in range(100):
        if any("What moved because of v1.1" in node.value for node in at.subheader):
            break
        at.run()
    assert any("What moved because of v1.1" in node.value for node in at.subheader) and not at.exception
