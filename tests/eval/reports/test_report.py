"""Reports: hand-worked averages, failures beside the mean and never in it, comparisons in pairs, marks that hold."""

import csv
import io
import json
import random

import pytest

from core.errors import BenchError
from eval.page import Cell, Page, Table, figure
from eval.reports.layout import build_page
from eval.reports.renderer import renderers
from eval.reports.report import build_report, regroup_report
from tests.eval.runs import item, result

ITEMS = [item("a"), item("b"), item("c", domain="arts"), item("d", level=2), item("e", level=2)]


def cells(made: object, metric: str) -> dict[tuple[object, ...], dict[str, object]]:
    (run,) = made.data["runs"]  # type: ignore[attr-defined]
    return {tuple(cell[name] for name in made.by): cell for cell in run["cells"] if cell["metric"] == metric}  # type: ignore[attr-defined]


def test_a_failure_is_counted_in_its_cell_and_bounds_the_mean() -> None:
    made = build_report([result("r", ITEMS, {"token_f1": [1.0, 0.0, 0.5, 1.0, None]}, failed=["b"])])
    law = cells(made, "token_f1")[1, "law"]
    assert (law["mean"], law["n"], law["failed"], law["bounds"]) == (1.0, 1, 1, [0.5, 1.0])
    assert (law["low"], law["high"]) == (None, None)
    second = cells(made, "token_f1")[2, "law"]
    assert (second["mean"], second["n"], second["unscored"], second["failed"]) == (1.0, 1, 1, 0)
    assert made.data["runs"][0]["failures"] == {"timeout": 1}


def test_a_cell_without_any_value_is_null_with_a_reason() -> None:
    made = build_report([result("r", ITEMS[:3], {"token_f1": [1.0, 1.0, 0.0]}, failed=["c"])])
    arts = cells(made, "token_f1")[1, "arts"]
    assert (arts["mean"], arts["n"], arts["failed"], arts["why"]) == (None, 0, 1, "every answer failed")


def test_answers_that_a_metric_did_not_score_are_told_below_the_table() -> None:
    scores = {"token_f1": [1.0, None, 0.0], "rouge_l": [1.0, None, 0.0], "bleu": [None, None, None]}
    [table, *_] = build_page(build_report([result("r", ITEMS[:3], scores)])).tables
    assert table.notes[1:] == [
        "Not scored by bleu: 3 of 3 answers (not read).",
        "Not scored by rouge_l, token_f1: 1 of 3 answers (not read).",
    ]


def test_hawkbench_averages_cells_then_levels_and_plain_all_answers() -> None:
    made = build_report([result("r", ITEMS, {"token_f1": [1.0, 0.0, 1.0, 0.0, 0.0]})])
    averages = made.data["runs"][0]["averages"]
    assert averages["hawkbench"]["token_f1"] == pytest.approx({"1": 0.75, "2": 0.0, "overall": 0.5})
    assert averages["plain"]["token_f1"] == pytest.approx(0.4)


def test_s_f1_of_a_data_set_is_the_mean_of_its_sides_means() -> None:
    scores = {"s_f1": [0.5, None], "s_f1.precision": [0.0, None], "s_f1.recall": [1.0, 0.0]}
    made = build_report([result("r", ITEMS[:2], scores)], by=())
    (whole,) = cells(made, "s_f1").values()
    assert whole["mean"] == 0.25 and made.data["runs"][0]["averages"]["plain"]["s_f1"] == 0.25


