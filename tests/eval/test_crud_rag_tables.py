"""CRUD-RAG's tables from the runs of a sweep: one factor a table around one base, the paper's values that did not run said so,
a recommendation only where the paired interval allows one."""

import pytest

from builders.task import tasks
from core.errors import BenchError
from eval.metric import metrics
from eval.page import Table
from eval.papers.crud_rag import COLUMNS, NOT_RUN, TASKS, build_factor_page, find_varied_factor, lay_out_settings
from eval.papers.presets.crud_rag_table9 import METRIC
from eval.preset import presets
from eval.reports.report import build_report
from tests.eval.swept import run, swept


def table(name: str) -> Table:
    (made,) = presets()[name].build(swept()).tables
    return made


def lines(name: str, task: str) -> dict[str, dict[str, str]]:
    made = table(name)
    return {
        row[1].text: dict(zip(made.columns, [cell.text for cell in row], strict=True))
        for row in made.rows
        if row[0].text == task
    }


def test_the_base_is_what_most_runs_differ_from_in_one_factor() -> None:
    found = lay_out_settings(swept())
    assert (found.base.chunk, found.base.top_k, found.base.retriever, found.left_out) == (128, 8, "dense", 1)
    assert any("1 run differs from the base in more than one factor" in note for note in table("crud_rag_table3").notes)


@pytest.mark.parametrize("task", TASKS)
def test_a_plain_run_of_each_task_scores_every_column_that_needs_no_judge_and_no_model(task: str) -> None:
    needed = {name for name, _ in COLUMNS.values() if metrics()[name].judge is None} - {"embed_cosine"}
    assert needed == {"bleu", "bleu_crud", METRIC, "length"} and METRIC == "rouge_l_crud"
    assert needed <= set(tasks()[task].metrics)


def test_chunk_size_stands_beside_its_top_k_and_what_did_not_run_says_so() -> None:
    found = lines("crud_rag_table3", "summary")
    assert list(found) == ["64", "128", "256", "512"]
    assert (found["256"]["top-k"], found["256"]["rouge-L"], found["256"]["n"]) == ("4", "51.50", "4")
    assert found["128"]["bleu"] == "31.50" and found["128"]["bleu with penalty"] == "15.75"
    assert (found["128"]["characters"], found["128"]["words"]) == ("25.0", "10.0")
    assert found["64"]["rouge-L"] == found["128"]["RAGQuestEval recall"] == found["128"]["bertScore"] == NOT_RUN


def test_every_factor_has_its_table_and_its_own_values() -> None:
    first = {n: list(lines(f"crud_rag_table{n}", "summary")) for n in range(3, 9)}
    assert first[4] == ["0", "10", "30", "50", "70"] and first[5] == ["dense", "bm25", "hybrid", "rerank"]
    assert first[6] == ["minilm", "lexical_vectors"] and first[7] == ["2", "4", "6", "8", "10"]
    assert first[8] == ["openai:m", "openai:n"]


def test_a_recommendation_is_made_only_where_the_interval_allows_it() -> None:
    made = table("crud_rag_table9")
    rows = {row[1].text: dict(zip(made.columns, [cell.text for cell in row], strict=True)) for row in made.rows[:6]}
    wide = rows["chunk size"]
    assert (wide["base"], wide["best"], wide["recommended"], wide["gain in rouge-L"]) == ("128", "256", "256", "+20.00")
    assert wide["seconds"] == "2.00" and wide["tokens"] == "300"
    assert rows["retriever"]["recommended"] == rows["overlap, %"]["recommended"] == "the base"
    tossed = build_report([run("base", 0.3), run("k", 0.3, top_k=4)])
    scores = [s for s in tossed.results[1].scores if s.metric == "rouge_l_crud"]
    for n, score in enumerate(scores):
        object.__setattr__(score, "value", 0.9 if n % 4 == 0 else 0.25)
    (toss,) = presets()["crud_rag_table9"].build(build_report(tossed.results)).tables
    top_k = next(row for row in toss.rows if row[1].text == "top-k")
    assert [cell.text for cell in top_k][4] == "4" and top_k[8].text == "not separable"


def test_repetitions_of_one_setting_are_one_line_with_each_answers_mean() -> None:
    runs = [run("a", 0.2), run("b", 0.4, repetition=1), run("c", 0.5, top_k=4)]
    (made,) = presets()["crud_rag_table7"].build(build_report(runs)).tables
    base = next(row for row in made.rows if row[1].text == "8")
    assert base[2].text == "4" and base[6].text == "31.50"


def test_a_retriever_without_a_model_still_differs_in_one_factor_alone() -> None:
    base = lay_out_settings(swept()).base
    assert find_varied_factor(base, base._replace(retriever="bm25", model=None)) == "retriever"
    assert find_varied_factor(base, base._replace(chunk=64, top_k=16)) == "chunk" and find_varied_factor(base, base) is None
    assert find_varied_factor(base, base._replace(retriever="bm25", agent="n")) is None


def test_a_base_near_the_papers_in_no_factor_keeps_its_top_k_beside_its_chunk_size() -> None:
    """Runs that vary only the chunk size do not form a coupled pair: the base is 256 tokens with top-k 5, not with 4."""
    plain = {"chunk_tokens": 256, "top_k": 5}
    varied: list[dict[str, int]] = [{"top_k": 4}, {}, {"chunk_tokens": 128}, {"chunk_tokens": 512}, {"top_k": 10}]
    made = build_report([run(f"r{n}", 0.3, **(plain | one)) for n, one in enumerate(varied)])
    base = lay_out_settings(made).base
    assert (base.chunk, base.top_k) == (256, 5)
    page = build_factor_page(made, "chunk").tables[0]
    assert "top-k 5" in page.notes[-1] and {row[2].text for row in page.rows if row[2].text != NOT_RUN} == {"5"}
    grid = build_report([run(f"g{c} {k}", 0.3, chunk_tokens=c, top_k=k) for c in (256, 512) for k in (5, 4)])
    layout = lay_out_settings(grid)
    assert {setting.top_k for setting in layout.vary_factor("chunk").values()} == {layout.base.top_k}


def test_composition_counts_each_item_once() -> None:
    found = {row[0].text: [cell.text for cell in row[1:3]] for row in table("crud_rag_table2").rows}
    assert found == {"summary": ["4", "4"], "question answering, 1 document": ["4", "4"], "all": ["8", "8"]}


def test_runs_that_vary_nothing_are_no_table() -> None:
    for name in ("crud_rag_table3", "crud_rag_table9"):
        with pytest.raises(BenchError, match=r"No two of these runs differ (only in the|in only one factor)"):
            presets()[name].build(build_report([run("a", 0.2)]))
