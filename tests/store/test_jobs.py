"""Jobs in tables: found again, resumed, cancelled; a piece is done together with what it produced."""

import pytest

from core.errors import BenchError
from store.engine.database import Cursor, Database
from store.items import items
from store.jobs import jobs
from tests.store.sample_items import item

PARAMS = {"task": "explicit_factoid", "count": 5, "settings": {"b": 1, "a": None}}


def test_the_same_command_finds_its_unfinished_job_and_gives_it_the_new_budget() -> None:
    with Database.open(":memory:") as database:
        first = jobs.find_or_create(database, "draft", PARAMS, budget=1.0, total=5)
        same = {"count": 5, "settings": {"a": None, "b": 1}, "task": "explicit_factoid"}
        assert jobs.find_or_create(database, "draft", same, budget=2.5, total=5) == first
        job = jobs.get(database, first[:6])
        assert (job.params, job.budget, job.state, job.total, job.cancel) == (PARAMS, 2.5, "queued", 5, False)
        assert jobs.find_or_create(database, "draft", PARAMS | {"count": 6}) != first
        assert jobs.find_or_create(database, "run", PARAMS) != first
        jobs.end(database, first, "budget")
        assert jobs.find_or_create(database, "draft", PARAMS) == first
        jobs.end(database, first, "done", {"drafted": 5})
        assert jobs.get(database, first).result == {"drafted": 5}
        assert jobs.find_or_create(database, "draft", PARAMS) != first
        assert [job.kind for job in jobs.list_jobs(database)] == ["draft", "draft", "run", "draft"]
        with pytest.raises(BenchError, match="No job nothing"):
            jobs.get(database, "nothing")


def test_a_piece_and_what_it_produced_are_stored_together_or_not_at_all() -> None:
    with Database.open(":memory:") as database:
        job = jobs.create(database, "draft", PARAMS)

        def write(cursor: Cursor) -> None:
            items.insert(cursor, [item("a")])
            jobs.insert_items(cursor, job, [("w1", "done", {"items": ["a"]}), ("w2", "failed", None)], {"w2": "no reply"})
            if not broken:
                return
            cursor.execute("SELECT nothing FROM nowhere")

        broken = True
        with pytest.raises(Exception, match="nowhere"):
            database.write(write)
        assert jobs.load_pieces(database, job) == [] and items.list_items(database) == []
        broken = False
        database.write(write)
        assert jobs.load_results(database, job) == [("w1", {"items": ["a"]})] and items.get(database, "a").id == "a"
        assert jobs.load_pieces(database, job)[1] == jobs.JobItem("w2", "failed", 1, None, "no reply")
        assert jobs.count_states(database, job) == {"done": 1, "failed": 1}


def test_pieces_are_claimed_in_order_once_and_given_back_after_a_kill() -> None:
    with Database.open(":memory:") as database:
        job, other = jobs.create(database, "run", {}), jobs.create(database, "run", {"n": 2})
        for one in (job, other):
            database.write(lambda cursor, one=one: jobs.add_items(cursor, one, [f"q{n}" for n in range(5)]))
        assert database.write(lambda cursor: jobs.claim(cursor, job, 2)) == ["q0", "q1"]
        assert database.write(lambda cursor: jobs.claim(cursor, job, 2)) == ["q2", "q3"]
        database.write(lambda cursor: jobs.insert_items(cursor, job, [("q1", "done", 1)]))
        jobs.begin(database, job, "pid 7")
        assert database.write(lambda cursor: jobs.claim(cursor, job, 9)) == ["q0", "q2", "q3", "q4"]
        assert [(p.key, p.state, p.attempts) for p in jobs.load_pieces(database, job)] == [
            ("q0", "running", 2),
            ("q1", "done", 1),
            ("q2", "running", 2),
            ("q3", "running", 2),
            ("q4", "running", 1),
        ]
        assert jobs.count_states(database, other) == {"todo": 5}


def test_a_cancelled_job_stops_at_its_next_look_and_never_goes_on() -> None:
    with Database.open(":memory:") as database:
        running, waiting, done = (jobs.create(database, "draft", {"n": n}) for n in range(3))
        jobs.begin(database, running, "pid 7")
        jobs.end(database, done, "done")
        assert not jobs.is_cancelled(database, running)
        for job in (running, waiting, done):
            jobs.cancel(database, job)
        assert jobs.is_cancelled(database, running)
        assert [job.state for job in jobs.list_jobs(database)] == ["running", "cancelled", "done"]
        for job in (running, waiting):
            with pytest.raises(BenchError, match="cannot be resumed"):
                jobs.begin(database, job, "pid 8")
        assert jobs.find_or_create(database, "draft", {"n": 1}) != waiting


def test_what_ran_when_its_process_was_killed_is_queued_again() -> None:
    with Database.open(":memory:") as database:
        killed, cancelled, done = (jobs.create(database, "draft", {"n": n}) for n in range(3))
        for job in (killed, cancelled, done):
            jobs.begin(database, job, "pid 7")
        database.write(lambda cursor: jobs.add_items(cursor, killed, ["w"]))
        database.write(lambda cursor: jobs.claim(cursor, killed, 1))
        jobs.cancel(database, cancelled)
        jobs.end(database, done, "done")
        assert [job.id for job in jobs.requeue_interrupted(database)] == [killed]
        assert [(job.state, job.owner) for job in jobs.list_jobs(database)] == [
            (s, None) for s in ("queued", "cancelled", "done")
        ]
        assert jobs.count_states(database, killed) == {"todo": 1}
        assert jobs.requeue_interrupted(database) == []
