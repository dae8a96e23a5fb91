"""Difficulty from stored traces: who solved what, the newest run alone, and never an outage."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Release, Run, Score, Span, System, Trace
from core.quality.difficulty import DifficultyRule, SolvedItems, count_bands, difficulty_band
from store.corpus import documents
from store.items import items
from store.releases import releases
from store.runs import runs
from tests.store.stored_scores import store_scores
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.finding.finding import BANDS, UNDEFINED_BAND, ItemSearch, SimilarityQuery

TOWN = "The mill of Orvel burnt in May 1902."
DOCUMENT = Document(content_hash(TOWN), TOWN, "Town", "law", licence="CC0-1.0")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [DOCUMENT])
        spans = (Span(DOCUMENT.id, 0, 9),)
        items.add(
            bench.database,
            [
                Item(id, "explicit_factoid", f"{id}?", ("1902",), spans, 1, "law", status="accepted")
                for id in ("easy", "medium", "hard", "few", "edited")
            ],
        )
        bench.releases.freeze("v1")
        yield bench


def ran(bench: Workbench, n: int, system: str, agent: str, values: dict[str, float | None]) -> None:
    """A run; a value of None is a failure."""
    release = releases.get(bench.database, "v1")
    run = Run(f"{n:016}", f"i{n}", System(system), "v1", release.hash, agent, {"n": n})
    runs.create(bench.database, run, [(item, None) for item in values])
    told = list(values.items())
    runs.add_traces(bench.database, [Trace(run.id, item, answer=None if value is None else "1902") for item, value in told])
    store_scores(bench.database, [Score(run.id, item, None, "token_f1", "1", value) for item, value in told])


def test_bands_are_shares_of_systems_and_few_systems_are_none() -> None:
    assert [difficulty_band(k, 10) for k in (10, 8, 7, 3, 2, 0)] == ["easy", "easy", "medium", "medium", "hard", "hard"]
    assert difficulty_band(2, 2) is None and difficulty_band(0, 0) is None
    found = count_bands([SolvedItems(1, 3, 3, 5), SolvedItems(1, 0, 4), SolvedItems(None, 1, 1, 2)])
    assert found.cells == {(1, "easy"): 5, (1, "hard"): 1, (None, None): 2} and (found.fewest, found.most) == (3, 4)


def test_the_newest_answer_of_each_system_and_agent_counts_and_a_failure_says_nothing(bench: Workbench) -> None:
    ran(bench, 1, "closed_book", "a", {"easy": 0.9, "medium": 0.0, "hard": 0.0, "few": 1.0, "edited": 1.0})
    ran(bench, 2, "vanilla", "a", {"easy": 0.1, "medium": 0.2, "hard": 0.1, "few": None, "edited": 1.0})
    ran(bench, 3, "vanilla", "a", {"easy": 0.5, "medium": 0.6})  # the same system again: newer
    ran(bench, 4, "oracle", "a", {"easy": 1.0, "medium": 1.0, "hard": 0.4, "few": 1.0, "edited": 1.0})
    ran(bench, 5, "oracle", "b", {"hard": 0.0})
    ran(bench, 6, "echo", "", {"easy": 0.0, "few": 0.0})  # not of the panel
    edited = items.get(bench.database, "edited")
    items.edit(bench.database, edited, "Ada")
    told = {id: bench.difficulty.load_item(id) for id in ("easy", "medium", "hard", "few", "edited")}
    assert {id: (one.band, one.solved, one.systems) for id, one in told.items()} == {
        "easy": ("easy", 3, 3),
        "medium": ("medium", 2, 3),
        "hard": ("hard", 0, 4),
        "few": (None, 2, 2),
        "edited": (None, 0, 0),
    }
    by_band = {band: sorted(bench.find.ids(ItemSearch(difficulty=band), SimilarityQuery())) for band in BANDS}
    assert by_band == {"easy": ["easy"], "medium": ["medium"], "hard": ["hard"], UNDEFINED_BAND: ["edited", "few"]}
    until(lambda: bench.difficulty.spread().is_ready)
    found = bench.difficulty.spread().value
    assert found is not None
    assert found.cells == {(1, "easy"): 1, (1, "medium"): 1, (1, "hard"): 1, (1, None): 2}
    until(lambda: bench.difficulty.model().is_ready)
    modelled = bench.difficulty.model().value
    assert modelled is not None and modelled.fit is None and "5 systems answered" in modelled.why


def test_the_rule_is_kept_and_a_wrong_one_is_one_sentence(bench: Workbench) -> None:
    rule = DifficultyRule("rouge_l", 0.4, ("oracle", "echo"))
    bench.difficulty.set_rule(rule)
    assert bench.difficulty.rule() == rule
    for wrong, why in (
        (rule._replace(metric="taste"), "taste"),
        (rule._replace(least=1.5), "up to 1"),
        (rule._replace(systems=()), "No system is chosen"),
        (rule._replace(systems=("ghost",)), "ghost"),
    ):
        with pytest.raises(BenchError, match=why):
            bench.difficulty.set_rule(wrong)


def test_a_release_keeps_what_was_known_when_it_was_frozen(bench: Workbench, tmp_path: Path) -> None:
    for n, system in enumerate(("closed_book", "vanilla", "oracle")):
        ran(bench, n, system, "a", {"easy": 1.0, "hard": 0.0})
    bench.releases.export("v1", "jsonl", tmp_path / "before")
    assert "## Difficulty" not in (tmp_path / "before" / "README.md").read_text(encoding="utf-8")
    bench.releases.freeze("v2")
    ran(bench, 9, "vanilla", "b", {"easy": 0.0})
    bench.releases.export("v2", "jsonl", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "## Difficulty" in card and "| 1 | 1 | 0 | 1 | 3 |" in card and "3 to 3 systems" in card
    assert isinstance(releases.get(bench.database, "v2"), Release)
