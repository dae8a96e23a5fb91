"""The draft page: a window is looked at, drafted once however often one presses, made again for a reason, or drafted in
bulk."""

import re

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from core.nouns import Document
from store.corpus import documents
from store.jobs import jobs as stored_jobs
from tests.pages.conftest import ROOT, Show
from workbench import Workbench


def button(at: AppTest, label: str):
    """The button of that label."""
    return next(b for b in at.button if b.label == label)


def at_address(at: AppTest, name: str) -> str:
    """One value of the page's address."""
    value = at.query_params[name]
    return value if isinstance(value, str) else value[0]


def settled(at: AppTest) -> AppTest:
    """The page once nothing is looked up beside it any more."""
    for _ in range(200):
        if not any("Looking for" in c.value or "Filling" in c.value or "Reading the context" in c.value for c in at.caption):
            break
        at.run()
    return at


def sampled(show: Show, agent: str = "recorded", task: str = "explicit_factoid", domain: str = "tech") -> AppTest:
    at = show("build/draft")
    at.selectbox(key="draft_agent").set_value(agent)
    at.selectbox(key="draft_task").set_value(task)
    at.selectbox(key="draft_domain").set_value(domain)
    at.run()
    return settled(button(at, "Sample context").click().run())


def generated(bench: Workbench, at: AppTest) -> AppTest:
    button(at, "Generate").click().run()
    job = at_address(at, "job")
    jobs.start(bench).submit(job).result()
    return at.run()


def words(at: AppTest) -> str:
    """Everything a person reads, without the marks that escape it."""
    shown = [*at.markdown, *at.caption, *at.error, *at.info, *at.warning, *at.success, *at.text, *at.code]
    return re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", "\n".join(str(one.value) for one in shown))


def test_a_sampled_window_says_where_it_is_from_and_how_long_it_is(bench: Workbench, show: Show) -> None:
    at = sampled(show)
    assert "1,010 tokens" in words(at) and "51 sentences" in words(at) and "CC0-1.0" in words(at)
    window = at_address(at, "window")
    settled(button(at, "Another context").click().run())
    assert at_address(at, "window") != window


def test_a_level_2_window_shows_the_item_it_starts_from(bench: Workbench, show: Show) -> None:
    assert "Which firmware version" in words(sampled(show, task="implicit_factoid"))


def test_generate_is_one_job_and_its_item_comes_to_the_desk(bench: Workbench, show: Show) -> None:
    at = generated(bench, sampled(show))
    assert len(stored_jobs.list_jobs(bench.database)) == 1
    assert bench.one_draft.look(at_address(at, "job")).item.question.startswith("At which port")
    assert [b.label for b in at.button if "enerate" in b.label] == ["Discard and regenerate"]


def test_a_reload_brings_window_and_draft_back(bench: Workbench, show: Show) -> None:
    at = generated(bench, sampled(show))
    job = at_address(at, "job")
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    again.session_state["person_name"] = "Ada"
    again.run().switch_page("pages/build/draft.py")
    again.query_params["job"] = job
    settled(again.run())
    assert not again.exception and any(b.label == "Discard and regenerate" for b in again.button)


def test_a_refused_draft_is_shown_with_why(bench: Workbench, show: Show) -> None:
    at = sampled(show)
    settled(button(at, "Another context").click().run())
    at = generated(bench, at)
    assert "A gate refused this draft" in words(at) and "does not occur in the cited evidence" in words(at)


def test_regenerate_needs_a_reason_and_discards_with_it(bench: Workbench, show: Show) -> None:
    at = generated(bench, sampled(show))
    first = bench.one_draft.look(at_address(at, "job"))
    button(at, "Discard and regenerate").click().run()
    assert "Say why you want another draft" in words(at)
    at.text_input(key=f"words_{first.job}").set_value("say which port authority").run()
    button(at, "Discard and regenerate").click().run()
    jobs.start(bench).submit(at_address(at, "job")).result()
    at.run()
    assert bench.reviews.items()[-1].status == "discarded" and "asked again: say which port authority" in words(at)
    assert "No reply is recorded" in words(at) and any(b.label == "Generate again" for b in at.button)


def test_nobody_without_a_name_discards(bench: Workbench, show: Show) -> None:
    at = generated(bench, sampled(lambda page: show(page, person=" ")))
    assert button(at, "Discard and regenerate").disabled and "Give your name" in words(at)


def test_nothing_worth_asking_is_said_with_the_reason(bench: Workbench, show: Show) -> None:
    at = generated(bench, sampled(show, task="implicit_factoid", domain="science"))
    assert "nothing worth asking" in words(at) and "藤壶" in words(at)


def test_another_task_leaves_the_window(bench: Workbench, show: Show) -> None:
    at = sampled(show)
    at.selectbox(key="draft_task").set_value("explicit_rationale").run()
    assert "window" not in at.query_params and not any(b.label == "Generate" for b in at.button)


