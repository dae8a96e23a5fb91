"""Nugget sets of gold answers: drafted by an agent, changed by people, used by runs, and what makes a version."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from store.jobs import jobs as stored_jobs
from store.runs import nugget_sets, runs
from store.runs.nugget_sets import Nugget, NuggetFilter, NuggetSet
from workbench import Workbench
from workbench.control import Control
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.scoring.nuggets import DraftRequest, NuggetFields, encode_rows, merge_rows

TEXT = "The mill of Orvel burnt down in 1902. Ada Quill bought the ruin for 4,200 crowns."
GOLD = "It burnt down in 1902. Ada Quill bought the ruin."
SCORE = "nuggets.offline.all"
ROWS: list[dict[str, Any]] = [
    {"text": "The mill burnt down in 1902.", "importance": "vital", "evidence": [["d", 0, 37]]},
    {"text": "Ada Quill bought the ruin.", "importance": "okay", "evidence": []},
]


def item(name: str, **more: Any) -> Item:
    given: dict[str, Any] = {"status": "accepted", "evidence": (Span("d", 0, len(TEXT)),), "level": 3}
    return Item(name, "explicit_rationale", f"What became of the {name}?", (GOLD,), **given | more)


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """Three items: two accepted, one drafted."""
    with Workbench.open(":memory:") as bench:
        documents.add(bench.database, [Document("d", TEXT, "The mill", licence="CC0")])
        items.add(bench.database, [item("mill"), item("other", language="en"), item("waiting", status="drafted")])
        yield bench


def draft(bench: Workbench, **asked: Any) -> dict[str, Any]:
    job = bench.nuggets.plan(DraftRequest(agent="offline", **asked))
    return asyncio.run(bench.nuggets.work(job, Control()))


def test_an_agent_drafts_a_set_for_each_accepted_item_that_has_none(bench: Workbench) -> None:
    assert bench.nuggets.count_states() == {"none": 2, "drafted": 0, "written": 0}
    bench.nuggets.save("other", ROWS, seen=0, by="Ada")
    result = draft(bench)
    assert (result["asked"], result["drafted"], result["failed"], result["stopped"]) == (1, 1, 0, None)
    assert "1 of 1 items have drafted nuggets" in str(result["message"])
    card = bench.nuggets.card("mill")
    assert card.current and card.current.by == "offline" and card.current.is_offline and not card.current.is_written
    assert card.current.nuggets and [name.split("@")[0] for name in card.current.prompts] == ["extract/nuggets.en"]
    assert bench.nuggets.count_states() == {"none": 0, "drafted": 1, "written": 1}
    with pytest.raises(BenchError, match="All accepted items of this task and level have nuggets already"):
        draft(bench)
    with pytest.raises(BenchError, match="No accepted item of that kind has a gold answer"):
        draft(bench, only=NuggetFilter(tasks=("summary",)))
    with pytest.raises(BenchError, match="waiting is no accepted item"):
        draft(bench, items=("waiting",))
    with pytest.raises(BenchError, match="ask for 1 or more"):
        draft(bench, limit=0)


@pytest.mark.parametrize(
    ("only", "why"),
    [
        (NuggetFilter(tasks=("sumary",)), "No task named 'sumary'; did you mean summary"),
        (NuggetFilter(level="9"), "No level named '9'; there are: 1, 2, 3, 4, KS, KU, KA"),
    ],
)
def test_an_unknown_task_or_level_is_named(bench: Workbench, only: NuggetFilter, why: str) -> None:
    with pytest.raises(BenchError, match=why):
        draft(bench, only=only)


def test_an_empty_id_is_shown_as_empty(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="No item '' in this workspace"):
        bench.nuggets.card("")
    with pytest.raises(BenchError, match="No run '' in this workspace"):
        bench.absence.report([""])


def test_a_job_that_was_cancelled_drafts_the_rest_when_it_goes_on(bench: Workbench) -> None:
    job = bench.nuggets.plan(DraftRequest(agent="offline"))
    stopped = Control()
    stopped.cancel()
    assert asyncio.run(bench.nuggets.work(job, stopped))["stopped"] == "cancelled"
    assert asyncio.run(bench.nuggets.work(job, Control()))["drafted"] == 2
    assert stored_jobs.count_states(bench.database, job) == {"done": 2}


def test_people_change_a_set_and_every_version_stays(bench: Workbench) -> None:
    first = bench.nuggets.save("mill", ROWS, seen=0, by=" Ada ")
    assert (first.number, first.by, first.vital, first.is_written) == (1, "Ada", 1, True)
    assert first.nuggets[0] == Nugget("The mill burnt down in 1902.", "vital", (Span("d", 0, 37),))
    assert bench.nuggets.save("mill", [*ROWS, {"text": " "}], seen=1, by="Bob") == first, "nothing was changed"
    second = bench.nuggets.save("mill", [{"text": "It  burnt.", "importance": None}], seen=1, by="Bob")
    assert second.nuggets == (Nugget("It burnt.", "vital"),)
    card = bench.nuggets.card("mill")
    assert [one.number for one in card.versions] == [1, 2]
    first_sentence, second = TEXT[:37], TEXT[38:]
    assert [(one.title, one.text) for one in card.sentences] == [("The mill", first_sentence), ("The mill", second)]
    bench.nuggets.save("mill", [{"text": "It burnt.", "evidence": [["d", 4, 8]]}], seen=2, by="Bob")
    assert [one.text for one in bench.nuggets.card("mill").sentences] == [first_sentence, second, "mill"]
    with pytest.raises(BenchError, match="Bob changed this set in the meantime"):
        bench.nuggets.save("mill", ROWS, seen=1, by="Ada")
    with pytest.raises(BenchError, match="Give your name first: it is stored with the nugget set"):
        bench.nuggets.save("mill", ROWS, seen=3, by=" ")


def test_whoever_saves_a_draft_as_it_is_has_confirmed_it(bench: Workbench) -> None:
    draft(bench)
    drafted = bench.nuggets.card("mill").current
    assert drafted is not None
    saved = bench.nuggets.save("mill", encode_rows(drafted), seen=1, by="Ada")
    assert saved.number == 2 and saved.is_written and saved.nuggets == drafted.nuggets


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{"text": "It burnt.", "importance": "huge"}], "Row 1 has the importance 'huge': give vital or okay"),
        ([{"text": "It burnt."}, {"text": "it burnt."}], "in the set twice: it burnt"),
        ([{"text": "w" * 1001}], "longer than 1,000"),
        ([{"text": 5}], "Row 1 has 5 as its text: put the text in quotation marks"),
        ([{"text": f"Fact {n}"} for n in range(31)], "at most 30"),
        ([{"text": "It burnt.", "evidence": [["d", 5, 900]]}], "Nugget 1 cites characters 5 to 900 of d, which has 81"),
        ([{"text": "It burnt.", "evidence": [["e", 5, 9]]}], "cites the document e, which is not in this workspace"),
        ([{"text": "It burnt.", "evidence": ["d"]}], "Row 1 has evidence that is not a list of"),
    ],
)
def test_what_is_no_nugget_is_refused(bench: Workbench, rows: list[dict[str, Any]], why: str) -> None:
    with pytest.raises(BenchError, match=why):
        bench.nuggets.save("mill", rows, seen=0, by="Ada")
    assert not bench.nuggets.card("mill").versions


def test_the_list_is_filtered_and_leads_from_item_to_item(bench: Workbench) -> None:
    bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    rows, total = bench.nuggets.page()
    assert total == 2 and [(row.item, row.level, row.set and row.set.number) for row in rows] == [
        ("mill", 3, 1),
        ("other", 3, None),
    ]

    def found(**only: Any) -> list[str]:
        return [row.item for row in bench.nuggets.page(NuggetFilter(**only))[0]]

    assert found(state="none") == ["other"] and found(state="written") == ["mill"] and found(state="drafted") == []
    assert found(text="QUILL BOUGHT the ruin.") == ["mill", "other"] and found(text='burnt down in 1902.",') == ["mill"]
    assert found(tasks=("summary",)) == [] and found(level=3) == ["mill", "other"] and found(level=1) == []
    assert found(domain="none such") == []
    every, open_ = NuggetFilter(), NuggetFilter(state="none")
    assert [bench.nuggets.find_next(name, every) for name in ("mill", "other", "gone")] == ["other", "mill", "mill"]
    assert bench.nuggets.find_next("mill", open_) == "other" and bench.nuggets.find_next("other", open_) is None


def test_another_gold_answer_has_its_own_set(bench: Workbench) -> None:
    bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    bench.reviews.decide("mill", "accept", person="Ada", answer="It burnt down.")
    assert not bench.nuggets.card("mill").versions and bench.nuggets.count_states()["none"] == 2
    with pytest.raises(BenchError, match="none has no gold answer"):
        items.add(bench.database, [Item("none", "summary", "Q?", (), status="accepted")])
        bench.nuggets.card("none")


def test_merged_rows_unite_texts_and_evidence_and_are_vital_if_one_is() -> None:
    rows: list[NuggetFields] = [
        {"text": "A.", "importance": "okay", "evidence": [["d", 0, 2]]},
        {"text": "B.", "importance": "okay", "evidence": []},
        {"text": "C.", "importance": "vital", "evidence": [["d", 0, 2], ["d", 3, 5]]},
    ]
    merged = {"text": "A. C.", "importance": "vital", "evidence": [["d", 0, 2], ["d", 3, 5]]}
    assert merge_rows(rows, [2, 0]) == [merged, rows[1]]
    assert merge_rows(rows, [1]) == rows and merge_rows(rows, [1, 9]) == rows


@pytest.fixture
def running(bench: Workbench) -> Iterator[Workbench]:
    bench.releases.freeze("v1")
    jobs.start(bench)
    yield bench
    jobs.stop(bench)


def run(bench: Workbench, system: str = "oracle", release: str = "v1") -> str:
    asked = RunRequest(release=release, system=system, agent="offline", metrics=["nuggets"], judges=["offline"])
    return str(jobs.start(bench).submit(bench.runs.plan(asked)).result()["run"])


def versions(bench: Workbench, run_: str) -> list[str]:
    return sorted({score.version for score in runs.load_scores(bench.database, run_) if score.metric == SCORE})


def calls(bench: Workbench, prompt: str) -> int:
    """How many calls were made with that prompt; "" = with any."""
    return int(bench.database.rows("SELECT count(*) FROM call WHERE starts_with(prompt, ?)", [prompt])[0][0])


def test_a_set_is_made_once_while_a_run_is_scored_and_a_change_scores_the_same_run_again(running: Workbench) -> None:
    first = run(running)
    made = running.nuggets.card("mill").current
    assert made is not None and made.by == "offline" and made.number == 1 and made.nuggets
    [version] = versions(running, first)
    assert (calls(running, "extract/nuggets"), calls(running, "judge/nuggets")) == (2, 2)
    run(running, "closed_book")
    assert calls(running, "extract/nuggets") == 2, "no nugget is drafted again"
    running.nuggets.save("mill", ROWS, seen=1, by="Ada")
    before = calls(running, "")
    assert run(running) == first and versions(running, first) == [version, f"{version} with set 0002"]
    assert calls(running, "") == before + 1, "only the verdicts on the changed nuggets"
    said = [j.details["verdicts"] for j in runs.load_judgements(running.database, first) if j.version.endswith("0002")]
    assert [one["sentence"] for one in said[0]] == [row["text"] for row in ROWS]
    told = [one.version for one in running.run_exports.list_scores(first) if one.item == "mill" and one.metric == SCORE]
    assert told == [f"{version} with set 0002"], "an answer judged twice has its newest score alone"


def test_one_set_serves_all_metrics_that_take_nuggets_as_claims(running: Workbench) -> None:
    names, settings = ["nuggets", "s_f1", "context_recall"], {"s_f1.claims": "nuggets", "context_recall.claims": "nuggets"}

    def score() -> dict[str, list[str]]:
        asked = RunRequest(
            release="v1",
            system="vanilla",
            agent="offline",
            metrics=names,
            judges=["offline"],
            retriever="bm25",
            settings=settings,
        )
        id_ = str(jobs.start(running).submit(running.runs.plan(asked)).result()["run"])
        newest = {one.metric: one for one in runs.load_judgements(running.database, id_) if one.item == "mill"}
        return {
            name: [v["sentence"] for v in newest[f"{name}.offline"].details["verdicts"] if v["side"] != "precision"]
            for name in names
        }

    assert len(set(map(tuple, score().values()))) == 1
    assert calls(running, "extract/nuggets") == 2 and calls(running, "extract/claims") == 0, "one draft for each item"
    assert [one.by for one in running.nuggets.card("mill").versions] == ["offline"]
    running.nuggets.save("mill", ROWS, seen=1, by="Ada")
    assert set(map(tuple, score().values())) == {tuple(row["text"] for row in ROWS)}


def test_questions_about_nuggets_are_a_set_of_their_own_and_follow_a_change_of_the_nuggets(running: Workbench) -> None:
    metric = "rag_quest_eval"

    def score(claims: str) -> tuple[str, list[str]]:
        asked = RunRequest(
            release="v1",
            system="oracle",
            agent="offline",
            metrics=[metric],
            judges=["offline"],
            settings={f"{metric}.claims": claims},
        )
        id_ = str(jobs.start(running).submit(running.runs.plan(asked)).result()["run"])
        newest = next(one for one in runs.load_newest_judgements(running.database, id_) if one.item == "mill")
        return newest.version, [row["question"] for row in newest.details["question_set"]]

    about_answer = score("text")
    assert calls(running, "extract/nugget") == 0, "without the setting, nothing about nuggets is asked"
    version, asked = score("nuggets")
    assert version == f"{about_answer[0]} claims nuggets"
    drafted = running.nuggets.card("mill").current
    assert drafted is not None
    sets = {one.set.answer: one.set for one in running.question_sets.page()[0] if one.set.item == "mill"}
    about_nuggets = sets["\n".join(f"• {one.text}" for one in drafted.nuggets)]
    assert set(sets) == {GOLD, about_nuggets.answer}
    assert [name.split("@")[0] for name in about_nuggets.prompts] == ["extract/nugget_questions.en"]
    before = calls(running, "extract/nugget_questions")
    assert score("nuggets") == (version, asked) and calls(running, "extract/nugget_questions") == before
    running.question_sets.save("mill", about_nuggets.gold, [{"question": "Who?", "answer": "Ada"}], seen=1, by="Ada")
    assert score("nuggets") == (f"{version} questions with set 0002", ["Who?"])
    running.nuggets.save("mill", ROWS, seen=1, by="Ada")
    changed, questions = score("nuggets")
    assert changed == f"{version} with set 0002" and questions not in (asked, ["Who?"])
    card = running.question_sets.card("mill", about_nuggets.gold)
    assert card.is_of_nuggets and not running.question_sets.card("mill", sets[GOLD].gold).is_of_nuggets


def test_claims_of_another_kind_are_judged_although_the_run_has_scores_of_the_first(running: Workbench) -> None:
    def score(**settings: str) -> list[str]:
        asked = RunRequest(
            release="v1", system="oracle", agent="offline", metrics=["s_f1"], judges=["offline"], settings={**settings}
        )
        id_ = str(jobs.start(running).submit(running.runs.plan(asked)).result()["run"])
        return sorted({one.version for one in runs.load_scores(running.database, id_) if one.item == "mill"})

    assert score(**{"s_f1.claims": "nuggets"}) == ["1 claims nuggets"]
    assert score() == ["1", "1 claims nuggets"]


def test_an_llm_judge_never_uses_what_the_offline_agent_made(bench: Workbench) -> None:
    made = NuggetSet("mill", GOLD, "en", (Nugget("It burnt.", "vital"),), "offline", ("p@b2:1",), is_offline=True)
    bench.database.write(lambda cursor: nugget_sets.TABLE.insert_sets(cursor, [made]))
    assert nugget_sets.TABLE.load_counting_sets(bench.database, ["mill"], True)
    assert not nugget_sets.TABLE.load_counting_sets(bench.database, ["mill"], False)


def test_the_estimate_counts_one_call_for_each_item_that_the_job_would_draft(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    settings = {"agent.price_in": 1, "agent.price_out": 2}
    asked = DraftRequest(agent="openai:halmerow", settings=settings)
    both = bench.nuggets.estimate(asked)
    bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    one = bench.nuggets.estimate(asked)
    assert (both.items, both.least.calls, one.items, one.least.calls) == (2, 2, 1, 1)
    assert both.least.price == pytest.approx(2 * (one.least.price or 0), rel=0.05) and (one.least.price or 0) > 0
    assert draft(bench)["asked"] == 1, "and the job asks as much"
    assert bench.nuggets.estimate(asked).items == 1, "a set by the offline agent is none for an LLM"
