"""The page of prompt trials: a new one from its form to its pairs, and what is told when it is closed."""

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from prompts.prompt import read_delivered
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.build.trials.trials import TrialPlan, TrialSide

NAME = "draft/explicit_factoid"


def said(at: AppTest) -> str:
    kinds = ("caption", "subheader", "markdown", "success", "error", "warning", "info")
    return " ".join(str(one.value) for kind in kinds for one in getattr(at, kind)).replace("\\", "")


@pytest.fixture
def version(bench: Workbench) -> str:
    """Another version of the prompt stands."""
    saved = bench.prompts.save(
        NAME, read_delivered(NAME).replace("You write questions", "You write hard questions"), by="Lea", note="harder"
    )
    assert saved is not None
    return saved.hash


@pytest.fixture
def trial(bench: Workbench, version: str) -> str:
    """Four windows are drafted on both sides."""
    plan = TrialPlan("explicit_factoid", "law", "en", 4, 7, TrialSide("offline", None), TrialSide("offline", version))
    job = bench.trials.start(plan, None, "Lea")
    return str(jobs.start(bench).submit(job).result()["trial"])


def decided(bench: Workbench, trial: str) -> None:
    while key := bench.trial_desk.find_next(trial, "Ada"):
        data = bench.trial_desk.open_pair(trial, key, "Ada")
        given = {
            place: draft and {"decision": "accept", "question": draft.question, "answer": draft.answer}
            for place, draft in (("left", data.left), ("right", data.right))
        }
        bench.trial_desk.decide(trial, key, "Ada", key, left=given["left"], right=given["right"])


def test_a_trial_is_estimated_and_started_from_the_form(bench: Workbench, version: str, show: Show) -> None:
    at = show("build/trials")
    at.number_input("trial_windows").set_value(2).run()
    at.button("trial_estimate").click().run()
    until(lambda: any(b.key == "trial_start" for b in at.button) or at.error or not at.run())
    assert not at.error, at.error[0].value
    assert "Each window is drafted once on each side" in said(at) and not bench.trials.list_trials()
    at.button("trial_start").click().run()
    assert not at.exception
    [one] = bench.trials.list_trials()
    until(lambda: bench.upkeep.job(bench.trials.job(one.id) or "").state == "done")
    at.run()
    assert at.query_params["trial"] == one.id and "Pair 1 of " in said(at)


def test_two_sides_that_are_the_same_are_a_sentence(bench: Workbench, show: Show) -> None:
    at = show("build/trials")
    assert "only its original version" in said(at)
    at.button("trial_estimate").click().run()
    until(lambda: "Both sides are the same" in said(at) or not at.run())


def test_an_open_trial_tells_no_side_and_a_closed_one_what_it_shows(bench: Workbench, trial: str, show: Show) -> None:
    at = show("build/trials", trial=trial)
    assert "harder" not in said(at) and "delivered words" not in said(at) and "0 of 4 pairs decided" in said(at)
    decided(bench, trial)
    at = show("build/trials", trial=trial)
    assert "Every pair is decided" in said(at)
    at.button("trial_close").click().run()
    assert not at.exception
    assert "A delivered words with offline" in said(at).replace("**", "") and "version 1, harder with offline" in said(at)
    assert "Both drafts got the same decision on all of 4 pairs, so no difference is seen" in said(at)
    assert bench.reviews.items(status="accepted", domain="law")


def test_an_annotator_decides_and_a_lead_starts_and_closes(bench: Workbench, trial: str, show: Show) -> None:
    bench.people.give("Lea", "lead")
    bench.people.give("Ann", "annotator")
    at = show("build/trials", person="Ann")
    assert "Only a lead can start a trial" in said(at) and any(b.key == f"trial_open_{trial}" for b in at.button)
    at = show("build/trials", person="Ann", trial=trial)
    assert "Pair 1 of 4" in said(at) and at.button("trial_close").disabled


def test_a_trial_that_is_none_is_said_in_a_sentence(bench: Workbench, show: Show) -> None:
    assert "no trial nothing" in said(show("build/trials", trial="nothing"))
