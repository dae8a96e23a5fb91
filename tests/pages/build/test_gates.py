"""The page Gates: an estimate before anything is asked, the job, what was found, how it did against people, and what runs on
every draft."""

import pytest

import jobs
from store.items import items
from tests.faults.test_gates_over_endpoint import PRICES
from tests.openai_server import running
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.build.gating.gating import GateRequest, LlmGateChoice


def said(at: object) -> str:
    kinds = ("caption", "subheader", "text", "markdown", "success", "error", "warning", "info")
    return " ".join(str(getattr(one, "value", "")) for kind in kinds for one in getattr(at, kind)).replace("\\", "")


def test_nothing_is_asked_before_the_estimate_stands_and_the_job_is_begun(
    bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
        name = bench.agent_list.save({"name": "judge", "model": "m", **PRICES})
        at = show("build/gates", domain="law")
        total = len([item for item in items.list_items(bench.database) if item.domain == "law"])
        at.selectbox(key="gates_agent").select(name).run()
        at.button(key="gates_estimate").click().run()

        def start() -> object:
            at.run()
            return [one for one in at.button if one.key == "gates_start"]

        until(start)
        assert f"{total} items." in said(at) and "Nothing has been asked yet." in said(at)
        assert server.count()["requests"] == 0
        at.button(key="gates_start").click().run()
        until(lambda: bench.upkeep.jobs()[0].state == "done")
        assert server.count()["requests"] == total


def test_the_same_gates_can_be_set_for_every_draft_and_are_planned_with_the_next_job(bench: Workbench, show: Show) -> None:
    at = show("build/gates", view="every")
    at.radio(key="every_mode").set_value("set").run()
    at.multiselect(key="every_gates").select("critic").run()
    at.button(key="every_set").click().run()
    assert bench.gating.load_choice() == LlmGateChoice(("critic",))
    job = bench.drafts.plan(task="explicit_factoid", domain="law", count=1, agent="offline", seed=1, budget=None, settings={})
    assert bench.upkeep.job(job).params["asked"] == {"gates": ["critic"], "agents": [], "samples": 3}


def test_who_may_not_run_gates_is_told_so(bench: Workbench, show: Show) -> None:
    bench.people.give("Ada", "admin")
    bench.people.give("Bob", "annotator")
    assert "may not run gates" in said(show("build/gates", person="Bob"))


def test_a_gate_without_an_agent_counts_as_not_run(bench: Workbench, show: Show) -> None:
    job = bench.gating.plan(GateRequest(("critic", "figures"), ("offline",)), [items.list_items(bench.database)[0].id])
    jobs.start(bench).submit(job).result()
    rows = bench.gating.count_findings(["task"])
    while rows.value is None:
        rows = bench.gating.count_findings(["task"])
    (critic,) = [row for row in rows.value if row.gate == "critic"]
    assert (critic.counts["not run"], critic.counts["pass"]) == (1, 0)
    show("build/gates", view="found", by="task")
    show("build/gates", view="people")
