"""A tiny release has few items of another one, the whole corpus, and says how often decisions on such items were wrong."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Run, Score, Span, System, Trace, Variant
from core.quality.conversations import LABEL, ConversationTurn, turn_label
from eval.page import Table
from store.corpus import documents
from store.items import items
from store.runs import runs
from store.variants import variants
from tests.eval.tiny.worlds import make_items, make_scores
from workbench import Workbench
from workbench.release.checking import verify_folder
from workbench.release.contests import ContestRuling, NewContest
from workbench.release.tiny import freeze_tiny

SYSTEMS, ITEMS = 6, 90


def fill(bench: Workbench, count: int = ITEMS) -> None:
    made = []
    for item in make_items(count):
        text = f"{item.question} The answer is {item.answers[0]}."
        documents.add(
            bench.database, [Document(content_hash(text), text, item.id, domain=item.domain, language="en", licence="CC0")]
        )
        made.append(replace(item, evidence=(Span(content_hash(text), 0, len(text)),), status="accepted"))
    items.add(bench.database, made)
    wordings = [Variant(f"v-{item.id}", item.id, 1, "formality", f"Say: {item.question}", "accepted") for item in made[:30]]
    variants.add(bench.database, wordings)
    bench.releases.freeze("v1", split="dev=0.5,test=0.5")


def add_run(
    bench: Workbench,
    name: str,
    values: dict[str, float | None],
    release: str = "v1",
    metric: str = "exact_match",
    **config: object,
) -> str:
    """A run with these scores; None = a failed answer."""
    frozen = bench.releases.get(release)[0]
    id_ = content_hash([name, release, config]).removeprefix("b2:")[:16]
    settings = {"name": name}
    run = Run(id_, id_, System("recorded", settings), release, frozen.hash, None, config)
    runs.create(bench.database, run, [(item, None) for item in values])
    runs.add_traces(
        bench.database,
        [
            Trace(id_, item, answer="x") if value is not None else Trace(id_, item, stop="timeout", error="Too late.")
            for item, value in values.items()
        ],
    )
    scores = [Score(id_, item, None, metric, "1", value) for item, value in values.items() if value is not None]
    bench.database.write(lambda cursor: runs.insert_scores(cursor, scores))
    return id_


def add_systems(bench: Workbench, abilities: object = None) -> dict[tuple[str, str], float]:
    scores = make_scores(np.linspace(-2, 2, SYSTEMS) if abilities is None else abilities, ITEMS, 3)
    for system in sorted({system for system, _ in scores}):
        add_run(bench, system, {item: value for (own, item), value in scores.items() if own == system})
    return scores


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        fill(bench)
        yield bench


def test_the_release_has_few_items_the_whole_corpus_and_their_splits(bench: Workbench) -> None:
    add_systems(bench)
    made = bench.tiny.freeze("t", "v1", 40)
    release, content = bench.releases.get("t")
    of, whole = bench.releases.get("v1")
    weights = release.manifest["tiny"]["weights"]
    assert made.hash == release.hash and made.weights == weights
    assert {item.id for item in content.items} == set(weights) and len(weights) == 40
    assert sum(weights.values()) == ITEMS
    assert [document.id for document in content.documents] == [document.id for document in whole.documents]
    splits = {row["id"]: row["split"] for row in of.manifest["items"]}
    assert all(row["split"] == splits[row["id"]] for row in release.manifest["items"])
    assert {variant.item for variant in content.variants} == {item for item in weights if item < "q0030"}
    assert bench.releases.verify("t").ok
    assert bench.tiny.freeze("t", "v1", 40).hash == release.hash
    assert (made.metric, made.method, len(made.systems)) == ("exact_match", "irt", SYSTEMS)


def test_its_folder_verifies_and_its_card_says_that_it_is_experimental(bench: Workbench, tmp_path: Path) -> None:
    add_systems(bench)
    bench.tiny.freeze("t", "v1", 40)
    bench.releases.export("t", "jsonl", tmp_path / "out")
    assert verify_folder(tmp_path / "out").ok
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "## Tiny release of v1" in card and "Experimental." in card and "30 random samples" in card
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert "weights" in json.dumps(manifest)


def test_an_import_keeps_its_weights_and_says_that_the_whole_release_is_missing(bench: Workbench, tmp_path: Path) -> None:
    add_systems(bench)
    made = bench.tiny.freeze("t", "v1", 40)
    bench.releases.export("t", "jsonl", tmp_path / "out")
    with Workbench.open(tmp_path / "other.duckdb") as other:
        other.releases.import_(tmp_path / "out", "jsonl")
        assert other.releases.verify("t").ok and other.tiny.is_tiny("t")
        assert other.releases.get("t")[0].manifest["tiny"]["weights"] == made.weights
        with pytest.raises(BenchError, match="v1"):
            other.tiny.report(["t"])


def test_an_erratum_of_a_tiny_release_estimates_without_the_withdrawn_item(bench: Workbench) -> None:
    add_systems(bench)
    weights = bench.tiny.freeze("t", "v1", 40).weights
    gone = next(iter(weights))
    one = bench.contests.submit("t", NewContest(item=gone, kind="other", reason="no", person="Zoe"))
    bench.contests.decide(ContestRuling(contest=one.id, decision="accept", person="Lea", withdraw=True))
    bench.errata.freeze("t.1", "t")
    name = add_run(bench, "new", {item: 1.0 for item in weights if item != gone}, "t.1")
    [row] = json.loads(bench.reports.report([name], form="json"))["runs"]
    assert row["estimates"]["means"][0]["estimate"]["n"] == 39


def test_a_run_on_it_shows_the_estimate_of_the_whole_beside_the_plain_mean(bench: Workbench) -> None:
    add_systems(bench)
    weights = bench.tiny.freeze("t", "v1", 40).weights
    heavy = {item for item, weight in weights.items() if weight > 2}
    assert heavy and len(heavy) < 40
    name = add_run(bench, "new", {item: float(item in heavy) for item in weights}, "t")
    [row] = json.loads(bench.reports.report([name], form="json"))["runs"]
    [one] = row["estimates"]["means"]
    assert row["estimates"]["of"]["name"] == "v1" and one["plain"]["n"] == one["estimate"]["n"] == 40
    assert one["plain"]["value"] == pytest.approx(len(heavy) / 40)
    [cell] = json.loads(bench.reports.report([name], form="json", by=()))["runs"][0]["cells"]
    ends = [[found[end] for end in ("low", "high", "n")] for found in (cell, one["plain"])]
    assert ends[0] == ends[1], "the report has one interval for the plain mean"
    assert one["estimate"]["value"] == pytest.approx(sum(weights[item] for item in heavy) / ITEMS)
    text = bench.reports.report([name], form="table")
    head, _, rest = text.partition("Estimates of the whole release")
    assert f"[{one['plain']['low']:.3f}" not in rest and f"[{one['estimate']['low']:.3f}" in rest and head
    assert "a tiny release (experimental): 40 of the 90 items of v1." in text
    board = bench.reports.board([name])
    assert board.value is None or [cell.value for cell in board.value.estimates.rows[0]][1] == "exact_match"


def test_systems_that_ran_later_are_compared_on_the_chosen_items(bench: Workbench) -> None:
    scores = add_systems(bench)
    bench.tiny.freeze("t", "v1", 40)
    before = json.loads(bench.tiny.report(["t"], "json"))
    assert before["fresh"] is None and before["held_out"]["pairs"] == SYSTEMS * (SYSTEMS - 1)
    assert before["held_out"]["outcomes"] == bench.releases.get("t")[0].manifest["tiny"]["agreement"]["held_out"]["outcomes"]
    add_run(bench, "late", {item: 1 - value for (system, item), value in scores.items() if system == "s00"})
    after = json.loads(bench.tiny.report(["t"], "json"))
    assert after["fresh"]["pairs"] == SYSTEMS and len(after["fresh"]["scores"]) == 1


def test_unfinished_sampled_and_repeated_runs_do_not_count_and_failures_leave_gaps(bench: Workbench) -> None:
    scores = add_systems(bench)
    own = {item: value for (system, item), value in scores.items() if system == "s00"}
    add_run(bench, "sampled", dict(list(own.items())[:20]), sample=[20, 1])
    gaps = add_run(bench, "gaps", {item: None if item < "q0010" else 1.0 for item in own})
    bench.tiny.freeze("t", "v1", 40)
    record = bench.releases.get("t")[0].manifest["tiny"]
    assert len(record["systems"]) == SYSTEMS + 1 and gaps in {one["run"] for one in record["systems"]}
    report = json.loads(bench.tiny.report(["t"], "json"))
    assert {one["system"]: one["n_whole"] for one in report["held_out"]["scores"]}[gaps] == ITEMS - 10


def test_without_runs_form_decides_and_nothing_is_claimed(bench: Workbench) -> None:
    made = bench.tiny.freeze("t", "v1", 40)
    assert made.method == "form" and bench.releases.get("t")[0].manifest["tiny"]["agreement"]["held_out"] is None
    assert "0 systems have scores, and 3 are needed" in made.sentences[-1]
    assert [table.title for table in _page(bench, "t")] == ["Strata"]


def test_items_that_no_system_has_a_score_of_are_not_chosen(bench: Workbench) -> None:
    scores = make_scores(np.linspace(-2, 2, SYSTEMS), ITEMS, 3)
    for system in sorted({system for system, _ in scores}):
        values = {item: value for (own, item), value in scores.items() if own == system}
        id_ = add_run(bench, system, {item: value if item >= "q0020" else 1.0 for item, value in values.items()})
        without = [Score(id_, item, None, "exact_match", "2", None, "no gold") for item in values if item < "q0020"]
        later = [Score(id_, item, None, "token_f1", "1", values[item]) for item in values if item >= "q0020"]
        bench.database.write(lambda cursor, rows=without + later: runs.insert_scores(cursor, rows))
    bench.tiny.freeze("t", "v1", 40, "token_f1")
    record = bench.releases.get("t")[0].manifest["tiny"]
    assert record["unscored"] == 20 and min(record["weights"]) >= "q0020"
    assert sum(record["weights"].values()) == ITEMS - 20


def test_what_cannot_be_made_is_one_sentence(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="A tiny release has 40 to 100 items, not 39"):
        bench.tiny.freeze("t", "v1", 39)
    with pytest.raises(BenchError, match="90 items can be chosen from, so a choice of 100 would leave none out"):
        bench.tiny.freeze("t", "v1", 100)
    with pytest.raises(BenchError, match="No finished run on v1 has scores by token_f1"):
        bench.tiny.freeze("t", "v1", 40, "token_f1")
    with pytest.raises(BenchError, match="seconds has no lower and upper bound"):
        bench.tiny.freeze("t", "v1", 40, "seconds")
    bench.tiny.freeze("t", "v1", 40)
    with pytest.raises(BenchError, match="The release t is tiny itself"):
        bench.tiny.freeze("tt", "t", 40)
    with pytest.raises(BenchError, match="The release v1 is not tiny"):
        bench.tiny.report(["v1"])
    bench.releases.freeze("hidden", split="dev=0.5,test=0.5", sealed=True)
    with pytest.raises(BenchError, match="The release hidden is sealed, and a tiny release would show its gold answers"):
        bench.tiny.freeze("tt", "hidden", 40)


def test_conversations_are_not_torn_apart(bench: Workbench) -> None:
    turn = replace(make_items(1)[0], id="turn", labels={LABEL: turn_label(ConversationTurn("mill", 1, 1))}, status="accepted")
    release, content = bench.releases.get("v1")
    with pytest.raises(BenchError, match="The release v1 has conversations"):
        freeze_tiny(bench.database, "t", release, content._replace(items=[*content.items, turn]), 40, None, 13)


def _page(bench: Workbench, name: str) -> list[Table]:
    work = bench.tiny.page([name])
    while work.value is None:
        work = bench.tiny.page([name])
    return list(work.value.tables)
