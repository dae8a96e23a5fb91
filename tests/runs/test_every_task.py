"""Both floor and standard, oracle and vanilla, answer an item of each of the eleven tasks with that task's own prompt, and each
is scored by its task's own metrics, in both languages."""

from collections.abc import Iterator
from typing import Any

import pytest

import jobs
from builders.task import Task
from core.catalog import catalog
from core.ids import content_hash
from core.nouns import Document, Item, Span
from core.text.language import FULL_LANGUAGES
from prompts.prompt import load
from store.corpus import documents
from store.items import items
from store.ledger.calls import Ledger
from store.runs import runs
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

TEXTS = {
    "en": (
        "The mill of Ada Quill burned down in Wend on 4 May 1904. She lost 300 sacks of grain. Nobody was hurt. The fire began "
        "in the drying room.",
        "Ada Quill sold the tower of Orvel on 2 June 1904. She needed the money. The bell went to the school.",
        "In 1911 Ada Quill founded a school of weaving. It stands behind the church. It has forty looms.",
    ),
    "zh": (
        "2031年7月18日，石泉大桥正式开工建设。市民驻足观看。总投资为3.2亿元。工期为两年。",
        "2031年7月27日，石泉大桥首批钢梁运抵施工现场。现场共有40名工人。钢梁重达三百吨。",
        "2031年8月2日，石泉大桥建设指挥部公布了设计方案。方案共三种。公示期为10天。",
    ),
}
QUESTIONS = {"en": "When did the mill of Ada Quill burn down in Wend?", "zh": "石泉大桥在哪一天正式开工建设？"}
ANSWERS = {"en": "4 May 1904", "zh": "2031年7月18日"}
DRAFTED = {name: task for name, task in catalog("builders.tasks", "TASK", Task).items() if task.gates}
JUDGED = {"s_f1"}
"""Metrics that need a judge, whom these runs have not."""


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    """An item of each task in each language, accepted and frozen."""
    with Workbench.open(":memory:") as bench:
        for language in FULL_LANGUAGES:
            made = [
                Document(content_hash(text), text, text[:20], "news", language, licence="CC0-1.0") for text in TEXTS[language]
            ]
            documents.add(bench.database, made)
            items.add(bench.database, [item(name, language, made) for name in DRAFTED])
        bench.releases.freeze("v1")
        yield bench
        jobs.stop(bench, seconds=0)


def item(name: str, language: str, made: list[Document]) -> Item:
    """What each task's items hold besides question and answer."""
    given = made[: DRAFTED[name].window.documents]
    evidence = tuple(Span(document.id, 0, len(document.text) // 2) for document in given)
    labels, inputs = {}, {}
    if name in ("summary", "continuation"):
        labels, given = {"source": made[0].id}, made[1:]
    if name == "hallucination_repair":
        inputs = {"hallucinated": made[0].text.replace("300", "310").replace("3.2", "4.2")}
    return Item(
        f"{name}-{language}",
        name,
        f"{QUESTIONS[language]} ({name})",
        (ANSWERS[language],),
        evidence,
        DRAFTED[name].level,
        "news",
        language,
        status="accepted",
        labels=labels,
        inputs=inputs,
        given=tuple(document.id for document in given),
    )


def run(bench: Workbench, system: str, retriever: str | None) -> str:
    job = bench.runs.plan(RunRequest(release="v1", system=system, agent="offline", retriever=retriever))
    done: dict[str, Any] = jobs.start(bench).submit(job).result()
    assert done["failed"] == 0 and done["answered"] == 2 * len(DRAFTED), done
    return str(done["run"])


def test_there_are_eleven() -> None:
    assert len(DRAFTED) == 11


@pytest.mark.parametrize(("system", "retriever"), [("oracle", None), ("vanilla", "bm25")])
def test_each_task_is_answered_with_its_own_prompt_and_scored_by_its_own_metrics(
    bench: Workbench, system: str, retriever: str | None
) -> None:
    id_ = run(bench, system, retriever)
    ledger, scored = Ledger(bench.database), runs.load_scores(bench.database, id_)
    traces = {trace.item: trace for trace in runs.load_traces(bench.database, id_)}
    assert set(traces) == {f"{name}-{language}" for name in DRAFTED for language in FULL_LANGUAGES}
    for name, task in DRAFTED.items():
        for language in FULL_LANGUAGES:
            trace = traces[f"{name}-{language}"]
            asked = [ledger.get(step.call) for step in trace.steps if step.call]
            assert [call.prompt for call in asked] == [load(task.answer_prompt, language).identity], name
            assert trace.answer is not None and trace.stop == "answered"
            own = [score for score in scored if score.item == trace.item]
            metrics = {score.metric.partition("@")[0].partition(".")[0] for score in own}
            assert metrics >= set(task.metrics) - JUDGED, name
            unscored = {score.metric: score.why for score in own if score.value is None}
            assert all(unscored.values()), "what has no value says why"
            assert any(score.value is not None for score in own), name


def test_a_summary_is_never_shown_its_source(bench: Workbench) -> None:
    id_ = run(bench, "vanilla", "bm25")
    left_out = {content_hash(TEXTS[language][0]) for language in FULL_LANGUAGES}
    found = {span.document for trace in runs.load_traces(bench.database, id_) for span in trace.retrieved or ()}
    assert found and not found & left_out
