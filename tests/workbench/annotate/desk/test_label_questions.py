"""Label questions: asked by a lead, answered with a review, kept whatever becomes of the question, compared between people,
frozen and brought back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BenchError, NotAllowed
from core.label_questions import LABEL_ANSWERS
from core.nouns import Item
from eval.reports.results import make_group_key
from store.corpus import documents
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.releases import releases
from store.reviews import opinions, reviews
from store.reviews.unsent_edits import UnsentEdit
from tests.store.sample_items import item
from workbench import Workbench, actor
from workbench.annotate.desk.decisions import DecisionRequest
from workbench.annotate.finding.bulk_rules import BulkRequest

ALL: dict[str, Any] = {"tone": "dry", "topics": ["law", "art"], "clarity": 4, "remark": "Reads well."}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        items.add(made.database, [item(name) for name in "abcd"])
        yield made


def ask(bench: Workbench, **more: Any) -> None:
    """One question of each kind."""
    change = bench.label_questions.change
    change("tone", "Lea", text="Which tone?", kind="one", choice=["dry", "warm"], **more)
    change("topics", "Lea", text="Which topics?", kind="several", choice=["law", "art", "tech"])
    change("clarity", "Lea", text="How clear is it?", kind="rating", top=5)
    change("remark", "Lea", text="Anything else?", kind="text")


def press(bench: Workbench, name: str, answers: dict[str, Any] | None, person: str = "Ada", **fields: Any) -> Item:
    now = items.get(bench.database, name)
    made = DecisionRequest(
        f"{person}:{name}", person, name, now.revision, "accept", now.question, now.answers[0], (), label_answers=answers
    )
    return bench.reviews.settle(replace(made, **fields)).item


def export(bench: Workbench, form: str, out: Path, **more: Any) -> Path:
    bench.releases.export("r", form, out, **more)
    return out


def test_answers_are_stored_with_the_review_in_the_questions_order(bench: Workbench) -> None:
    ask(bench)
    press(bench, "a", {"clarity": 4, "topics": ["art", "law"], "tone": "dry", "remark": " Reads well. "})
    [stored] = reviews.load_effective(bench.database, ["a"])
    assert stored.details[LABEL_ANSWERS] == {"tone": "dry", "topics": ["law", "art"], "clarity": 4, "remark": "Reads well."}
    assert bench.reviews.desk("a", "Ada").decision.label_answers == stored.details[LABEL_ANSWERS]
    assert [one.answers for one in bench.label_questions.list_questions()] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"tone": "cold"}, "'cold' is not a choice of the label question tone: choose among dry, warm"),
        ({"topics": ["law", "x"]}, "'x' is not a choice"),
        ({"topics": 3}, "answered with a list"),
        ({"clarity": 6}, "from 1 to 5"),
        ({"clarity": True}, "from 1 to 5"),
        ({"remark": 5}, "answered with a text"),
        ({"remark": "x" * 5_001}, "5,001 characters"),
        ({"remark": "a\0"}, "no file can store"),
        ({"nobody": "x"}, "No label question 'nobody'"),
    ],
)
def test_an_answer_that_the_question_does_not_take_is_refused_and_nothing_stored(
    bench: Workbench, answers: dict[str, Any], sentence: str
) -> None:
    ask(bench)
    with pytest.raises(BenchError, match=sentence):
        press(bench, "a", answers)
    assert reviews.load_effective(bench.database, ["a"]) == []


def test_nothing_is_accepted_without_a_required_answer_while_discarding_needs_none(bench: Workbench) -> None:
    ask(bench, required=True, task=["explicit_factoid"])
    items.add(bench.database, [item("other", task="implicit_factoid")])
    with pytest.raises(BenchError, match="The label question tone is required"):
        press(bench, "a", {"clarity": 2, "tone": ""})
    with pytest.raises(BenchError, match="tone is required"):
        bench.reviews.decide("a", "accept", person="Ada")
    assert press(bench, "a", None, decision="discard", reason="duplicate").status == "discarded"
    assert press(bench, "other", None).status == "accepted", "the question is of another task"
    assert bench.reviews.decide("b", "accept", person="Ada", label_answers={"tone": "warm"}).status == "accepted"
    preview = bench.bulk.preview(BulkRequest("accept", "Lea"), ("b", "c", "other"), "1")
    while preview.value is None:
        preview = bench.bulk.preview(BulkRequest("accept", "Lea"), ("b", "c", "other"), "1")
    assert {one.why: one.n for one in preview.value.left_out} == {"a label question is required": 1, "accepted already": 2}


def test_a_question_with_answers_keeps_its_kind_and_the_choices_that_were_chosen(bench: Workbench) -> None:
    ask(bench)
    press(bench, "a", ALL)
    bench.reviews.undo("Ada", "undo")  # an answer of an undone review is stored too
    change = bench.label_questions.change
    with pytest.raises(BenchError, match="tone has 1 answers as one choice, so its kind cannot change"):
        change("tone", "Lea", kind="text")
    with pytest.raises(BenchError, match="'dry' of the label question tone has 1 answers, so it cannot be removed"):
        change("tone", "Lea", choice=["warm", "cold"])
    with pytest.raises(BenchError, match="answers up to 4, so its highest value cannot be 3"):
        change("clarity", "Lea", top=3)
    assert change("tone", "Lea", text="The tone?", choice=["cold", "dry"], required=True).choices == ("cold", "dry")
    assert change("clarity", "Lea", top=7).top == 7
    change("tone", "Lea", retired=True)
    assert [one["name"] for one in bench.reviews.desk("b", "Ada").label_questions] == ["topics", "clarity", "remark"]
    assert press(bench, "b", None).status == "accepted", "a retired question is not required"


def test_a_question_without_answers_changes_its_kind(bench: Workbench) -> None:
    ask(bench)
    assert bench.label_questions.change("tone", "Lea", kind="rating", top=3).choices == ()


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("Tone", {"kind": "text", "text": "T"}, "is not a name for a label question"),
        ("tone", {}, "needs a text and a kind"),
        ("tone", {"kind": "one", "text": "T", "choice": ["a"]}, "has 1 choices: give 2 to 50"),
        ("tone", {"kind": "one", "text": "T", "choice": ["a", " A "]}, "one choice twice"),
        ("tone", {"kind": "rating", "text": "T", "top": 11}, "from 2 to 10"),
        ("tone", {"kind": "text", "text": " "}, "has no text"),
        ("tone", {"kind": "text", "text": "T", "task": ["nothing"]}, "There is no task 'nothing'"),
        ("tone", {"kind": "text", "text": "T", "choice": ["a"]}, "has no choices: leave them out"),
    ],
)
def test_a_question_that_nobody_could_answer_is_refused(
    bench: Workbench, name: str, given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BenchError, match=sentence):
        bench.label_questions.change(name, "Lea", **given)
    assert bench.label_questions.list_questions() == []


def test_only_leads_ask_once_roles_are_told_apart(bench: Workbench) -> None:
    bench.people.give("Lea", "admin")
    with actor.act_as("Ada"), pytest.raises(NotAllowed, match="may not set the rules of the work"):
        ask(bench)


def test_what_is_answered_is_scratch_until_it_is_decided_on(bench: Workbench) -> None:
    ask(bench)
    bench.reviews.keep(UnsentEdit("Ada", "a", 1, "Who is a?", "a", label_answers={"tone": "dry"}))
    assert bench.reviews.desk("a", "Ada").scratch.label_answers == {"tone": "dry"}
    press(bench, "a", {"tone": "dry"})
    assert bench.reviews.desk("a", "Ada").scratch is None
    assert bench.reviews.undo("Ada", "undo") == "a" and bench.reviews.desk("a", "Ada").decision is None


def test_people_who_answer_otherwise_are_decided_between_and_free_text_is_no_difference(bench: Workbench) -> None:
    ask(bench)
    bench.queue.set_rules(QueueRules((OverlapRule(ItemKind(), 2),)), "Lea")
    press(bench, "a", ALL)
    assert press(bench, "a", ALL | {"remark": "Short."}, "Bo").status == "accepted"
    settled = reviews.load_effective(bench.database, ["a"])[-1]
    assert settled.role == "settled" and settled.details[LABEL_ANSWERS] == ALL | {"remark": "Reads well.\n\nShort."}
    press(bench, "b", ALL)
    assert press(bench, "b", ALL | {"tone": "warm"}, "Bo").status == "drafted"
    assert opinions.find_disputed(bench.database, ["a", "b"]) == {"b"}
    told = bench.adjudication.desk("b", "Cy").opinions
    assert sorted(one.label_answers["tone"] for one in told.given) == ["dry", "warm"]
    now = items.get(bench.database, "b")
    made = DecisionRequest("k", "Cy", "b", 1, "accept", now.question, now.answers[0], (), label_answers=ALL | {"tone": "warm"})
    assert bench.adjudication.settle(made, told.seen).item.status == "accepted"
    bench.reviews.desk("b", "Cy")
    assert reviews.load_effective(bench.database, ["b"])[-1].details[LABEL_ANSWERS]["tone"] == "warm"


def test_an_optional_question_that_one_left_out_is_no_difference(bench: Workbench) -> None:
    ask(bench)
    bench.queue.set_rules(QueueRules((OverlapRule(ItemKind(), 2),)), "Lea")
    press(bench, "a", {})
    assert press(bench, "a", {"tone": "warm"}, "Bo").status == "accepted"
    assert reviews.load_effective(bench.database, ["a"])[-1].details[LABEL_ANSWERS] == {"tone": "warm"}


def test_each_question_has_its_agreement_and_free_text_says_that_it_has_none(bench: Workbench) -> None:
    ask(bench)
    bench.queue.set_rules(QueueRules((OverlapRule(ItemKind(), 2),)), "Lea")
    for name, tone, other in (("a", "dry", "dry"), ("b", "warm", "warm"), ("c", "dry", "warm"), ("d", "warm", "warm")):
        press(bench, name, ALL | {"tone": tone, "clarity": 1 if tone == "dry" else 5})
        press(bench, name, ALL | {"tone": other, "clarity": 2 if other == "dry" else 5}, "Bo")
    lines = [one for one in bench.progress.load_agreement().lines if one.what.startswith("Label")]
    found = {(one.what, one.measure): one for one in lines}
    tone = found["Label: tone", "Krippendorff's alpha"]
    # by hand: 8 labels, 3 dry and 5 warm, 2 pairs of 8 apart: 1 - (2/8) / (2*3*5/(8*7)) = 1 - .25/.5357
    assert tone.value == pytest.approx(1 - 0.25 / (30 / 56)) and tone.items == 4
    assert found["Label: tone", "pairs of one answer"].value == pytest.approx(0.75)
    assert found["Label: clarity", "Krippendorff's alpha, ordinal"].value is not None
    topics = found["Label: topics", "Krippendorff's alpha of the chosen sets, MASI distance"]
    assert topics.value is None and "one and the same label" in topics.why
    remark = found["Label: remark", "none"]
    assert remark.value is None and remark.items == 4 and "no coefficient" in remark.why


def test_a_release_holds_the_answers_of_the_decisions_that_stand(bench: Workbench, tmp_path: Path) -> None:
    ask(bench)
    press(bench, "a", ALL)
    press(bench, "b", {"tone": "warm"})
    bench.reviews.undo("Ada", "u1")
    bench.reviews.decide("b", "accept", person="Bo", label_answers={"tone": "dry"})
    bench.releases.freeze("r")
    bench.reviews.decide("a", "accept", person="Cy", label_answers={"tone": "warm"})  # after the freeze
    release, content = bench.releases.get("r")
    assert {one.id: one.labels[LABEL_ANSWERS] for one in content.items} == {"a": ALL, "b": {"tone": "dry"}}
    assert [one["name"] for one in release.manifest["label_questions"]] == list(ALL) and bench.releases.verify("r").ok
    out = export(bench, "jsonl", tmp_path / "out")
    records = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
    assert records[0]["labels"][LABEL_ANSWERS] == ALL
    card = (out / "README.md").read_text()
    assert "## Label questions" in card and "| tone | Which tone? | one choice of dry, warm | no | all | 2 of 2 |" in card
    assert "rating, 1 to 5" in card
    assert bench.release_browser.item("r", "a").item.labels[LABEL_ANSWERS] == ALL
    assert "label question: tone" in (export(bench, "csv", tmp_path / "csv") / "items.csv").read_text()
    assert "clarity (label question)" in (out / "index.html").read_text()


def test_a_withheld_split_tells_no_answer(bench: Workbench, tmp_path: Path) -> None:
    ask(bench)
    press(bench, "a", ALL)
    bench.releases.freeze("r")
    out = export(bench, "jsonl", tmp_path / "out", withhold=["test"])
    assert all("Reads well." not in file.read_text() for file in out.iterdir())


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_release_comes_back_with_its_answers_and_asks_nobody(bench: Workbench, tmp_path: Path, form: str) -> None:
    ask(bench, required=True)
    press(bench, "a", ALL)
    bench.releases.freeze("r")
    first = export(bench, form, tmp_path / "one")
    with Workbench.open(":memory:") as there:
        assert there.releases.import_(first, form).release == "r"
        assert there.releases.verify("r").ok
        second = export(there, "jsonl", tmp_path / "two")
        third = export(bench, "jsonl", tmp_path / "three")
        assert json.loads((second / "items.jsonl").read_text()) == json.loads((third / "items.jsonl").read_text())
        assert (second / "manifest.json").read_bytes() == (first / "manifest.json").read_bytes()
        assert all(one.question.is_retired for one in there.label_questions.list_questions())
        again = there.releases.freeze("again")
        assert again.hash == releases.load_hash(bench.database, "r"), "answers that came in are frozen"


def test_a_release_of_before_keeps_its_words_where_one_with_answers_came_in(bench: Workbench, tmp_path: Path) -> None:
    press(bench, "a", None)
    bench.releases.freeze("plain")
    bench.releases.export("plain", "jsonl", tmp_path / "plain")
    ask(bench)
    bench.reviews.decide("a", "accept", person="Bo", label_answers={"tone": "dry"})
    bench.releases.freeze("r")
    export(bench, "jsonl", tmp_path / "r")
    with Workbench.open(":memory:") as there:
        for name in ("r", "plain"):
            there.releases.import_(tmp_path / name, "jsonl")
            assert there.releases.verify(name).ok, name


def test_reviews_take_their_answers_along_and_those_that_do_not_fit_are_refused(bench: Workbench, tmp_path: Path) -> None:
    ask(bench)
    press(bench, "a", ALL)
    bench.releases.freeze("r")
    out = export(bench, "reviews", tmp_path / "out")
    with Workbench.open(":memory:") as there:
        items.add(there.database, [item("a")])
        assert there.releases.import_(out, "reviews").reviews == 1
        assert reviews.load_effective(there.database, ["a"])[0].details[LABEL_ANSWERS] == ALL
        assert [one.question.name for one in there.label_questions.list_questions()] == list(ALL)
    with Workbench.open(":memory:") as there:
        items.add(there.database, [item("a")])
        there.label_questions.change("tone", text="?", kind="one", choice=["grey", "loud"])
        [refused] = there.releases.import_(out, "reviews").refused
        assert "'dry' is not a choice of the label question tone" in refused.message


def test_reports_are_made_by_an_answer() -> None:
    row: Any = SimpleNamespace(labels={"crag": "x", LABEL_ANSWERS: {"tone": "dry", "topics": ["law", "art"], "crag": "no"}})
    assert make_group_key([f"label.{name}" for name in ("tone", "topics", "crag", "none")])(row) == (
        "dry",
        "law, art",
        "x",
        None,
    )


def test_a_workspace_without_questions_has_none_of_it(bench: Workbench, tmp_path: Path) -> None:
    press(bench, "a", {})
    bench.releases.freeze("r")
    out = export(bench, "jsonl", tmp_path / "out")
    told = "".join(file.read_text() for file in out.iterdir() if file.suffix != ".py")
    assert "label_question" not in told and LABEL_ANSWERS not in told and documents.list_documents(bench.database) == []