def test_runs_are_compared_on_the_items_both_answered_and_corrected_together() -> None:
    many = [item(f"i{n:02}") for n in range(40)]
    better = result("good", many, {"token_f1": [1.0] * 40, "seconds": [1.0] * 40}, failed=["i00"])
    worse = result("bad", many, {"token_f1": [0.2, 0.4] * 20, "seconds": [9.0] * 40}, failed=["i01"])
    same = result("same", many, {"token_f1": [1.0] * 40, "seconds": [1.0] * 40})
    made = build_report([better, worse, same], by=("level",))
    first, none, _ = made.data["comparisons"]
    assert (first["a"], first["b"], first["metric"], first["n"]) == ("good", "bad", "token_f1", 38)
    assert first["difference"] == pytest.approx(0.7) and first["low"] > 0
    assert (first["wins"], first["ties"], first["losses"]) == (38, 0, 0)
    assert first["p"] < first["p_corrected"] < 0.05
    assert (none["difference"], none["ties"], none["p_corrected"]) == (0.0, 39, 1.0)


def test_best_is_marked_only_when_the_paired_interval_separates_it() -> None:
    many = [item(f"i{n:02}") for n in range(30)]
    good = result("good", many, {"token_f1": [0.9, 1.0] * 15})
    bad = result("bad", many, {"token_f1": [0.1, 0.2] * 15}, system="echo")
    close = result("close", many, {"token_f1": [1.0, 0.88] * 15}, system="oracle")
    clear = build_page(build_report([good, bad], by=("level",))).tables[0]
    assert [(row[1].text.split()[0], row[4].best, row[4].second) for row in clear.rows] == [
        ("vanilla", True, False),
        ("echo", False, True),
    ]
    unclear = build_page(build_report([good, close], by=("level",))).tables[0]
    assert not any(cell.best or cell.second for row in unclear.rows for cell in row)


def test_retrieval_is_sliced_by_overlap() -> None:
    items = [item("a", overlap=0.1), item("b", overlap=0.2), item("c", overlap=1.0), item("d")]
    made = build_report([result("r", items, {"evidence_recall@5": [0.0, 1.0, 1.0, 0.0]})])
    slices = {(s["from"], s["to"]): (s["mean"], s["n"]) for s in made.data["runs"][0]["overlap"]}
    assert slices == {(0.0, 0.25): (0.5, 2), (0.75, 1.0): (1.0, 1)}


def test_offline_and_left_out_languages_are_said_first() -> None:
    run = result(
        "r",
        ITEMS[:2],
        {"s_f1.offline": [1.0, 0.0]},
        offline=("answer", "judge"),
        not_run=[{"language": "zh", "n": 7, "why": "minilm is for en."}],
    )
    made = build_report([run])
    assert made.data["runs"][0]["offline"] == ["answer", "judge"] and made.data["runs"][0]["not_run"][0]["n"] == 7
    for form in ("table", "html", "latex"):
        text = renderers()[form].render(build_page(made))
        assert "offline agent (no LLM)" in text and "7 questions in zh were not run" in text and "(offline)" in text
    assert "answer+judge" in renderers()["csv"].render(build_page(made))


def test_groups_are_by_what_was_asked_for() -> None:
    items = [item("a", labels={"hops": 2}), item("b", labels={"hops": 3}, language="zh")]
    run = result("r", items, {"token_f1": [1.0, 0.0]})
    assert cells(build_report([run], by=("label.hops",)), "token_f1").keys() == {(2,), (3,)}
    assert cells(build_report([run], by=("language", "kind")), "token_f1").keys() == {("en", "original"), ("zh", "original")}
    with pytest.raises(BenchError, match="cannot be grouped by 'colour'"):
        build_report([run], by=("colour",))
    with pytest.raises(BenchError, match="at least one run"):
        build_report([])


def test_the_same_runs_and_seed_give_the_same_bytes_in_every_format() -> None:
    scores = {"token_f1": [1.0, 0.0, 1.0, 0.25, 0.5], "rouge_l": [0.5, 0.5, 1.0, 0.0, 0.1]}
    runs = [result("r", ITEMS, scores), result("s", ITEMS, {"token_f1": [0.0] * 5}, system="echo")]
    for renderer in renderers().values():
        assert renderer.render(build_page(build_report(runs, seed=3))) == renderer.render(
            build_page(build_report(runs, seed=3))
        )


