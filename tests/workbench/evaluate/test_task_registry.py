"""The task registry: what is there, from where, how much of it is frozen, and what can be done at all."""

import json
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from tests.workbench.worked import add, fill
from workbench import Workbench


def table(bench: Workbench, number: int = 0) -> list[dict[str, Any]]:
    made = json.loads(bench.reports.report([], form="json", preset="r_eval_table1"))["tables"]
    return [dict(zip(made[number]["columns"], row, strict=True)) for row in made[number]["rows"]]


def test_an_empty_workspace_says_what_to_do_first() -> None:
    with Workbench.open(":memory:") as bench, pytest.raises(BenchError, match=r"no questions yet.*import a benchmark"):
        table(bench)


def test_each_task_has_its_place_its_sizes_and_who_can_do_it() -> None:
    with Workbench.open(":memory:") as bench:
        fill(bench)
        add(bench, "react")
        add(bench, "pal")
        plays, people, films = table(bench)
        assert [line["id"] for line in (plays, people, films)] == ["1-1", "1-2", "3-1"]
        assert people == {
            "id": "1-2",
            "level": "KS",
            "domain": "people",
            "data set": "",
            "task": "template_question",
            "metric": "r_eval_f1",
            "context": "tables",
            "set": 1,
            "release": "v1",
            "pool": 1,
            "source": "refreshing",
            "seasons": 0,
            "feasible": 2,
            "tried": 2,
        }
        told = (plays["data set"], plays["context"], plays["source"], plays["feasible"])
        assert told == ("plays", "the corpus", "existing", 1)
        assert (films["set"], films["release"], films["pool"]) == (2, "v2", 2), "the newest release that holds any"
        assert (films["feasible"], films["tried"]) == (0, 2)
        able = {(line["system"], line["task"]): (line["n"], line["above 0"], line["feasible"]) for line in table(bench, 1)}
        assert able["react", "1-1"] == (1, 0, "no") and able["pal", "1-1"] == (1, 1, "yes")
        assert able["react", "3-1"] == (1, 0, "no"), "an answer that failed has no reward"


def test_what_was_discarded_is_in_no_pool_and_a_run_is_not_asked_for() -> None:
    with Workbench.open(":memory:") as bench:
        fill(bench)
        bench.reviews.decide("a", "discard", person="Ann", reason="a test")
        assert [line["id"] for line in table(bench)] == ["1-1", "3-1"]
        run = add(bench, "pal")
        with pytest.raises(BenchError, match="give no run"):
            bench.reports.report([run], form="csv", preset="r_eval_table1")


def test_seasons_stand_with_seed_versions_and_data() -> None:
    with Workbench.open(":memory:") as bench:
        bench.templates.load_samples()
        runner = jobs.start(bench)
        made = runner.submit(bench.seasons.plan(["person_workplace", "coauthors_named"], 6, seed=3)).result()
        jobs.stop(bench)
        (season,) = table(bench, 1)
        assert (season["seed"], season["n"], season["season"]) == ("3", 6, str(made["season"])[:8])
        assert "person_workplace@" in season["templates"] and "persons" in season["tables"]
        first, second = table(bench)
        assert {first["level"], second["level"]} == {"KS", "KA"}
        assert first["context"].startswith("tables (") and (first["seasons"], second["seasons"]) == (1, 1)
