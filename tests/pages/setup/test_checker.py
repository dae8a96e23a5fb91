"""The agents page: the checker of grammar at an address, started here, or none, with its download and its test."""

import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from builders.languagetool import server as languagetool_server
from tests.languagetool_server import languagetool, stand_in
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench

PAGE = "setup/agents"


def said(at: AppTest) -> str:
    kinds = ("caption", "success", "error", "warning")
    return " ".join(str(one.value) for kind in kinds for one in getattr(at, kind)).replace("\\", "")


def test_an_address_is_set_and_tested(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    assert at.radio(key="checker_way").value == "none" and "each of them is marked as unverified" in said(at)
    at.radio(key="checker_way").set_value("address").run()
    at.text_input(key="checker_address").set_value("localhost:8081").run()
    at.button(key="checker_set").click().run()
    assert "begins with http" in said(at) and empty_bench.grammar_checker.find_server() == "none"
    with languagetool() as address:
        at.text_input(key="checker_address").set_value(f"{address}/").run()
        at.button(key="checker_set").click().run()
        assert empty_bench.grammar_checker.find_server() == address
        at.button(key="checker_try").click().run()
        until(lambda: "LanguageTool 6.8-stub answered in" in said(at.run()))
    assert "found AUXILIARY_DO_WITH_INCORRECT_VERB_FORM" in said(at)
    at.radio(key="checker_way").set_value("none").run()
    assert empty_bench.grammar_checker.find_server() == "none" and "each of them is marked as unverified" in said(at)


def test_one_is_started_here_and_ends_when_another_way_is_chosen(
    empty_bench: Workbench, show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in stand_in(tmp_path / "lt").items():
        monkeypatch.setenv(name, value)
    at = show(PAGE)
    assert at.radio(key="checker_way").value == "here" and "LanguageTool starts when it is first needed." in said(at)
    assert "LanguageTool takes some 950 MB of memory" in said(at)
    at.button(key="checker_try").click().run()
    until(lambda: "answered in" in said(at.run()))
    assert "It runs." in said(at) and languagetool_server.local_server.is_running
    at.radio(key="checker_way").set_value("none").run()
    assert not languagetool_server.local_server.is_running and not at.exception


def test_missing_files_are_downloaded_only_when_that_is_asked_for(
    empty_bench: Workbench, show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = stand_in(tmp_path / "lt")
    monkeypatch.setenv("PATH", files["PATH"])
    monkeypatch.setenv("LTP_PATH", str(tmp_path / "new"))
    at = show(PAGE)
    at.radio(key="checker_way").set_value("here").run()
    assert "set LTP_PATH to the folder that holds it" in said(at) and not (tmp_path / "new").exists()
    button = at.button(key="checker_download")
    assert button.label == "Download LanguageTool (some 250 MB)" and "Java 17" in button.help
    monkeypatch.setitem(sys.modules, "language_tool_python.download_lt", None)
    button.click().run()
    until(lambda: "LanguageTool could not be downloaded" in said(at.run()))


def test_only_who_may_change_agents_chooses(empty_bench: Workbench, show: Show) -> None:
    empty_bench.people.give("Ada", "admin")
    empty_bench.people.give("Bob", "researcher")
    assert show(PAGE, person="Bob").radio(key="checker_way").disabled
    assert not show(PAGE).radio(key="checker_way").disabled
