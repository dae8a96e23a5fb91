"""The tab Half-life of a release: the form for newer files, the curve, the changed answers and their contests."""

import io

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from builders.drafting.samples import FOLDER
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.evaluate.half_life.half_life import HalfLifeRequest
from workbench.release.uploads import Upload


def said(at: AppTest) -> str:
    kinds = (at.caption, at.success, at.error, at.warning, at.info, at.text)
    return "\n".join(node.value for kind in kinds for node in kind).replace("\\", "")


def open_tab(show: Show) -> AppTest:
    at = show("release/browse", release="v1")
    at.session_state["release_tab"] = "Half-life"
    return at.run()


@pytest.fixture
def released(bench: Workbench) -> Workbench:
    """Twelve questions on the sample scholars, frozen as v1."""
    bench.tables.load_samples()
    words = {"id": "organization_of", "kind": "simple", "text": "What is the organization of {who}?"}
    bench.templates.save({**words, "table": "persons", "slots": {"who": "name"}, "answer": "organization"})
    job = bench.seasons.plan(["organization_of"], 12, 13)
    jobs.start(bench).submit(job).result()
    for item in bench.seasons.list_made(job):
        bench.reviews.decide(item.id, "accept", person="Ada", reason="")
    bench.releases.freeze("v1", tasks=["template_question"])
    return bench


def test_a_release_that_nobody_checked_says_so_and_offers_the_form(released: Workbench, show: Show) -> None:
    at = open_tab(show)
    assert "Nobody has checked yet" in said(at) and at.button(key="half_life_start").disabled


def test_the_curve_and_the_changed_answers_are_shown_and_contested(released: Workbench, show: Show) -> None:
    raw = (FOLDER / "newer" / "persons.csv").read_bytes()
    request = HalfLifeRequest(release="v1", at="2040-01-01", tables=[Upload("persons.csv", io.BytesIO(raw), len(raw))])
    result = jobs.start(released).submit(released.half_life.plan(request)).result()
    changed = result["outcomes"]["changed"]
    at = open_tab(show)
    for _ in range(20):
        if at.dataframe:
            break
        at.run()
    assert not at.exception and len(at.dataframe[0].value) == changed
    at.button(key="half_life_contest").click().run()
    assert f"{changed} contest" in said(at) and len(released.contests.list_contests("v1")) == changed
    at.selectbox(key="half_life_outcome").set_value("not_found").run()
    assert "No answer is not found." in said(at)