def test_csv_and_json_hold_unrounded_values() -> None:
    made = build_report([result("r", ITEMS, {"token_f1": [1 / 3] * 5})], by=("level",))
    rows = list(csv.DictReader(io.StringIO(renderers()["csv"].render(build_page(made)))))
    assert float(rows[0]["mean"]) == 1 / 3 and rows[0]["all_failures_high"]
    data = json.loads(renderers()["json"].render(build_page(made)))
    assert data["runs"][0]["cells"][0]["mean"] == pytest.approx(1 / 3, abs=1e-15)
    assert {"run", "system", "release", "offline", "cells", "averages"} <= data["runs"][0].keys()


@pytest.mark.fault(1, 9)
def test_no_text_escapes_its_format() -> None:
    evil = "<script>x</script> & 100% _a_ {b} =1+1"
    page = Page(evil, [Table(evil, ["name"], [[Cell(evil, evil)], [Cell("=1+1", "=1+1")]], [evil])], notes=[evil])
    html = renderers()["html"].render(page)
    assert "<script>" not in html and "default-src 'none'" in html and "http" not in html.replace("http-equiv", "")
    assert r"100\% \_a\_ \{b\}" in renderers()["latex"].render(page)
    assert "'=1+1" in renderers()["csv"].render(page)
    head = Page("t", [], records=[{"＝label": "＠x"}])
    assert renderers()["csv"].render(head) == "'＝label\n'＠x\n", "full-width signs run too, in heads as in values"


def test_every_figure_of_a_report_comes_from_one_resampling() -> None:
    """What is all of a run is the same by nothing and by one kind; the difference to a run of zeros is the run's own mean."""
    chance = random.Random(4)
    items = [item(f"i{n:02}", domain="law") for n in range(40)]
    values = [chance.random() for _ in items]
    good, zeros = result("good", items, {"token_f1": values}), result("zero", items, {"token_f1": [0.0] * 40})
    by_domain = build_report([good, zeros], ("domain",))
    cell = by_domain.data["runs"][0]["cells"][0]
    overall = regroup_report(by_domain, ()).data["runs"][0]["cells"][0]
    assert (cell["mean"], cell["low"], cell["high"]) == (overall["mean"], overall["low"], overall["high"])
    assert overall == build_report([good, zeros], ()).data["runs"][0]["cells"][0]
    one = by_domain.data["comparisons"][0]
    assert (one["difference"], one["low"], one["high"]) == pytest.approx((cell["mean"], cell["low"], cell["high"]))


def test_what_rounds_to_nothing_is_printed_without_a_sign() -> None:
    assert figure(-0.00001).text == "0.000" and figure(-0.5).text == "-0.500"


def test_what_is_true_of_many_runs_is_said_once() -> None:
    runs = [result(f"r{n}", ITEMS, {"token_f1": [0.5] * 5}, offline=("answer",) if n else ()) for n in range(6)]
    notes = [note for note in build_page(build_report(runs)).notes if "offline agent" in note]
    assert len(notes) == 1 and notes[0].startswith("5 of 6 runs (vanilla openai:m (offline) r1; ")
    alone = [note for note in build_page(build_report(runs[:2])).notes if "offline agent" in note]
    assert alone[0].startswith("vanilla openai:m (offline): answers were given by the offline agent")


def test_metrics_that_are_all_equal_in_the_same_way_share_one_alarm() -> None:
    many = [item(f"i{n}") for n in range(40)]
    values: list[float | None] = [0.0] * 40
    made = build_report([result("r", many, {"page_recall@1": values, "page_recall@5": values, "token_f1": [0.5] * 40})])
    assert len(made.data["alarms"]) == 3
    told = [note for note in build_page(made).notes if note.startswith("Alarm")]
    assert [note.partition(" for all")[0].rpartition(": ")[2] for note in told] == [
        "page_recall@1, page_recall@5 is 0",
        "token_f1 is 0.5",
    ]
