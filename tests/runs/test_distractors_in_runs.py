"""Distractors in runs: the rows that a release's questions stand on among some others alone. Every gold can still be reckoned,
the same seed gives the same rows, and all of it is part of the run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builders.templates.seasons import refresh
from builders.templates.template_context import ground
from core.tables.distractors import mix_distractors
from store.engine.database import Database
from store.items import items
from store.runs import runs
from terminal.local_session import LocalSession
from tests.conftest import Bench
from workbench import Workbench

RUN = ("run", "v1", "--system", "pal", "--agent", "offline", "--set", "environment=tables")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Questions of every sample template."""
    with Workbench.open(tmp_path_factory.mktemp("made") / "w.duckdb") as bench:
        ids = bench.templates.load_samples()
        LocalSession().finish(bench, bench.seasons.plan(ids, 3 * len(ids), 1))
        yield bench


def test_golds_of_every_kind_of_template_stay_among_distractors(made: Workbench) -> None:
    asked, world = items.list_items(made.database), made.tables.tables()
    kinds = {item.labels["question_type"] for item in asked}
    assert {"simple", "simple_w_condition", "comparison", "aggregation", "set", "multi-hop", "false_premise"} <= kinds
    cut = mix_distractors(world, ground(world, asked), others=5, nearest=0, seed=3)
    assert sum(map(len, cut.tables.values())) < sum(map(len, world.values()))
    for told in refresh(cut.tables, asked):
        assert not told.is_changed, (told.item.question, told.why)


def test_what_stands_beside_the_subjects_is_counted_and_seeded(made: Workbench) -> None:
    asked, world = items.list_items(made.database)[:3], made.tables.tables()
    subjects = ground(world, asked)
    one, same, other = (mix_distractors(world, subjects, others=6, nearest=2, seed=seed) for seed in (1, 1, 2))
    assert one.tables.hashes == same.tables.hashes != other.tables.hashes
    for table, told in one.told.items():
        assert told["subjects"] + told["distractors"] == len(one.tables[table]) < len(world[table])
        assert told["noise"] == told["distractors"] / told["subjects"] and told["distractors"] >= 6
    fewer = mix_distractors(world, {table: sorted(keys)[:1] for table, keys in subjects.items()}, others=6, nearest=2, seed=1)
    another = mix_distractors(
        world,
        {table: sorted(world[table].index_column(world[table].spec.key))[-1:] for table in subjects},
        others=6,
        nearest=2,
        seed=1,
    )
    assert all(fewer.tables[table].hash != another.tables[table].hash for table in subjects), "other subjects, other rows"


@pytest.fixture
def frozen(bw: Bench, tmp_path: Path) -> Path:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.templates.load_samples()
        LocalSession().finish(bench, bench.seasons.plan(["person_workplace"], 3, 1))
        for item in items.list_items(bench.database):
            bench.reviews.decide(item.id, "accept", person="ann")
    assert bw("freeze", "v1").code == 0
    return tmp_path / "w.duckdb"


def config(workspace: Path, run: str) -> dict[str, Any]:
    with Database.open(workspace) as database:
        return dict(runs.get(database, run).config)


def test_a_run_asks_subjects_among_distractors_and_says_so(bw: Bench, frozen: Path) -> None:
    whole = bw(*RUN).json
    words = (*RUN, "--set", "distractors=10", "--set", "nearest=1")
    cut, other = bw(*words).json, bw(*words, "--set", "distractor_seed=5").json
    assert len({whole["run"], cut["run"], other["run"]}) == 3 and bw(*words).json["reused"] == 3
    assert "distractors" not in config(frozen, whole["run"])
    [told] = config(frozen, cut["run"])["distractors"]
    assert set(told) == {"persons"} and told["persons"]["subjects"] == 3 and told["persons"]["distractors"] >= 10
    assert config(frozen, cut["run"])["tables"] == config(frozen, whole["run"])["tables"], "cut out of the same snapshots"
    with Database.open(frozen) as database:
        seen = [
            step.text for trace in runs.load_traces(database, cut["run"]) for step in trace.steps if step.kind == "observation"
        ]
    assert len(seen) == 3 and all(text.count("person_id") <= 10 for text in seen)


def test_what_cannot_be_is_one_sentence(bw: Bench, frozen: Path) -> None:
    for words, why in (
        (
            ("--set", "environment=documents", "--set", "distractors=3"),
            "'distractors' applies to tables, which this run does not use",
        ),
        (("--set", "distractors=-1"), "give a whole number of at least 0"),
        (("--set", "distractors=many"), "give a whole number of at least 0"),
    ):
        found = bw("run", "v1", "--system", "pal", "--agent", "offline", "--set", "environment=tables", *words)
        assert found.code == 1 and why in found.sentence