def test_what_cannot_begin_is_a_sentence_at_its_place(bench: Workbench, show: Show) -> None:
    sql = "UPDATE state SET status = 'discarded' WHERE domain = 'tech'"
    bench.database.write(lambda cursor: cursor.execute(sql).fetchall())
    assert "draft those first" in words(sampled(show, task="implicit_factoid"))


@pytest.mark.fault(3)
def test_marks_in_a_document_are_shown_as_they_stand(bench: Workbench, show: Show) -> None:
    text = "The price was $5 and *not* $6. <img src=x onerror=alert(1)> came later. " * 20
    documents.add(bench.database, [Document("marks", text, "A *title* with $x$ and <b>", "marks")])
    at = sampled(show, agent="offline", domain="marks")
    assert "A *title* with $x$ and <b>" in words(at)
    assert not any("<b>" in m.value and "\\<b" not in m.value for m in at.markdown)


def bulk(show: Show, **chosen: object) -> AppTest:
    at = show("build/draft", draft_mode="bulk")
    at.segmented_control(key="draft_mode").set_value("bulk").run()
    at.selectbox(key="bulk_agent").set_value(chosen.get("agent", "offline"))
    at.multiselect(key="bulk_tasks").set_value(chosen.get("tasks", ["explicit_factoid"]))
    at.multiselect(key="bulk_domains").set_value(chosen.get("domains", ["tech"])).run()
    at.number_input(key="bulk_count").set_value(chosen.get("count", 2))  # the press leaves the field and comes with its value
    return settled(button(at, "Estimate").click().run())


def test_an_estimate_comes_before_the_start_and_the_jobs_are_shown(bench: Workbench, show: Show) -> None:
    at = bulk(show, domains=["tech", "science"])
    assert "Calls" in words(at) and "0.00 USD" in words(at) and not stored_jobs.list_jobs(bench.database)
    button(at, "Start 2 jobs").click().run()
    made = stored_jobs.list_jobs(bench.database)
    assert [job.params["domain"] for job in made] == ["tech", "science"] and at.query_params["jobs"] == [j.id for j in made]
    for job in made:
        jobs.start(bench).submit(job.id).result()
    at.run()
    assert "explicit factoid items from tech with offline" in words(at)


def test_the_same_order_goes_on_with_an_unfinished_job(bench: Workbench, show: Show) -> None:
    job = bench.drafts.plan(task="explicit_factoid", domain="tech", count=2, agent="offline", seed=7, budget=None, settings={})
    at = bulk(show)
    button(at, "Start the job").click().run()
    assert at_address(at, "jobs") == job


def test_an_order_that_cannot_begin_starts_nothing(bench: Workbench, show: Show) -> None:
    bench.agent_list.save({"name": "mock", "model": "m", "base_url": "http://127.0.0.1:9/v1"})
    at = bulk(show, agent="mock")
    assert "price unknown" in words(at) and "time unknown" in words(at)
    at.number_input(key="bulk_budget").set_value(1.0).run()
    settled(button(at, "Estimate").click().run())
    assert "needs prices" in words(at) and next(b for b in at.button if b.label.startswith("Start")).disabled


def test_jobs_that_cannot_begin_are_named_and_the_others_start(bench: Workbench, show: Show) -> None:
    documents.add(bench.database, [Document("mill", "The mill of Orvel burnt in 1902. " * 20, "Mill", "milling")])
    at = bulk(show, tasks=["explicit_factoid", "implicit_factoid"], domains=["milling"])
    assert ["draft those first" in warning.value for warning in at.warning] == [True]
    button(at, "Start the job").click().run()
    (made,) = stored_jobs.list_jobs(bench.database)
    assert made.params["task"] == "explicit_factoid" and at_address(at, "jobs") == made.id
    assert ["draft those first" in error.value for error in at.error] == [True]


@pytest.mark.parametrize("mode", ["one", "bulk"])
def test_an_empty_workspace_leads_to_the_corpus(empty_bench: Workbench, show: Show, mode: str) -> None:
    assert "No documents yet" in words(show("build/draft", draft_mode=mode))


def test_where_a_task_searches_is_chosen_and_what_it_lacks_is_said(bench: Workbench, show: Show) -> None:
    at = show("build/draft", draft_mode="In bulk")
    assert not [box for box in at.selectbox if box.key == "bulk_search"], "explicit factoids search nowhere"
    at.multiselect("bulk_tasks").set_value(["summary", "explicit_factoid"]).run()
    at.selectbox("bulk_search").set_value("http_json").run()
    assert not at.exception and any("is not set up yet" in one.value for one in at.caption)
    at.button("bulk_estimate").click().run()
    assert at.session_state["bulk_wish"][0].settings == {"search": "http_json"}
