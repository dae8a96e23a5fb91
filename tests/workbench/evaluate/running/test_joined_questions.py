"""CRUD-RAG's questions on one, two and three documents, from the command's job to the store, by an endpoint in
both languages; a shortfall is one sentence; what is broken ends an item and not the job; the steps come in and go
out again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents
from store.items import items
from tests.openai_server import Running, running
from workbench import Workbench

ENDPOINT = "openai:test-model"
TASKS = {"qa_one_document": 1, "qa_two_documents": 2, "qa_three_documents": 3}
ENGLISH = (
    "The mill of Ada Quill burned down in Wend on 4 May 1904. She lost 300 sacks of grain. Nobody was hurt.",
    "Ada Quill sold the tower of Orvel on 2 June 1904. She needed the money. The bell went to the school.",
    "In 1911 Ada Quill founded a school of weaving. It stands behind the church. It has forty looms.",
)
CHINESE = (
    "2031-07-20 16:50，正文：石泉大桥7月18日正式开工建设。市民驻足观看。总投资为3.2亿元。",
    "2031-07-28 10:00，正文：7月27日，石泉大桥首批钢梁运抵施工现场。工期为两年。现场共有40名工人。",
    "2031-08-03，正文：8月2日，石泉大桥建设指挥部公布了大桥的设计方案。方案共三种。公示期为10天。",
)
FAR = ("Oats grow well on wet ground. So does rye. Wheat does not.", "The bishop came in the rain. He left soon. It cleared.")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    one_server.script([])
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return one_server


@pytest.fixture
def bench(tmp_path: Path, server: Running) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        for domain, language, texts in (("tales", "en", ENGLISH), ("news", "zh", CHINESE), ("far", "en", FAR)):
            documents.add(
                bench.database,
                [Document(content_hash(text), text, text[:24], domain, language, licence="CC0-1.0") for text in texts],
            )
        yield bench
        jobs.stop(bench, seconds=0)


def drafted(bench: Workbench, task: str, domain: str, count: int = 1, agent: str = ENDPOINT, **settings: Any) -> dict[str, Any]:
    job = bench.drafts.plan(
        task=task,
        domain=domain,
        count=count,
        agent=agent,
        seed=5,
        budget=None,
        settings={"rag_check": False, "asks": "", **settings},
    )
    done: dict[str, Any] = jobs.start(bench).submit(job).result()
    return done


@pytest.mark.parametrize("domain", ["tales", "news"])
@pytest.mark.parametrize(("task", "agent"), [("qa_one_document", "offline"), *((task, ENDPOINT) for task in TASKS)])
def test_each_task_is_drafted_in_both_languages(bench: Workbench, task: str, domain: str, agent: str) -> None:
    done = drafted(bench, task, domain, agent=agent)
    assert done["drafted"] == 1, done["message"]
    [item] = done["items"]
    assert item["task"] == task and item["level"] is None and item["language"] == ("zh" if domain == "news" else "en")
    assert len(item["given"]) == TASKS[task] == len({span["document"] for span in item["evidence"]})
    kinds = [step["kind"] for step in item["steps"]]
    assert kinds[0] == "window"
    if TASKS[task] > 1:
        assert kinds[-4:] == ["common", "differences", "draft", "reconstruction"] and "search" in kinds
        assert item["question"] == item["steps"][-1]["question"] and item["labels"]["event"]


@pytest.mark.parametrize("task", ["qa_two_documents", "qa_three_documents"])
def test_the_offline_agent_has_no_rules_to_join_documents(bench: Workbench, task: str) -> None:
    with pytest.raises(BenchError, match=f"no rules to draft {task}: name one with a language model"):
        drafted(bench, task, "tales", agent="offline")


def test_unrelated_documents_are_counted_in_one_sentence_and_cost_no_call(bench: Workbench) -> None:
    done = drafted(bench, "qa_two_documents", "far", 3)
    assert (done["drafted"], done["calls"]) == (0, 0)
    assert done["message"] == "asked 3, drafted 0: 2 documents without a related one, no further window."


def test_no_group_is_drafted_twice(bench: Workbench) -> None:
    first = drafted(bench, "qa_three_documents", "tales", 3)
    assert first["drafted"] == 1 and "2 documents whose group was drafted already" in first["message"]
    again = drafted(bench, "qa_three_documents", "tales", 1, language="en")
    assert again["drafted"] == 0 and "3 documents whose group was drafted already" in again["message"]


@pytest.mark.parametrize("step", ["their contact point?", "does each document", "Write one question", "Rewrite the question."])
def test_a_reply_that_is_cut_at_a_step_ends_its_item_and_the_others_go_on(bench: Workbench, server: Running, step: str) -> None:
    server.script([{"contains": step, "fault": "length", "times": 3}])
    done = drafted(bench, "qa_two_documents", "tales", 2, **{"agent.concurrency": 1})
    assert done["unreadable"] == 1 and done["drafted"] >= 1, done["message"]
    assert "was cut off by its length limit" in done["message"]


def test_a_document_in_another_language_than_declared_is_told_in_the_shortfall(bench: Workbench) -> None:
    text = "火灾没有造成人员伤亡。损失了三百袋粮食。起火点在烘干房。"
    documents.add(bench.database, [Document(content_hash(text), text, "T", "odd", "en")])
    done = drafted(bench, "qa_one_document", "odd")
    assert done["message"] == (
        "asked 1, drafted 0: 1 document not in the language it is declared to be in (en), no further window."
    )


def test_an_article_of_one_sentence_is_too_short(bench: Workbench) -> None:
    documents.add(bench.database, [Document(content_hash(t), t, t, "short") for t in ("A mill burned in Wend.",)])
    assert "1 document of fewer than 2 sentences" in drafted(bench, "qa_two_documents", "short")["message"]


@pytest.mark.parametrize("task", TASKS)
def test_the_release_goes_out_and_comes_in_again_with_its_steps_as_thoughts(
    bench: Workbench, tmp_path: Path, task: str
) -> None:
    [item] = drafted(bench, task, "news")["items"]
    bench.reviews.decide(item["id"], "accept", person="Ada")
    bench.releases.freeze("v1")
    bench.releases.export("v1", "crud_rag", tmp_path / "out")
    rows = json.loads((tmp_path / "out/data/crud_split/split_merged.json").read_text(encoding="utf-8"))
    [row] = rows[f"questanswer_{TASKS[task]}doc{'s' if TASKS[task] > 1 else ''}"]
    assert [row[f"news{n}"] for n in range(1, TASKS[task] + 1)] == [
        documents.get(bench.database, name).text for name in item["given"]
    ]
    with Workbench.open(":memory:") as other:
        other.releases.import_(tmp_path / "out", "crud_rag")
        [read] = items.list_items(other.database)
        assert (read.question, read.answers, list(read.given)) == (item["question"], tuple(item["answers"]), item["given"])
        if TASKS[task] > 1:
            assert row["thoughts"].startswith(f"common: Contact point: {item['labels']['event']}\n")
            assert [dict(step) for step in read.steps] == [{"kind": "thoughts", "text": row["thoughts"]}]
        other.releases.freeze("v2", allow_unlicensed="imported")
        other.releases.export("v2", "crud_rag", tmp_path / "again")
        again = json.loads((tmp_path / "again/data/crud_split/split_merged.json").read_text(encoding="utf-8"))
        assert again == rows


def test_the_estimate_counts_the_calls_of_all_four_steps(bench: Workbench) -> None:
    found = bench.draft_estimate.estimate(
        names=["qa_two_documents"],
        domains=["tales"],
        count=1,
        agent=ENDPOINT,
        seed=5,
        budget=None,
        settings={"rag_check": False, "asks": ""},
    )
    assert found.jobs[0].calls_each == 4
