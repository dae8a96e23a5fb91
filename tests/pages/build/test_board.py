"""The first screen: three ways to begin, then what is there and what waits."""

from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import jobs
from pages.parts.home import cell_dialog
from store.engine import settings
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.desk.guidelines import name_task


def test_an_empty_workspace_offers_three_ways_and_one_click_fills_it(empty_bench: Workbench, show: Show) -> None:
    at = show("home/board")
    assert [s.value for s in at.subheader] == ["Load the samples", "Add documents", "Import a benchmark"]
    at.button[0].click().run()
    assert any("10 documents with reviewed items" in s.value for s in at.success)
    assert not empty_bench.board.is_empty()
    at.run()
    assert not at.success, "it is said once"


def test_the_board_counts_every_cell(bench: Workbench, show: Show) -> None:
    found = bench.board.cells()
    items = bench.reviews.items(task=None, domain=None, status=None)
    assert sum(cell.accepted for row in found.cells.values() for cell in row.values()) == len(items)
    assert [t.level for t in found.tasks] == [1, 2, 3, 4] and len(found.domains) == 8
    assert [t.label for t in found.tasks] == [name_task(t.task) for t in found.tasks], "tasks are named as on other pages"
    at = show("home/board")
    assert "40 questions to rewrite" in [str(link.proto.label) for link in at.get("page_link")]
    assert any("No agent has been used this month" in c.value for c in at.caption)


def test_a_target_stands_in_its_cell_until_it_is_taken_away(bench: Workbench) -> None:
    def target(level: Any, domain: str = "law") -> Any:
        return bench.board.cells().cell("explicit_factoid", level, domain).target

    bench.board.set_target("explicit_factoid", 1, "law", 20)
    bench.board.set_target("explicit_factoid", None, "law", 5)
    assert (target(1), target(None), target(2), target(1, "tech")) == (20, 5, None, None)
    assert [t.level for t in bench.board.cells().tasks if t.task == "explicit_factoid"] == [1, None]
    bench.board.set_target("explicit_factoid", 1, "law", None)
    assert (target(1), target(None)) == (None, 5)


def test_targets_from_before_levels_were_told_apart_are_of_the_tasks_own(bench: Workbench) -> None:
    settings.put(bench.database, "targets", {"explicit_factoid/law": 20, "summary/a/b": 3})
    cells = bench.board.cells().cells
    assert (cells["explicit_factoid", 1]["law"].target, cells["summary", None]["a/b"].target) == (20, 3)
    bench.board.set_target("explicit_factoid", 1, "tech", 4)
    assert bench.board.cells().cells["summary", None]["a/b"].target == 3


def test_what_waits_is_linked(bench: Workbench, show: Show) -> None:
    asked: dict[str, Any] = {
        "task": "explicit_factoid",
        "count": 2,
        "agent": "offline",
        "seed": 1,
        "budget": None,
        "settings": {},
    }
    job = bench.drafts.plan(domain="law", **asked)
    jobs.start(bench).submit(job).result()
    at = show("home/board")
    assert any("2 items to review" in str(link.proto.label) for link in at.get("page_link"))
    bench.reviews.holds.hold(bench.reviews.items(status="drafted")[0].id, "Bob")
    bench.people.give("Lea", "lead")
    shown = [str(link.proto.label) for link in show("home/board", "Ada").get("page_link")]
    assert "1 item to review" in shown, "what Bob holds is not free for Ada"
    assert not {"Freeze a release", "Run a system"} & set(shown), "an annotator is not sent where annotators may not go"
    waiting = bench.drafts.plan(domain="tech", **asked)
    assert show("home/board", "Lea").button(f"job_{waiting}_resume")


def test_a_target_is_set_for_a_whole_row_or_column(bench: Workbench) -> None:
    bench.board.set_target("explicit_factoid", 1, "law", 7, "domains")
    cells = bench.board.cells()
    column = cells.cells["explicit_factoid", 1]
    assert {domain: column[domain].target for domain in cells.domains} == dict.fromkeys(cells.domains, 7)
    bench.board.set_target("explicit_factoid", 1, "law", 3, "tasks")
    cells = bench.board.cells()
    assert all(cells.cells[task.task, task.level]["law"].target == 3 for task in cells.tasks)
    assert cells.cells["explicit_factoid", 1]["tech"].target == 7
    bench.board.set_target("explicit_factoid", 1, "law", None, "domains")
    assert not any(cell.target for cell in bench.board.cells().cells["explicit_factoid", 1].values())


def draw_cell() -> None:
    from pages.parts.home import cell_dialog
    from pages.parts.home.fill_board import BoardCell
    from workbench.home.board import CellCounts

    cell_dialog._draw(BoardCell("explicit_factoid", 1, "law"), CellCounts(drafted=1))


@pytest.mark.parametrize(("refusal", "fields"), [(None, ["Review here", "Draft here"]), ("Ann may not", ["Review here"])])
def test_only_those_who_may_set_targets_see_the_form(
    monkeypatch: pytest.MonkeyPatch, refusal: str | None, fields: list[str]
) -> None:
    links: list[str] = []
    monkeypatch.setattr(cell_dialog, "explain_refusal", lambda permission: refusal)
    monkeypatch.setattr(st, "page_link", lambda page, *, label, **_: links.append(label))
    at = AppTest.from_function(draw_cell).run()
    assert not at.exception and links == fields
    assert [field.label for field in at.number_input] == ([] if refusal else ["Target number of accepted items"])
