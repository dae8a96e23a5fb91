"""Robustness from stored traces alone: repeats are one system, need comes from the same agent without retrieval, families that
break most come first."""

import json
from collections.abc import Iterator

import pytest

from core.errors import BenchError
from tests.workbench.worded import add_run, fill, two
from workbench import Workbench
from workbench.background_cache import RunningWork
from workbench.evaluate.results.robustness import REWRITES


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        yield made


def now(ask: object) -> object:
    """The result, once it is there."""
    while True:
        found = ask()  # type: ignore[operator]
        assert isinstance(found, RunningWork)
        if found.value is not None:
            return found.value


def report(bench: Workbench, ids: list[str], preset: str) -> dict[str, list[str]]:
    made = json.loads(bench.reports.report(ids, form="json", preset=preset))
    return {f"{row[0]} {row[1]}": row[2:] for row in made["tables"][0]["rows"]}


def test_accuracy_and_need_come_from_the_traces_without_the_closed_book_run_being_chosen(bench: Workbench) -> None:
    adaptive, _ = two(bench)
    accuracy = report(bench, [adaptive], "query_variations_fig3")
    assert accuracy["hyde bm25 m in_accuracy"] == pytest.approx([200 / 3, 200 / 3, 50, 60])
    decided = report(bench, [adaptive], "query_variations_fig4")
    assert decided["hyde bm25 m questions that need a search"] == pytest.approx([200 / 3, 200 / 3, 50, 60])
    # over: tower's original, bridge's human words; under: every wording of the mill
    assert decided["hyde bm25 m over (needs a search, has none)"][:4] == pytest.approx([100 / 3, 0, 50, 20])
    assert decided["hyde bm25 m under (needs none, searches)"][:4] == pytest.approx([100 / 3, 100 / 3, 50, 40])
    assert decided["hyde bm25 m flips"][1:4] == pytest.approx([100 / 3, 50, 40])


def test_repeats_of_a_configuration_are_one_system(bench: Workbench) -> None:
    fill(bench)
    ids = [
        add_run(bench, "vanilla", {("mill", None): ("1902", []), ("mill", "spelling"): (said, [])}, number)
        for number, said in enumerate(("1902", "never"))
    ]
    found = now(lambda: bench.robustness.summary(ids, with_vectors=False))
    (arm,) = found.arms  # type: ignore[attr-defined]
    one = arm.figures["in_accuracy", "spelling"]
    assert (len(arm.runs), one.mean, one.sd) == (2, 0.5, pytest.approx(0.707107))


def test_families_that_break_most_come_first_and_open(bench: Workbench) -> None:
    adaptive, closed = two(bench)
    found = now(lambda: bench.robustness.families([adaptive], "hyde bm25 m"))
    told = [(f.item, f.broken, f.mended, f.failed) for f in found]  # type: ignore[attr-defined]
    assert told == [("bridge", 2, 0, 0), ("tower", 0, 1, 1), ("mill", 0, 0, 0)]
    assert (found[0].fewest, found[0].most, found[0].is_right) == (0, 2, True)  # type: ignore[index]
    opened = now(lambda: bench.robustness.load_family([adaptive], "hyde bm25 m", "tower"))
    words = {one.record.kind: one for one in opened.wordings}  # type: ignore[attr-defined]
    assert words["original"].similarity is None and words["human"].record.answer is None
    assert words["human"].similarity is None and -1 <= words["spelling"].similarity <= 1
    with pytest.raises(BenchError, match="No system 'x'"):
        now(lambda: bench.robustness.families([closed], "x"))


def test_two_trajectories_stand_side_by_side(bench: Workbench) -> None:
    adaptive, _ = two(bench)
    found = now(lambda: bench.robustness.trajectories([adaptive], "hyde bm25 m", "bridge", "bridge-spelling"))
    first, second = found.hops  # type: ignore[attr-defined]
    assert (first.original.hits_gold, first.rewrite.hits_gold, first.overlap) == (True, False, 0.0)
    assert second.original is None and second.rewrite.hits_gold and second.similarity is None
    assert found.failure == (0.0, 0.5) and found.collapse == 1.0  # type: ignore[attr-defined]
    with pytest.raises(BenchError, match="has no answer"):
        now(lambda: bench.robustness.trajectories([adaptive], "hyde bm25 m", "tower", "tower-human"))


def test_a_run_without_rewrites_says_how_to_ask_them(bench: Workbench) -> None:
    fill(bench)
    plain = add_run(bench, "vanilla", {("mill", None): ("1902", [])}, variants=False)
    with pytest.raises(BenchError, match="--variants"):
        bench.reports.report([plain], form="json", preset="query_variations_fig3")


def test_summary_tells_what_is_lacking(bench: Workbench) -> None:
    adaptive, _ = two(bench)
    found = now(lambda: bench.robustness.summary([adaptive]))
    assert found.kinds == ["original", "spelling", "human"] and (found.items, found.complete) == (3, 3)  # type: ignore[attr-defined]
    assert any("1 of 9 answers failed (human 1)" in note for note in found.notes)  # type: ignore[attr-defined]
    assert found.arms[0].figures["answer_breaks", REWRITES].mean == pytest.approx(2 / 5)  # type: ignore[attr-defined]


def test_the_embedding_model_is_a_setting_that_is_checked(bench: Workbench) -> None:
    assert bench.robustness.model() == "minilm"
    for name, words in (("lexical_vectors", "letters"), ("no/folder", "No embedding model")):
        with pytest.raises(BenchError, match=words):
            bench.robustness.set_model(name)
    bench.robustness.set_model("minilm")
    assert bench.robustness.model() == "minilm"
