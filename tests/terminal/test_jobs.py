"""The list of jobs, for people."""

from terminal.verbs.upkeep import told


def test_a_run_in_the_list_of_jobs_ends_with_the_id_that_report_takes() -> None:
    params = {"system": "vanilla", "retriever": "bm25", "agent": "offline", "release": "v1"}
    job = {"id": "4dab24c033924994", "kind": "run", "state": "done", "done": 60, "total": 60, "params": params}
    assert told(job | {"result": {"run": "1509fce2b00e86de"}}).endswith(" with offline on v1: run 1509fce2b00e86de")
    assert told(job | {"state": "running", "result": None}).endswith(" Run vanilla over bm25 with offline on v1")
