"""The page of people: roles are turned on, given and kept to; what was refused is on record; whoever is removed is told so."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from store.items import items
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.setup.log import LogFilter


@pytest.fixture
def team(bench: Workbench) -> Workbench:
    """A draft waits; Ada is the admin, Lea leads, Rex researches, everybody else annotates."""
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    items.add(bench.database, [replace(sample, id="draft-1", status="drafted")])
    bench.people.give("Ada", "admin")
    bench.people.give("Lea", "lead")
    bench.people.give("Rex", "researcher")
    return bench


def said(at: AppTest) -> str:
    return " ".join(str(one.value) for one in (*at.error, *at.info, *at.warning, *at.success))


def test_turning_roles_on_makes_the_one_at_the_screen_admin_and_the_log_says_so(bench: Workbench, show: Show) -> None:
    at = show("setup/people")
    at.button(key="people_on").click().run()
    assert bench.people.role("Ada") == "admin" and "Ada is the admin" in said(at)
    assert next((line.person, line.act) for line in bench.log.page(LogFilter())[0]) == ("Ada", "give roles")


def test_an_admin_turns_roles_off_and_an_annotator_cannot(team: Workbench, show: Show) -> None:
    assert "people_off" not in [one.key for one in show("setup/people", person="Bob").button]
    assert show("setup/people", person="Lea").button(key="people_off").disabled
    at = show("setup/people", person="Ada")
    at.button(key="people_off").click().run()
    assert "everybody may do everything" in said(at) and team.people.role("Bob") is None
    assert "people_on" in [one.key for one in at.button]


def test_people_of_another_workspace_get_a_role_by_name_and_people_of_this_one_an_invite(
    team: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    assert not [one for one in show("setup/people").text_input if one.label == "Somebody new"]
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "workspace")
    at = show("setup/people")
    [name] = [one for one in at.text_input if one.label == "Somebody new"]
    name.input("workspace:Bo")
    [give] = [one for one in at.button if one.label == "Give the role"]
    give.click().run()
    assert "workspace:Bo is annotator from now on" in said(at).replace("\\", "") and "Nobody can sign in" not in said(at)
    assert name.placeholder == "workspace:NAME"
    listed = at.dataframe[0].value.set_index("Person")["Signs in"]
    assert (listed["workspace:Bo"], listed["Ada"]) == ("not yet", "no")
    assert team.accounts.is_member("workspace:Bo") and not team.accounts.is_member("workspace:Cy")
    [name] = [one for one in at.text_input if one.label == "Somebody new"]
    name.input("Cy")
    next(one for one in at.button if one.label == "Give the role").click().run()
    assert "Nobody can sign in here as Cy: the names of people who sign in here are" in said(at).replace("\\", "")


def test_a_press_of_a_widget_acts_as_the_one_at_the_screen(team: Workbench, show: Show) -> None:
    at = show("setup/guidelines", person="Bob", view="Edit")
    assert "Bob is an annotator here and may not write guidelines: ask a lead or an admin" in said(at).replace("\\", "")
    at = show("annotate/review", person="Bob", item="draft-1")
    assert not [one for one in at.number_input if "hold" in one.label], "who holds what is for leads"


@pytest.mark.fault(22)
@pytest.mark.parametrize(
    ("page", "act"),
    [
        ("build/draft", "draft items"),
        ("release/freeze", "see releases"),
        ("release/browse", "see releases"),
        ("evaluate/run", "see runs"),
        ("evaluate/results", "see runs"),
        ("evaluate/traces", "see runs"),
        ("setup/agents", "see agents"),
        ("setup/prompts", "see prompts"),
    ],
)
def test_a_page_that_is_not_an_annotators_says_so_in_a_sentence(page: str, act: str, team: Workbench, show: Show) -> None:
    at = show(page, person="Bob", release="v1", run="other")
    assert f"Bob is an annotator here and may not {act}: ask" in said(at).replace("\\", "")
    assert any(line.person == "Bob" and line.is_refused for line in team.log.page(LogFilter())[0])


@pytest.mark.parametrize(
    ("person", "page"),
    [
        ("Lea", "build/draft"),
        ("Lea", "release/freeze"),
        ("Lea", "evaluate/run"),
        ("Lea", "setup/agents"),
        ("Lea", "setup/people"),
        ("Rex", "release/freeze"),
        ("Rex", "evaluate/run"),
        ("Rex", "setup/prompts"),
        ("Rex", "annotate/progress"),
        ("Bob", "home/board"),
        ("Bob", "build/corpus"),
        ("Bob", "annotate/review"),
        ("Bob", "annotate/rewrite"),
        ("Bob", "annotate/progress"),
        ("Bob", "setup/guidelines"),
        ("Bob", "setup/jobs"),
        ("Bob", "setup/people"),
    ],
)
def test_the_pages_of_ones_own_work_open_and_refuse_nothing(person: str, page: str, team: Workbench, show: Show) -> None:
    at = show(page, person=person)
    assert not at.error and not [line for line in team.log.page(LogFilter())[0] if line.is_refused]


def test_what_was_asked_and_what_it_cost_is_for_leads_and_researchers(team: Workbench, show: Show) -> None:
    job = team.drafts.plan(task="explicit_factoid", domain="tech", count=1, agent="offline", seed=1, budget=2.5, settings={})
    for page in ("home/board", "setup/jobs"):
        for person, sees in (("Bob", False), ("Lea", True), ("Rex", True)):
            at = show(page, person=person, job=job)
            shown = " ".join(
                [
                    said(at),
                    *(one.value for one in (*at.markdown, *at.caption, *at.subheader)),
                    *(str(list(one.value.columns)) for one in at.dataframe),
                ]
            )
            assert not at.error and ("of 2.5" in shown) == sees, (page, person)
            if page == "home/board":
                assert ("Agents this month" in shown) == sees
            else:
                assert ("Cost" in shown) == sees


def test_whoever_is_removed_is_told_in_one_sentence_and_can_be_brought_back(team: Workbench, show: Show) -> None:
    team.people.remove("Bob")
    at = show("annotate/review", person="Bob")
    assert said(at).startswith("Bob's work here has ended") or "work here has ended" in said(at)
    team.people.bring_back("Bob")
    assert not show("annotate/review", person="Bob").error


def test_the_log_is_a_leads_to_read_and_everybody_sees_who_may_what(team: Workbench, show: Show) -> None:
    assert any(
        "refused" in frame.value.columns or "What was done" in frame.value.columns
        for frame in show("setup/people", person="Lea", view="log").dataframe
    )
    at = show("setup/people", person="Bob", view="log")
    assert list(at.dataframe[0].value.columns) == ["What", "Annotator", "Lead", "Researcher", "Admin", "Guest"]


def test_a_lead_gives_what_somebody_holds_to_another_by_name(team: Workbench, show: Show) -> None:
    team.reviews.holds.hold("draft-1", "Bob")
    at = show("annotate/review", person="Lea", item="draft-1")
    at.selectbox(key="give_what").select(("Bob", "draft-1"))
    at.selectbox(key="give_to").select("Rex").run()
    at.button(key="give_go").click().run()
    assert [(one.person, one.item) for one in team.reviews.holds.list_assigned()] == [("Rex", "draft-1")]
    assert all(one.person != "Bob" for one in team.reviews.holds.list_held()) and "1 item waits for Rex now" in said(at)
    at.button(key="given_Rex_draft-1").click().run()
    assert team.reviews.holds.list_assigned() == []
