"""From verdicts and decisions to the table of gates, the calibration, and the card of a release, which stays as frozen."""

from collections.abc import Iterator

import pytest

from core.nouns import Document, Verdict
from store.corpus import documents
from store.items import gate_facts, items
from store.items.verdicts import insert_verdicts, load_verdicts
from tests.store.sample_items import item
from workbench import Workbench
from workbench.build.gating.gate_report import calibrate_gates, count_findings

ASKED = {"rules": "1", "prompts": ["judge/critic.en@b2:aa"], "agents": ["openai:m"]}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """Six drafts: the critic flags a, b and c; a and d are discarded, b is edited, c and e kept, f waits."""
    with Workbench.open(":memory:") as bench:
        documents.add(bench.database, [Document("b2:d", "Orrin Vale carved the doors.", "Doors", licence="CC0-1.0")])
        found = [item(name) for name in "abcdef"]
        items.add(bench.database, found, [verdict(one.id, "flag" if one.id in "abc" else "pass") for one in found])
        for name in "ad":
            bench.reviews.decide(name, "discard", person="Ada", reason="bad")
        for name in "ce":
            bench.reviews.decide(name, "accept", person="Ada")
        bench.reviews.decide("b", "accept", person="Ada", question="Who carved them, then?")
        yield bench


def verdict(name: str, outcome: str, **more: object) -> Verdict:
    details = {**ASKED, **more}
    return Verdict(name, 1, "critic", f"1.{details['agents']}", outcome, "", details)  # type: ignore[arg-type]


def test_a_gate_is_held_against_what_became_of_the_drafts(bench: Workbench) -> None:
    (critic,) = [one for one in calibrate_gates(gate_facts.load_findings(bench.database)) if one.gate == "critic"]
    assert critic.figures.flagged == {"accepted": 1, "edited": 1, "discarded": 1}
    assert critic.figures.passed == {"accepted": 1, "edited": 0, "discarded": 1}
    assert (critic.figures.precision.mean, critic.figures.recall.mean, critic.figures.kappa.value) == (0.5, 0.5, 0.0)
    assert (critic.record["prompts"], critic.record["agents"]) == (ASKED["prompts"], ASKED["agents"])


def test_another_agent_or_prompt_is_another_row_and_what_did_not_run_is_no_verdict(bench: Workbench) -> None:
    bench.database.write(
        lambda cursor: insert_verdicts(
            cursor,
            [
                verdict("a", "pass", agents=["openai:n"]),
                verdict("d", "not run", agents=["openai:o"]),
            ],
        )
    )
    rows = gate_facts.load_findings(bench.database)
    assert [one.agents for one in calibrate_gates(rows) if one.gate == "critic"] == [("openai:m",), ("openai:n",)]
    counts = {row.kind: row.counts for row in count_findings(rows, ["agents"]) if row.gate == "critic"}
    assert (counts["openai:m",]["flag"], counts["openai:m",]["pass"], counts["openai:o",]["not run"]) == (3, 3, 1)


def test_an_undone_decision_is_none(bench: Workbench) -> None:
    bench.reviews.decide("f", "discard", person="Ada", reason="bad")
    before = calibrate_gates(gate_facts.load_findings(bench.database))
    assert before[0].figures.passed["discarded"] == 2


def test_what_was_frozen_is_told_as_it_stood(bench: Workbench, tmp_path: object) -> None:
    bench.releases.freeze("v1", allow_unlicensed="a test")
    first = tmp_path / "one"  # type: ignore[operator]
    bench.releases.export("v1", "jsonl", first)
    card = (first / "README.md").read_text(encoding="utf-8")
    assert "Reviewed: 3 of 3 items of this release (100%)" in card
    assert "| critic | 1\\: judge/critic.en\\@b2\\:aa, by openai\\:m | 3 | 2 | 0.50" in card
    bench.reviews.decide("f", "discard", person="Ada", reason="bad")
    bench.database.write(lambda cursor: insert_verdicts(cursor, [verdict("c", "pass", agents=["openai:z"])]))
    second = tmp_path / "two"  # type: ignore[operator]
    bench.releases.export("v1", "jsonl", second)
    assert (second / "README.md").read_text(encoding="utf-8") == card


def test_the_same_finding_again_adds_no_row_and_another_one_stands_from_then_on(bench: Workbench) -> None:
    def put(*found: Verdict) -> None:
        bench.database.write(lambda cursor: insert_verdicts(cursor, found))

    def rows() -> int:
        return bench.database.rows("SELECT count(*) FROM verdict WHERE item = 'a'")[0][0]  # type: ignore[no-any-return]

    put(verdict("a", "flag"))
    assert rows() == 1
    put(verdict("a", "pass", agents=["openai:n"]))
    assert rows() == 2 and [v.outcome for v in load_verdicts(bench.database, ["a"])] == ["pass"]
    put(verdict("a", "flag"))
    assert rows() == 3
    assert [v.outcome for v in load_verdicts(bench.database, ["a"])] == ["flag"]
