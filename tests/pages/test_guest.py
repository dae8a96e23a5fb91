"""A guest's pages: one release, and the own access. team.md 1."""

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.evaluate.shortcuts.certificates import CertificateRequest


@pytest.fixture
def guest(bench: Workbench) -> Workbench:
    """Gus is a guest of v1; there is another release, and an item that waits."""
    bench.releases.freeze("v1")
    bench.releases.freeze("other")
    bench.people.give("Ada", "admin")
    bench.people.give("Gus", "guest", "v1")
    return bench


def read_words(at: AppTest) -> str:
    shown = (*at.markdown, *at.caption, *at.header, *at.text, *at.warning, *at.error, *at.success, *at.info)
    return " ".join(one.value for one in shown).replace("\\", "")


@pytest.mark.fault(22)
def test_a_guest_gets_one_release_at_every_address(guest: Workbench, show: Show) -> None:
    for page in ("annotate/review", "evaluate/results", "setup/agents", "build/corpus", "release/compare"):
        with pytest.raises(ValueError, match="Could not find a navigation page"):
            show("home/board", person="Gus").switch_page(f"pages/{page}.py").run()
    for page in ("home/board", "release/browse"):
        at = show(page, person="Gus", release="other")
        assert [one.value for one in at.header] == ["Releases"] and list(at.selectbox(key="release").options) == ["v1"]
        assert "Release **v1**" in read_words(at) and not at.error


def test_a_guest_sees_items_statistics_and_exports(guest: Workbench, show: Show) -> None:
    at = show("release/browse", person="Gus")
    assert at.dataframe[0].value.shape[0] > 0
    next(button for button in at.button if button.label == "Verify").click().run()
    assert not at.exception and any("same hashes" in one.value for one in at.success)
    at.session_state["release_tab"] = "Export"
    at.run()
    next(button for button in at.button if button.label == "Prepare").click().run()
    assert not at.exception and "v1-jsonl-" in read_words(at)


def test_a_guest_reads_the_shortcuts_of_the_own_release_and_makes_no_certificate(guest: Workbench, show: Show) -> None:
    jobs.start(guest).submit(guest.certificates.plan(CertificateRequest(release="v1"))).result()
    at = show("release/browse", person="Gus")
    at.session_state["release_tab"] = "Shortcuts"
    at.run()
    assert not at.exception and any("above chance" in table.value.columns for table in at.dataframe)
    assert not any(button.label == "Look for shortcuts" for button in at.button)


def test_a_guest_has_the_own_access_and_no_list_of_people(
    guest: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    at = show("setup/people", person="Gus", view="people")
    assert [one.value for one in at.header] == ["Your access"] and [one.value for one in at.subheader] == ["Tokens"]
    assert "access_sign_out" in [button.key for button in at.button]
    assert "Ada" not in read_words(at) and not at.button_group


def test_a_researcher_is_told_who_decides(guest: Workbench, show: Show) -> None:
    guest.people.give("Rex", "researcher")
    at = show("annotate/review", person="Rex")
    assert "Rex is a researcher here and may not decide on items: ask an annotator, a lead or an admin." in read_words(at)
    at = show("annotate/phases", person="Rex")
    assert "may not review in phases" in read_words(at)
    assert "Nothing waits for you." in read_words(show("home/board", person="Rex"))


def test_an_admin_gives_a_guest_another_release(guest: Workbench, show: Show) -> None:
    at = show("setup/people")
    place = next(i for i, one in enumerate(guest.people.team().people) if one.name == "Gus")
    assert at.dataframe[0].value["Role"][place] == "guest of v1"
    at.session_state["people_list"] = {"selection": {"rows": [place], "columns": [], "cells": []}}
    at.run()
    at.selectbox(key="people_release_Gus").select("other").run()
    at.button(key="people_give").click().run()
    assert guest.people.team().guests == {"Gus": "other"}
