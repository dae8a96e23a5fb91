"""Question sets of gold answers: made once for every system and judge, changed by people, and what a change does to scores."""

from collections.abc import Iterator
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from store.runs import question_sets, runs
from store.runs.gold_sets import gold_key
from store.runs.question_sets import QuestionSet
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

TEXT = "The mill of Orvel burnt down in 1902. Ada Quill bought the ruin for 4,200 crowns."
GOLD = "It burnt down in 1902. Ada Quill bought the ruin."
LEFT = "rag_quest_eval.offline.recall"


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """One item, frozen, in a workspace that runs jobs."""
    with Workbench.open(":memory:") as bench:
        documents.add(bench.database, [Document("d", TEXT, "The mill", licence="CC0")])
        items.add(
            bench.database,
            [
                Item(
                    "mill",
                    "question_answering",
                    "What became of the mill?",
                    (GOLD,),
                    status="accepted",
                    evidence=(Span("d", 0, len(TEXT)),),
                )
            ],
        )
        bench.releases.freeze("v1")
        jobs.start(bench)
        yield bench
        jobs.stop(bench)


def run(bench: Workbench, system: str = "oracle") -> str:
    asked = RunRequest(release="v1", system=system, agent="offline", metrics=["rag_quest_eval"], judges=["offline"])
    return str(jobs.start(bench).submit(bench.runs.plan(asked)).result()["run"])


def scores(bench: Workbench, run_: str) -> dict[str, float | None]:
    """Version -> recall."""
    return {score.version: score.value for score in runs.load_scores(bench.database, run_) if score.metric == LEFT}


def calls(bench: Workbench) -> int:
    return int(bench.database.rows("SELECT count(*) FROM call")[0][0])


def test_a_set_is_made_once_and_stands_for_every_system(bench: Workbench) -> None:
    run(bench)
    rows, total = bench.question_sets.page()
    made = rows[0].set
    assert total == 1 and rows[0].question == "What became of the mill?" and made.number == 1 and made.by == "offline"
    assert made.answer == GOLD and made.pairs and made.is_offline and not made.is_written
    assert [name.split("@")[0] for name in made.prompts] == ["extract/key_questions.en", "extract/short_answers.en"]
    before = calls(bench)
    run(bench, "closed_book")
    assert calls(bench) == before + 2, "the answer, and the answers from it: nothing about the gold answer is asked again"
    assert len(bench.question_sets.card("mill", made.gold).versions) == 1


def test_a_changed_set_is_asked_by_the_same_run_again_and_its_scores_say_so(bench: Workbench) -> None:
    first = run(bench)
    gold = gold_key(GOLD, "en")
    [version] = scores(bench, first)
    written = [
        {"question": "When did it burn?", "answer": "1902"},
        {"question": "Who sold it?", "answer": ""},
        {"question": None, "answer": None},
    ]
    saved = bench.question_sets.save("mill", gold, written, seen=1, by=" Ada ")
    assert (saved.number, saved.by, saved.answered, saved.is_written) == (2, "Ada", 1, True)
    assert saved.pairs == (("When did it burn?", "1902"), ("Who sold it?", "unanswerable"))
    before = calls(bench)
    assert run(bench) == first
    assert list(scores(bench, first)) == [version, f"{version} with set 0002"], "the newer is the greater"
    assert calls(bench) == before + 1, "only the answers from the answer"
    assert run(bench) == first and calls(bench) == before + 1, "and then nothing more"
    said = [j.details["question_set"] for j in runs.load_judgements(bench.database, first) if j.version.endswith("0002")]
    assert [one["question"] for one in said[0]] == ["When did it burn?", "Who sold it?"]


def test_what_stands_there_already_is_no_new_set(bench: Workbench) -> None:
    run(bench)
    made = bench.question_sets.page()[0][0].set
    same = [{"question": question, "answer": answer} for question, answer in made.pairs]
    assert bench.question_sets.save("mill", made.gold, same, seen=1, by="Ada") == made


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{"question": "", "answer": "1902"}], "Row 1 has an answer but no question"),
        ([{"question": "When?", "answer": "1902"}, {"question": "When?", "answer": "1903"}], "is in the set twice: When"),
        ([{"question": "w" * 1001, "answer": ""}], "longer than 1,000"),
        ([{"question": f"Which {n}?", "answer": ""} for n in range(51)], "at most 50"),
    ],
)
def test_what_cannot_be_asked_is_refused(bench: Workbench, rows: list[dict[str, Any]], why: str) -> None:
    run(bench)
    with pytest.raises(BenchError, match=why):
        bench.question_sets.save("mill", gold_key(GOLD, "en"), rows, seen=1, by="Ada")
    assert len(bench.question_sets.card("mill", gold_key(GOLD, "en")).versions) == 1


def test_nobody_saves_over_what_somebody_else_changed_meanwhile(bench: Workbench) -> None:
    run(bench)
    gold = gold_key(GOLD, "en")
    bench.question_sets.save("mill", gold, [{"question": "When?", "answer": "1902"}], seen=1, by="Ada")
    with pytest.raises(BenchError, match="Ada changed this set in the meantime"):
        bench.question_sets.save("mill", gold, [{"question": "Who?", "answer": "Ada Quill"}], seen=1, by="Bob")
    with pytest.raises(BenchError, match="Give your name first: it is stored with the question set"):
        bench.question_sets.save("mill", gold, [], seen=2, by="")
    with pytest.raises(BenchError, match="scoring a run with rag_quest_eval creates the set"):
        bench.question_sets.card("mill", "0000")


def test_an_llm_never_asks_by_what_the_offline_agent_made_but_by_what_a_person_wrote(bench: Workbench) -> None:
    offline = QuestionSet("mill", GOLD, "en", (("When?", "1902"),), 1, "offline", ("p@b2:1",), is_offline=True)
    own = QuestionSet("mill", GOLD, "en", (("Who?", "Ada Quill"),), 1, "openai:m", ("p@b2:1",))
    gold = own.gold

    def counting(for_offline: bool) -> int | None:
        found = question_sets.TABLE.load_counting_sets(bench.database, ["mill"], for_offline).get(("mill", gold))
        return found.number if found else None

    def make(one: QuestionSet) -> None:
        bench.database.write(lambda cursor: question_sets.TABLE.insert_sets(cursor, [one, one]))

    make(offline)
    assert (counting(True), counting(False)) == (1, None)
    make(own)
    make(own)
    make(offline)
    assert (counting(True), counting(False)) == (2, 2) and len(
        question_sets.TABLE.load_versions(bench.database, "mill", gold)
    ) == 2
    bench.question_sets.save("mill", gold, [{"question": "How much?", "answer": ""}], seen=2, by="Ada")
    assert (counting(True), counting(False)) == (3, 3)
    assert [row.set.number for row in bench.question_sets.page(only="left out")[0]] == [3], "the gold answer answers nothing"
    assert bench.question_sets.page(only="written")[1] == bench.question_sets.page("HOW MUCH")[1] == 1
    assert bench.question_sets.page("nowhere")[1] == 0
