"""What runs are called side by side."""

from dataclasses import replace
from typing import Any

from core.nouns import Run, System
from eval.reports.run_names import name_runs


def run(n: int, settings: dict[str, Any], agent: str = "m", repetition: int = 0, release: str = "v1", **config: Any) -> Run:
    offline = ("answer",) if agent == "offline" else ()
    whole = {"retriever": "bm25", **config}
    return Run(f"{n:x}".ljust(16, "0"), f"b2:{n}", System("vanilla", settings), release, "h", agent, whole, repetition, offline)


def test_a_run_is_called_by_system_retriever_and_agent_and_the_offline_agent_by_its_mark() -> None:
    assert name_runs([run(1, {"top_k": 3}), run(2, {}, agent="offline")]) == ["vanilla bm25 m", "vanilla bm25 (offline)"]


def test_a_run_is_marked_by_its_own_agent_not_by_that_of_the_drafts_or_the_judge() -> None:
    answered = replace(run(1, {}), offline=("draft", "judge"))
    assert name_runs([answered, replace(run(2, {}, agent="offline"), offline=("draft", "answer"))]) == [
        "vanilla bm25 m",
        "vanilla bm25 (offline)",
    ]


def test_runs_of_one_name_are_told_apart_by_what_most_do_not_have() -> None:
    cells = [
        run(1, {"top_k": 8, "chunk_tokens": 128}),
        run(2, {"top_k": 2, "chunk_tokens": 128}),
        run(3, {"top_k": 8, "chunk_tokens": 64}),
        run(4, {"top_k": 8, "chunk_tokens": 128}, sample=[50, 0]),
    ]
    assert name_runs(cells) == [
        "vanilla bm25 m",
        "vanilla bm25 m, top_k 2",
        "vanilla bm25 m, chunk_tokens 64",
        "vanilla bm25 m, sample of 50",
    ]


def test_of_two_neither_is_the_usual_one() -> None:
    assert name_runs([run(1, {"top_k": 1}), run(2, {"top_k": 5})]) == ["vanilla bm25 m, top_k 1", "vanilla bm25 m, top_k 5"]
    assert name_runs([run(1, {}, release="v1"), run(2, {}, release="v2")]) == ["vanilla bm25 m, v1", "vanilla bm25 m, v2"]


def test_what_nothing_tells_apart_bears_its_id_and_no_two_are_alike() -> None:
    hashes = [
        run(n, {"predictions": f"b2:{n}", "user_prompts": [f"rewrite/user_message.en@{n}"]}) for n in (0xABCDEF, 0xABCDEE)
    ]
    assert name_runs(hashes) == ["vanilla bm25 m abcdef", "vanilla bm25 m abcdee"]
    assert name_runs([run(1, {}), run(2, {}, repetition=1)]) == ["vanilla bm25 m", "vanilla bm25 m, repetition 2"]
