"""Questions on web pages: kept as they are typed, handed in whole, reviewed in two phases by people blind to each other."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import BenchError, NotAllowed
from core.nouns import Item, Run, Score, Status, System, Trace
from store.items import items
from store.runs import runs
from tests.store.formats.test_formats_crag import PAGE
from tests.store.stored_scores import store_scores
from workbench import Workbench, actor
from workbench.annotate.reviewing.phase_values import Phase
from workbench.annotate.reviewing.phases import PhaseOpinion, PhaseSheet

WHOLE = {
    "question": "when does the ferry leave?",
    "answer": "at nine",
    "alternatives": "9\n\n at 9 o'clock ",
    "domain": "open",
    "question_type": "set",
    "static_or_dynamic": "slow-changing",
    "query_time": "02/28/2024, 08:35:24 PT",
    "answer_url": "https://e.test/ferries",
}
TITLE = "Ferries of Port Ellery"
ABOUT = {
    "page_url": "https://e.test/ferries",
    "page_name": "",
    "page_snippet": "a <b>ferry</b>",
    "page_last_modified": "Tue, 27 Feb 2024 22:55:55 GMT",
}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        yield made


def handed_in(bench: Workbench, **more: str) -> Item:
    stage = bench.web_questions
    draft = stage.begin("Wim")
    stage.keep("Wim", draft, WHOLE | more)
    stage.add_page("Wim", draft, PAGE, ABOUT)
    return stage.hand_in("Wim", draft)


def test_what_is_typed_is_there_after_a_reload_and_nobody_elses(bench: Workbench) -> None:
    stage = bench.web_questions
    draft = stage.begin("Wim")
    stage.keep("Wim", draft, {"question": "when does"})
    stage.add_page("Wim", draft, PAGE, ABOUT)
    (found,) = stage.drafts("Wim")
    assert found.content["question"] == "when does" and found.content["pages"][0]["title"] == TITLE
    assert stage.drafts("Ann") == []
    with pytest.raises(BenchError, match="belongs to somebody else"):
        stage.keep("Ann", draft, {"question": "mine"})


def test_a_whole_one_becomes_an_item_with_its_pages_that_waits(bench: Workbench) -> None:
    made = items.get(bench.database, handed_in(bench).id)
    assert (made.status, made.task, made.domain, made.provenance.origin) == ("drafted", "web_question", "open", "written")
    assert made.answers == ("at nine", "9", "at 9 o'clock") and made.labels["answer_url"] == "https://e.test/ferries"
    assert (made.labels["question_type"], made.labels["popularity"]) == ("set", "")
    document = bench.corpus.document(made.given[0])
    assert "leaves at nine" in document.text and document.published == "2024-02-27T22:55:55+00:00"
    assert bench.web_questions.drafts("Wim") == []
    assert items.load_history(bench.database, [made.id])[0].by == "Wim"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"question": " "}, "it has no question"),
        ({"answer": ""}, "it has no answer"),
        ({"query_time": "today"}, "query_time 'today'"),
        ({"question_type": "hard"}, "question_type 'hard'"),
        ({"domain": "law"}, "domain 'law'"),
    ],
)
def test_what_is_missing_is_told_and_nothing_is_handed_in(bench: Workbench, more: dict[str, str], why: str) -> None:
    with pytest.raises(BenchError, match="Not handed in") as found:
        handed_in(bench, **more)
    assert why in str(found.value) and len(bench.web_questions.drafts("Wim")) == 1 and not items.list_items(bench.database)


def test_one_without_a_page_is_not_whole(bench: Workbench) -> None:
    draft = bench.web_questions.begin("Wim")
    bench.web_questions.keep("Wim", draft, WHOLE)
    with pytest.raises(BenchError, match="it has no page"):
        bench.web_questions.hand_in("Wim", draft)


@pytest.mark.parametrize(
    ("page", "title", "why"),
    [
        (PAGE, TITLE, ""),
        (PAGE.encode("utf-16"), TITLE, ""),
        ("Plain words of a page.", "Plain words of a page.", ""),
        ("<html><script>x</script></html>", "a ferry", "no visible text"),
        ("", "a ferry", "is empty"),
    ],
)
def test_pages_come_in_as_files_as_html_and_as_text_and_an_empty_one_is_its_snippet(
    bench: Workbench, page: str | bytes, title: str, why: str
) -> None:
    draft = bench.web_questions.begin("Wim")
    kept = bench.web_questions.add_page("Wim", draft, page, ABOUT)
    assert kept["title"] == title and why in kept["why"] and (why == "") == (kept["why"] == "")


def test_a_page_that_shows_nothing_is_refused_and_pages_keep_their_order(bench: Workbench) -> None:
    stage = bench.web_questions
    draft = stage.begin("Wim")
    with pytest.raises(BenchError, match="give a snippet"):
        stage.add_page("Wim", draft, "", {})
    for name in ("one", "two", "three"):
        stage.add_page("Wim", draft, f"Page {name}.", {"page_name": name})
    stage.arrange("Wim", draft, [2, 0, 7, 2])
    assert [page["page_name"] for page in stage.drafts("Wim")[0].content["pages"]] == ["three", "one"]


# two phases


def sheet(bench: Workbench, person: str, **more: Any) -> PhaseSheet:
    found = bench.phases.find_next(person, **more)
    assert found is not None
    return found


def says(bench: Workbench, person: str, phase: Phase, comment: str = "", resolves: bool = False, **more: Any) -> str:
    """Take it as it is, but for `more`; `discard` gives it up."""
    asked = sheet(bench, person, resolves=resolves)
    assert asked.phase == phase
    values = None if more.pop("discard", False) else {**asked.values, **more}
    return bench.phases.say(PhaseOpinion(f"{person}-{phase}-{resolves}", person, asked.item.id, phase, values, comment))


def status(bench: Workbench, item: Item) -> Status:
    return items.get(bench.database, item.id).status


def test_two_equal_opinions_in_each_phase_accept_it(bench: Workbench) -> None:
    item = handed_in(bench)
    assert says(bench, "Ann", "labels") == "waits for another opinion"
    assert bench.phases.find_next("Ann") is None and bench.phases.find_next("Wim") is None
    assert "answers come next" in says(bench, "Bob", "labels")
    says(bench, "Ann", "answers")
    assert status(bench, item) == "drafted" and says(bench, "Cleo", "answers") == "both phases are settled: accepted"
    assert status(bench, item) == "accepted" and items.get(bench.database, item.id).revision == 1


def test_nobody_sees_the_other_opinion_but_whoever_resolves(bench: Workbench) -> None:
    item = handed_in(bench)
    says(bench, "Ann", "labels", question_type="simple", comment="one time")
    blind = sheet(bench, "Bob")
    assert (list(blind.opinions), blind.values["question_type"]) == ([], "set")
    assert "differ" in says(bench, "Bob", "labels", question_type="aggregation")
    assert bench.phases.find_next("Cleo") is None, "a conflict asks for somebody who decides"
    seen = sheet(bench, "Cleo", resolves=True)
    assert [(one.person, one.values["question_type"]) for one in seen.opinions] == [
        ("Ann", "simple"),
        ("Bob", "aggregation"),
    ]
    says(bench, "Cleo", "labels", resolves=True, question_type="simple")
    for name in ("Ann", "Bob"):
        says(bench, name, "answers", answers=["at 9"])
    now = items.get(bench.database, item.id)
    assert (now.status, now.revision, now.labels["question_type"], now.answers) == ("accepted", 2, "simple", ("at 9",))
    assert now.labels["crag"]["pages"] and now.labels["query_time"] == WHOLE["query_time"]


def test_the_answers_are_asked_on_the_question_as_the_labels_left_it(bench: Workbench) -> None:
    handed_in(bench)
    for name in ("Ann", "Bob"):
        says(bench, name, "labels", question="when does the ferry leave today?")
    assert sheet(bench, "Ann").item.question == "when does the ferry leave today?"


def test_a_discard_needs_a_reason_and_two_of_them_end_it(bench: Workbench) -> None:
    item = handed_in(bench)
    with pytest.raises(BenchError, match="needs a reason"):
        says(bench, "Ann", "labels", discard=True)
    says(bench, "Ann", "labels", discard=True, comment="off topic")
    assert says(bench, "Bob", "labels", discard=True, comment="no sense") == "both phases are over: discarded"
    assert status(bench, item) == "discarded" and bench.phases.find_next("Cleo") is None


def test_rates_tell_agreement_corrections_and_conflicts(bench: Workbench) -> None:
    handed_in(bench)
    says(bench, "Ann", "labels", question_type="simple")
    says(bench, "Bob", "labels", question_type="simple")
    says(bench, "Ann", "answers")
    says(bench, "Bob", "answers", answers=["at ten"])
    labels, answers = bench.phases.rates()
    assert (labels.done, labels.agreement.mean, labels.corrected.mean, labels.corrected.n) == (1, 1.0, 1.0, 1)
    assert (answers.conflicts, answers.done, answers.agreement.mean, answers.corrected.n) == (1, 0, 0.0, 0)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"question_type": "hard"}, "question_type 'hard'"),
        ({"question": " "}, "question is empty"),
        ({"popularity": None}, "popularity"),
    ],
)
def test_values_that_no_item_could_have_are_not_stored(bench: Workbench, values: dict[str, Any], why: str) -> None:
    handed_in(bench)
    with pytest.raises(BenchError, match=why):
        says(bench, "Ann", "labels", **values)
    assert bench.phases.rates()[0].agreement.n == 0


def test_the_same_press_is_stored_once_and_a_late_one_is_told(bench: Workbench) -> None:
    item = handed_in(bench)
    asked = sheet(bench, "Ann")
    press = PhaseOpinion("k", "Ann", item.id, "labels", asked.values)
    bench.phases.say(press)
    assert bench.phases.say(press) == "stored already"
    says(bench, "Bob", "labels")
    with pytest.raises(BenchError, match="all its opinions already"):
        bench.phases.say(PhaseOpinion("z", "Cleo", item.id, "labels", asked.values))


def test_the_writer_has_no_opinion_and_conflicts_are_a_leads(bench: Workbench) -> None:
    item = handed_in(bench)
    with pytest.raises(BenchError, match="You wrote this question"):
        bench.phases.say(PhaseOpinion("w", "Wim", item.id, "labels", sheet(bench, "Ann").values))
    bench.people.give("Lea", "admin")
    bench.people.give("Ann", "annotator")
    with actor.act_as("Ann"), pytest.raises(NotAllowed):
        bench.phases.find_next("Ann", resolves=True)


def test_golds_that_answer_nothing_are_in_doubt(bench: Workbench) -> None:
    handed_in(bench, answer="nan")
    (doubt,) = bench.phases.list_doubts()
    assert (doubt.gold, doubt.why) == ("nan", "its gold is “nan”, what a program prints for a missing number")


def test_a_gold_by_which_a_system_was_judged_wrong_is_in_doubt_until_its_question_is_discarded(bench: Workbench) -> None:
    one, two = handed_in(bench), handed_in(bench, question="how long is the bridge?")
    runs.create(bench.database, Run("r", "identity", System("echo"), "v1", "b2:x", None, {}))
    runs.add_traces(bench.database, [Trace("r", item.id, answer="at ten") for item in (one, two)])
    store_scores(
        bench.database,
        [
            Score("r", one.id, None, "crag_truthfulness.offline", "1", -0.5),
            Score("r", two.id, None, "crag_truthfulness.offline", "1", 1.0),
        ],
    )
    (doubt,) = bench.phases.list_doubts("r")
    assert (doubt.item, doubt.gold, doubt.answer, doubt.why) == (one.id, "at nine", "at ten", "answered otherwise")
    for name in ("Ann", "Bob"):
        says(bench, name, "labels", discard=True, comment="wrong gold")
    assert status(bench, one) == "discarded" and bench.phases.list_doubts("r") == []
