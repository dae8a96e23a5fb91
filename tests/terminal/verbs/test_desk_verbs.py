"""Verbs for what annotators do on the pages: they reserve the same items and hide the same things as the pages do."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cli
from benchwright.verb_session import VerbCaller
from core.errors import BenchError
from store.controls import control_items
from store.runs import question_sets
from store.runs.question_sets import QuestionSet
from tests.store.formats.test_formats_crag import PAGE
from workbench import Workbench, actor

ROOT = Path(__file__).parents[3]
WHOLE: dict[str, Any] = {
    "question": "when does the ferry leave?",
    "answer": "at nine",
    "alternatives": ["9", "at 9 o'clock"],
    "domain": "open",
    "question_type": "set",
    "static_or_dynamic": "slow-changing",
    "query_time": "02/28/2024, 08:35:24 PT",
    "answer_url": "https://e.test/ferries",
    "pages": [{"page_url": "https://e.test/ferries", "page_snippet": "a ferry", "page_result": PAGE}],
}


@pytest.fixture
def caller(samples: Path, tmp_path: Path) -> Iterator[VerbCaller]:
    path = tmp_path / "w.duckdb"
    shutil.copy(samples, path)
    made = VerbCaller(str(path))
    yield made
    made.close()


@pytest.fixture
def bench(caller: VerbCaller) -> Workbench:
    assert isinstance(caller._bench, Workbench)
    return caller._bench


def draft(caller: VerbCaller, count: int = 2) -> list[str]:
    words = ("--task=explicit_factoid", "--domain=finance", f"--count={count}", "--agent=offline")
    return [item["id"] for item in caller.call("draft", *words)["items"]]


def write_lines(path: Path, *rows: object) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_the_next_item_is_held_shown_and_decided(caller: VerbCaller, bench: Workbench) -> None:
    made = draft(caller)
    shown = caller.call("desk", "next", "--as=Ann", "--documents")
    first = shown["item"]["id"]
    assert first in made and shown["left"] == 2 and not shown["blind"]
    [span] = shown["item"]["evidence"]
    text = {document["id"]: document["text"] for document in shown["documents"]}[span["document"]]
    assert span["text"] == text[span["start"] : span["end"]]
    other = caller.call("desk", "next", "--as=Ben")["item"]["id"]
    assert other in made and other != first, "Ann holds the first"
    assert caller.call("desk", "open", first, "--as=Ben")["held"]["by"] == "Ann"
    assert caller.call("desk", "next", "--as=ann")["item"]["id"] == first, "the same person, in another case"
    caller.call("decide", first, "accept", "--as=Ann")
    assert caller.call("desk", "next", "--as=Ann") == {"item": None, "left": 0}
    assert caller.call("desk", "previous", "--as=Ann")["item"]["id"] == first
    assert caller.call("desk", "previous", "--as=Ann", f"--before={first}")["item"] is None
    assert caller.call("desk", "next", "--as=Ben", "--task=summary")["item"] is None
    with pytest.raises(BenchError, match="--kind filters variants"):
        caller.call("desk", "next", "--as=Ann", "--kind=ocr")
    with pytest.raises(BenchError, match="give it with --as"):
        caller.call("desk", "next", "--as= ")


def test_a_held_item_is_skipped_released_and_taken_over(caller: VerbCaller) -> None:
    draft(caller)
    first = caller.call("desk", "next", "--as=Ann")["item"]["id"]
    assert caller.call("desk", "take-over", first, "--as=Ben")["held"] is None
    assert caller.call("desk", "open", first, "--as=Ann")["held"]["by"] == "Ben"
    assert caller.call("desk", "release", "--from=ben", "--as=Ann") == {"released": None, "person": "Ben"}
    assert caller.call("desk", "open", first, "--as=Ann")["held"] is None
    assert caller.call("desk", "skip", first, "--as=Ann", "--reason=not my field") == {"skipped": first}
    second = caller.call("desk", "next", f"--after={first}", "--as=Ann")["item"]["id"]
    assert second != first and caller.call("desk", "next", "--as=Ben")["item"]["id"] == first
    assert caller.call("desk", "rules", "--hold-minutes=20", "--as=Lea")["hold_minutes"] == 20
    for alone, missing in (("--passing=2", "--qualification"), ("--seed=3", "--blind, --alone or --control")):
        with pytest.raises(BenchError, match=f"changes nothing without {missing}"):
            caller.call("desk", "rules", alone, "--as=Lea")
    with pytest.raises(BenchError, match="give it with --as"):
        caller.call("desk", "rules", "--hold-minutes=30")


def test_people_agree_to_the_consent_text_before_they_rewrite(caller: VerbCaller, tmp_path: Path) -> None:
    item = caller.call("items")[0]["id"]
    rewrite = ("rewrite", item, "--as=Ann", "--text=Please tell me in your own words: what is it all about?")
    assert caller.call("consent", "show") == {"version": 0, "text": "", "agreed": None}
    file = tmp_path / "consent.txt"
    file.write_text("Rewrites are published.\n")
    assert caller.call("consent", "save", str(file)) == {"version": 1, "text": "Rewrites are published."}
    assert caller.call("consent", "show", "--as=Ann")["agreed"] is False
    with pytest.raises(BenchError, match="with `consent show`, and agree to it"):
        caller.call(*rewrite)
    with pytest.raises(BenchError, match="The consent text has changed since it was shown"):
        caller.call("consent", "agree", "2", "--as=Ann")
    assert caller.call("consent", "agree", "1", "--as=ann") == {"person": "Ann", "agreed": 1}, "as the workspace spells it"
    assert caller.call("consent", "show", "--as=Ann")["agreed"] is True
    assert caller.call(*rewrite)[0]["generator"] == "Ann"


def test_a_hidden_answer_shows_after_ones_own(caller: VerbCaller, bench: Workbench) -> None:
    [item] = draft(caller, 1)
    assert caller.call("desk", "rules", "--blind=1", "--as=Lea")["blind"] == {"share": 1.0, "seed": 0, "alone": 0.0}
    with pytest.raises(BenchError, match="is hidden from Zoe until they have given their own"):
        caller.call("decide", item, "accept", "--as=Zoe")
    gold = bench.reviews.items(status="drafted")[0].answers[0]
    [listed] = caller.call("items", "--status=drafted", "--as=Ann")
    assert (listed["id"], listed["answers"], listed["evidence"]) == (item, [], [])
    assert caller.call("items", f"--text={gold}", "--status=drafted", "--as=Ann") == [], "a search tells nothing either"
    assert caller.call("items", "--status=drafted")[0]["answers"][0] == gold, "the owner's own list"
    shown = caller.call("desk", "next", "--as=Ann")
    assert shown["blind"] and shown["item"]["id"] == item and gold not in json.dumps({**shown, "documents": []})
    assert shown["item"]["answers"] == [] and shown["item"]["evidence"] == [] and shown["verdicts"] == []
    revealed = caller.call("desk", "reveal", item, "--as=Ann", "--text=It is nine.")
    assert revealed["item"]["answers"][0] == gold and revealed["own_answer"]["text"] == "It is nine."
    assert not caller.call("desk", "open", item, "--as=Ann")["blind"]
    assert caller.call("desk", "open", item, "--as=Ben")["blind"], "hidden from each person for themselves"


def test_an_item_is_answered_without_its_draft_and_the_effect_is_reported(caller: VerbCaller, bench: Workbench) -> None:
    [item] = draft(caller, 1)
    assert caller.call("effect")["rule"] is None
    assert caller.call("desk", "rules", "--alone=1", "--as=Lea")["blind"] == {"share": 0.0, "seed": 0, "alone": 1.0}
    drafted = bench.reviews.items(status="drafted")[0]
    span = drafted.evidence[0]
    passage = bench.reviews.document(span.document).text[span.start : span.end]
    shown = caller.call("desk", "next", "--as=Ann")
    assert shown["alone"] and not shown["blind"] and drafted.answers[0] not in json.dumps({**shown, "documents": []})
    for missing in (["--answer=Nine."], [f"--evidence={passage}"], []):
        with pytest.raises(BenchError, match="answered without its draft"):
            caller.call("decide", item, "accept", "--as=Ann", *missing)
    with pytest.raises(BenchError, match="answered without its draft"):
        caller.call("desk", "reveal", item, "--as=Ann", "--text=Nine.")
    [made] = caller.call("decide", item, "accept", "--as=Ann", "--answer=Nine.", f"--evidence={passage}")
    assert made["answers"] == ["Nine."] and made["status"] == "accepted"
    report = caller.call("effect")
    assert report["rule"] == {"share": 0.0, "seed": 0, "alone": 1.0} and report["effects"][0]["decisions"]["none"] == 1
    with pytest.raises(BenchError, match="more than all items"):
        caller.call("desk", "rules", "--blind=0.2", "--as=Lea")


def test_disputed_items_come_without_the_names_of_their_opinions(caller: VerbCaller, tmp_path: Path) -> None:
    [item] = draft(caller, 1)
    rules = tmp_path / "queue.yaml"
    rules.write_text("overlaps: [{wanted: 2}]\n")
    caller.call("queue", str(rules), "--as=Lea")
    assert caller.call("desk", "next", "--as=Lea", "--queue=disputed")["item"] is None
    caller.call("decide", item, "accept", "--as=Ann")
    caller.call("decide", item, "discard", "--as=Ben", "--reason=unclear")
    shown = caller.call("desk", "next", "--as=Lea", "--queue=disputed")
    assert shown["item"]["id"] == item and {one["person"] for one in shown["opinions"]} == {None}
    assert '"Ann"' not in json.dumps(shown) and '"Ben"' not in json.dumps(shown)
    assert caller.call("desk", "next", "--as=Max", "--queue=disputed")["item"] is None, "Lea holds it"
    with pytest.raises(BenchError, match="One of the opinions on this item is yours"):
        caller.call("desk", "open", item, "--as=Ann", "--queue=disputed")
    caller.call("adjudicate", item, "accept", "--as=Lea")
    before = caller.call("desk", "previous", "--as=Lea", "--queue=disputed")
    assert {one["person"] for one in before["opinions"]} == {"Ann", "Ben"}, "decided: the names show"


def test_a_control_item_is_shown_decided_and_undone_like_an_item(caller: VerbCaller, bench: Workbench) -> None:
    draft(caller, 4)
    ruled = caller.call("desk", "rules", "--qualification=2", "--as=Lea")
    assert ruled["qualification"] == {"items": 2, "passing": 2} == caller.call("desk", "rules")["qualification"]
    shown = caller.call("desk", "next", "--as=Ann")
    item = shown["item"]["id"]
    assert control_items.is_control_item(bench.database, item) and shown["feedback"] is None and shown["left"] is None
    [decided] = caller.call("decide", item, "discard", "--as=Ann", "--reason=not right")
    assert decided.keys() == caller.call("items")[0].keys() and decided["id"] == item
    after = caller.call("desk", "open", item, "--as=Ann")
    assert after["feedback"]["done"] == 1 and after["feedback"]["did"].startswith("You discarded it")
    caller.call("decide", item, "accept", "--as=Ann")
    assert caller.call("desk", "open", item, "--as=Ann")["feedback"]["did"].startswith("You discarded it"), "the first counts"
    assert caller.call("desk", "exempt", "ben", "--as=Lea") == {"exempted": "ben"}
    assert not control_items.is_control_item(bench.database, caller.call("desk", "next", "--as=Ben")["item"]["id"])


def test_a_control_item_of_the_queue_is_undone_without_telling_what_it_is(caller: VerbCaller, bench: Workbench) -> None:
    for item in draft(caller, 4):
        caller.call("decide", item, "accept", "--as=Lea")
    words = ("--task=explicit_factoid", "--domain=law", "--count=6", "--agent=offline")
    caller.call("draft", *words)
    ruled = caller.call("desk", "rules", "--control=2", "--seed=7", "--as=Lea")
    assert ruled["control"] == {"every": 2, "seed": 7} and control_items.list_available(bench.database)
    after, found = None, ""
    for _ in range(6):
        shown = caller.call("desk", "next", "--as=Ann", *([f"--after={after}"] if after else []))
        after = shown["item"]["id"]
        [decided] = caller.call("decide", after, "accept", "--as=Ann")
        assert decided["status"] == "accepted"
        if control_items.is_control_item(bench.database, after):
            found = after
            break
    assert found, "one in two is a control item"
    again = caller.call("decide", found, "accept", "--as=Ann")
    assert again[0]["id"] == found
    with pytest.raises(BenchError, match="leave --question"):
        caller.call("decide", found, "discard", "--as=Ann", "--question=Another?")
    [undone] = caller.call("undo", "--as=Ann")
    assert (undone["id"], undone["status"]) == (found, "drafted") and undone.keys() == decided.keys()


def test_variants_are_held_and_decided(caller: VerbCaller) -> None:
    made = caller.call("vary", "--kinds=ocr", "--domain=finance")["made"]
    shown = caller.call("desk", "next", "--as=Ann", "--queue=variants", "--kind=ocr")
    first = shown["variant"]["id"]
    assert first in {one["id"] for one in made} and shown["left"] == len(made)
    assert shown["variant"]["original"]["question"] != shown["variant"]["text"]
    assert caller.call("desk", "open", first, "--as=Ben", "--queue=variants")["variant"]["held"]["by"] == "Ann"
    with pytest.raises(BenchError, match="is a variant: give --queue variants"):
        caller.call("desk", "open", first, "--as=Ann")
    caller.call("decide", first, "accept", "--as=Ann")
    assert caller.call("desk", "previous", "--as=Ann", "--queue=variants")["variant"]["id"] == first
    assert caller.call("desk", "next", "--as=Ann", "--queue=variants", "--kind=human") == {"variant": None, "left": 0}
    for option, sentence in (("--level=1", "filters items, not variants"), ("--flag=any", "must be flagged or clean, not any")):
        with pytest.raises(BenchError, match=sentence):
            caller.call("desk", "next", "--as=Ann", "--queue=variants", option)


def test_the_quality_of_variants_is_judged_blind(caller: VerbCaller) -> None:
    caller.call("vary", "--kinds=ocr", "--domain=finance")
    sample = caller.call("variant-quality", "--draw=2", "--as=Lea", "--reviewer=Ann", "--reviewer=Ben")["samples"][0]["sample"]
    for person, kept in (("Ann", "yes"), ("Ben", "no")):
        for left in (1, 0):
            shown = caller.call("variant-quality", "next", f"--as={person}")
            variant = shown["variant"]
            assert shown["sample"] == sample["id"] and shown["left"] == left + 1
            assert (variant["generator"], variant["making"], variant["status"]) == ("", [], "drafted")
            assert variant["said"] == {"applied": None, "kept": None, "comment": ""}, "nothing of the other's"
            words = (f"--as={person}", "--applied=yes", f"--meaning-kept={kept}")
            judged = caller.call("variant-quality", "judge", sample["id"], variant["id"], *words)
            assert judged["left"] == left and judged["kept"] is (kept == "yes")
            if left:
                with pytest.raises(BenchError, match="its result is shown after you finish"):
                    caller.call("variant-quality", "report", sample["id"], f"--as={person}")
        assert caller.call("variant-quality", "next", f"--as={person}") == {"sample": None, "variant": None, "left": 0}
    assert len(caller.call("variant-quality", "report", sample["id"])["conflicts"]) == 2
    undone = caller.call("variant-quality", "undo", sample["id"], "--as=Ben")
    assert undone["undone"] == variant["id"] and undone["left"] == 1
    with pytest.raises(BenchError, match="Two other people judge this sample"):
        caller.call("variant-quality", "judge", sample["id"], variant["id"], "--as=Max", "--applied=no", "--meaning-kept=no")


def test_options_before_an_inner_verb_count(caller: VerbCaller, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An inner verb's defaults would send its work to another workspace."""
    other = tmp_path / "other.duckdb"
    assert cli.main(["variant-quality", f"--workspace={other}", "--json", "next", "--as=Ann"]) == 0
    assert json.loads(capsys.readouterr().out)["variant"] is None and other.exists()


def test_a_web_question_of_a_file_is_reviewed_in_two_phases(caller: VerbCaller, bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    from_file = {"question": "who?", "pages": [{"page_url": "https://e.test/2", "file": str(tmp_path / "page.html")}]}
    file = write_lines(
        tmp_path / "web.jsonl", WHOLE, {"question": "how?", "page": 1}, from_file, {"pages": [{"page_url": "x"}]}
    )
    begun = caller.call("web-questions", "begin", file, "--as=Wim")
    whole, unfinished = begun["web_questions"]
    assert whole["missing"] == [] and whole["alternatives"] == "9\nat 9 o'clock"
    assert unfinished["missing"] and unfinished["pages"][0]["title"] == whole["pages"][0]["title"]
    assert [one["line"] for one in begun["refused"]] == [2, 4] and "no field 'page'" in begun["refused"][0]["message"]
    assert {one["id"] for one in caller.call("web-questions", "list", "--as=wim")["web_questions"]} == {
        whole["id"],
        unfinished["id"],
    }
    done = caller.call("web-questions", "hand-in", whole["id"], unfinished["id"], "--as=wim")
    [item] = done["items"]
    assert [one["id"] for one in done["refused"]] == [unfinished["id"]] and item["answers"][0] == "at nine"
    assert caller.call("web-questions", "drop", unfinished["id"], "--as=Wim") == {"dropped": unfinished["id"]}
    with pytest.raises(BenchError, match="Two phases"):
        caller.call("decide", item["id"], "accept", "--as=Ann")
    with pytest.raises(BenchError, match="waits for its review in two phases"):
        caller.call("desk", "open", item["id"], "--as=Ann")
    assert caller.call("desk", "next", "--as=Ann") == {"item": None, "left": 0}
    empty = caller.call("web-questions", "begin", "--as=Wim")["web_questions"][0]
    assert "it has no question" in empty["missing"]
    with pytest.raises(BenchError, match=r"web\.jsonl:1 is not a JSON object"):
        caller.call("web-questions", "begin", write_lines(tmp_path / "web.jsonl", [1]), "--as=Wim")


def test_the_next_question_to_rewrite_is_shown_until_the_person_has_rewritten_it(caller: VerbCaller) -> None:
    shown = caller.call("rewrites", "next", "--as=Ann", "--task=explicit_factoid", "--domain=law")
    item, left = shown["item"], shown["left"]
    assert (item["task"], item["domain"], item["status"]) == ("explicit_factoid", "law", "accepted") and left >= 1
    assert (shown["people"], shown["wanted"]) == (0, 2) and item["answers"] and item["evidence"][0]["text"]
    behind = caller.call("rewrites", "next", "--as=Ann", f"--after={item['id']}")["item"]
    assert behind["id"] != item["id"]
    caller.call("rewrite", item["id"], "--as=Ann", "--text=Kindly say what the archive tells about this affair, in brief?")
    after = caller.call("rewrites", "next", "--as=Ann", "--task=explicit_factoid", "--domain=law")
    assert after["left"] == left - 1 and (after["item"] is None or after["item"]["id"] != item["id"])
    assert caller.call("rewrites", "next", "--as=Ann", "--domain=nowhere") == {"item": None, "left": 0}
    caller.call("rules", "--rewriters=1")
    assert caller.call("rewrites", "next", "--as=Bo", "--task=explicit_factoid", "--domain=law")["item"] != item


def test_a_question_to_rewrite_is_shown_after_the_consent(caller: VerbCaller, tmp_path: Path) -> None:
    (tmp_path / "consent.txt").write_text("Your rewrites are published.", encoding="utf-8")
    caller.call("consent", "save", str(tmp_path / "consent.txt"))
    with pytest.raises(BenchError, match="Ann has not agreed to the consent text"):
        caller.call("rewrites", "next", "--as=Ann")
    caller.call("consent", "agree", "1", "--as=Ann")
    assert caller.call("rewrites", "next", "--as=Ann")["item"]["question"]


def test_the_second_phase_shows_after_the_first_is_settled(caller: VerbCaller, tmp_path: Path) -> None:
    begun = caller.call("web-questions", "begin", write_lines(tmp_path / "web.jsonl", WHOLE), "--as=Wim")["web_questions"]
    [item] = [one["id"] for one in caller.call("web-questions", "hand-in", begun[0]["id"], "--as=Wim")["items"]]
    assert caller.call("phases", "next", "--as=Wim") == {"item": None, "left": 0}, "nobody reviews their own question"
    shown = caller.call("phases", "next", "--as=Ann")
    assert (shown["item"], shown["phase"], shown["left"]) == (item, "labels", 1) and "ferry" in shown["pages"][0][
        "text"
    ].lower()
    assert "at nine" not in json.dumps({**shown, "pages": []}) and shown["values"]["question_type"] == "set"
    with pytest.raises(BenchError, match="is in the phase labels, not answers"):
        caller.call("phases", "say", item, "answers", "--as=Ann")
    with pytest.raises(BenchError, match="The phase labels does not accept --answer: it accepts --question, --domain"):
        caller.call("phases", "say", item, "labels", "--as=Ann", "--answer=ten")
    said = caller.call("phases", "say", item, "labels", "--as=Ann", "--question-type=simple")
    assert said == {"item": item, "phase": "labels", "effect": "waits for another opinion"}
    assert caller.call("phases", "next", "--as=Ann")["item"] is None
    assert caller.call("phases", "next", "--as=Ben")["values"]["question_type"] == "set", "Ann's opinion is hidden"
    caller.call("phases", "say", item, "labels", "--as=Ben")
    with pytest.raises(BenchError, match="does not wait for an opinion of Ben"):
        caller.call("phases", "say", item, "labels", "--as=ben")
    conflict = caller.call("phases", "next", "--as=Lea", "--conflicts")
    assert {one["person"] for one in conflict["opinions"]} == {"Ann", "Ben"}
    assert caller.call("phases", "say", item, "labels", "--as=Lea")["effect"].startswith("the labels are settled")
    answers = caller.call("phases", "next", "--as=Ann")
    assert answers["phase"] == "answers" and answers["values"]["answers"] == ["at nine", "9", "at 9 o'clock"]
    for person in ("Ann", "Ben"):
        said = caller.call("phases", "say", item, "answers", f"--as={person}", "--answer=at nine", "--answer=nine")
    assert said["effect"] == "both phases are settled: accepted"
    [stored] = [one for one in caller.call("items", "--status=accepted") if one["id"] == item]
    assert stored["answers"] == ["at nine", "nine"] and stored["labels"]["question_type"] == "set"
    assert [one["done"] for one in caller.call("phases", "report")["phases"]] == [1, 1]
    assert caller.call("phases", "doubts")["doubts"] == []


def test_a_discard_in_a_phase_needs_a_reason_and_no_values(caller: VerbCaller, tmp_path: Path) -> None:
    begun = caller.call("web-questions", "begin", write_lines(tmp_path / "web.jsonl", WHOLE), "--as=Wim")["web_questions"]
    [item] = [one["id"] for one in caller.call("web-questions", "hand-in", begun[0]["id"], "--as=Wim")["items"]]
    with pytest.raises(BenchError, match="A discard needs a reason"):
        caller.call("phases", "say", item, "labels", "--as=Ann", "--discard")
    with pytest.raises(BenchError, match="keeps its values"):
        caller.call("phases", "say", item, "labels", "--as=Ann", "--discard", "--domain=music", "--reason=no")
    for person in ("Ann", "Ben"):
        said = caller.call("phases", "say", item, "labels", f"--as={person}", "--discard", "--reason=two questions")
    assert said["effect"] == "both phases are over: discarded"


def test_a_question_set_is_listed_changed_and_not_overwritten(caller: VerbCaller, bench: Workbench, tmp_path: Path) -> None:
    item = caller.call("items")[0]
    made = QuestionSet(item["id"], item["answers"][0], "en", (("Where?", "here"),), 1, "judge", ("judge/x@b2:1",))
    bench.database.write(lambda cursor: question_sets.TABLE.insert_sets(cursor, [made]))
    [listed] = caller.call("question-sets", "list", "--text=where?")["question_sets"]
    assert listed["pairs"] == [{"question": "Where?", "answer": "here"}] and listed["question"] == item["question"]
    assert caller.call("question-sets", "list", "--only=written") == {"question_sets": [], "total": 0}
    words = (item["id"], listed["gold"])
    file = write_lines(tmp_path / "set.jsonl", {"question": "Where?", "answer": "here"}, {"question": "When?"})
    saved = caller.call("question-sets", "save", *words, file, "--as=Ann", "--seen=1")
    assert (saved["number"], saved["answered"], saved["by"]) == (2, 1, "Ann") and saved["pairs"][1]["answer"] == "unanswerable"
    with pytest.raises(BenchError, match="Ann changed this set in the meantime"):
        other = write_lines(tmp_path / "other.jsonl", {"question": "Who?"})
        caller.call("question-sets", "save", *words, other, "--as=Ben", "--seen=1")
    shown = caller.call("question-sets", "show", *words)
    assert [one["number"] for one in shown["versions"]] == [1, 2]
    with pytest.raises(BenchError, match=r"set\.jsonl:1 has other fields"):
        caller.call("question-sets", "save", *words, write_lines(tmp_path / "set.jsonl", {"q": 1}), "--as=Ann")
    with pytest.raises(BenchError, match="No question was given for"):
        caller.call("question-sets", "save", *words, write_lines(tmp_path / "set.jsonl"), "--as=Ann")


def test_nuggets_are_drafted_listed_changed_and_not_overwritten(caller: VerbCaller, bench: Workbench, tmp_path: Path) -> None:
    item = caller.call("items")[0]["id"]
    assert [one["set"] for one in caller.call("nuggets", "list", "--only=none")["items"]][:1] == [None]
    drafted = caller.call("nuggets", "draft", item, "--agent=offline")
    assert (drafted["asked"], drafted["drafted"], drafted["failed"]) == (1, 1, 0)
    shown = caller.call("nuggets", "show", item)
    assert shown["versions"][0]["by"] == "offline" and shown["sentences"][0].keys() == {
        *("document", "start", "end", "title", "text")
    }
    first = shown["sentences"][0]
    nugget = {"text": "It burnt.", "importance": "okay", "evidence": [[first["document"], first["start"], first["end"]]]}
    file = write_lines(tmp_path / "set.jsonl", nugget)
    saved = caller.call("nuggets", "save", item, file, "--as=Ann", "--seen=1")
    assert (saved["number"], saved["by"], saved["nuggets"]) == (2, "Ann", [nugget])
    with pytest.raises(BenchError, match="Ann changed this set in the meantime"):
        caller.call("nuggets", "save", item, write_lines(tmp_path / "other.jsonl", {"text": "No."}), "--as=Ben", "--seen=1")
    assert caller.call("nuggets", "list", "--only=written", "--text=it burnt")["total"] == 1
    with pytest.raises(BenchError, match=r"set\.jsonl:1 has other fields"):
        caller.call("nuggets", "save", item, write_lines(tmp_path / "set.jsonl", {"q": 1}), "--as=Ann")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(BenchError, match=f"No nugget was given for {item}: write one or more"):
        caller.call("nuggets", "save", item, str(tmp_path / "empty.jsonl"), "--as=Ann")


def test_a_proposal_is_stored_as_it_was_edited_and_waits_if_it_does_not_fit(caller: VerbCaller, tmp_path: Path) -> None:
    caller.call("tables", str(ROOT / "samples" / "tables" / "companies"))
    first, second, *_ = caller.call("templates", "propose", "--agent=offline", "--count=3")["waiting"]
    file = tmp_path / "template.json"
    for text, sentence in (
        ("[1]", "does not contain a template"),
        (json.dumps({**first["content"], "table": "nothing"}), "table nothing"),
    ):
        file.write_text(text)
        with pytest.raises(BenchError, match=sentence):
            caller.call("templates", "approve", first["id"], "--as=Ada", f"--file={file}")
    assert first["id"] in {one["id"] for one in caller.call("templates", "list")["proposals"]}
    edited = {**first["content"], "text": f"Please say: {first['content']['text']}"}
    file.write_text(json.dumps(edited))
    stored = caller.call("templates", "approve", first["id"], "--as=Ada", f"--file={file}")
    assert stored["record"]["text"] == edited["text"] and stored["about"]["approved_by"] == "Ada"
    assert next(one["id"] for one in caller.call("templates", "list")["proposals"]) == second["id"]


def test_a_person_sees_what_waits_and_marks_it_as_seen(caller: VerbCaller, tmp_path: Path) -> None:
    [item] = draft(caller, 1)
    guideline = tmp_path / "g.md"
    guideline.write_text("# Rules\n")
    caller.call("guidelines", "save", str(guideline), "--as=Lea", "--note=First.")
    caller.call("comment", item, "--as=Lea", "--text=@Ann look at this.")
    work = caller.call("work", "--as=Ann")
    assert {"page": "review", "free": 1} in work["waiting"] and work["guidelines"][0]["note"] == "First."
    [mention] = work["mentions"]
    assert mention["by"] == "Lea" and mention["item"] == item
    assert caller.call("work", "--as=Ann", f"--seen={mention['comment']}")["mentions"] == []
    with pytest.raises(BenchError, match="is not among the comments and guidelines that wait for Ann"):
        caller.call("work", "--as=Ann", f"--seen={mention['comment']}")
    assert caller.call("work", "--as=Ann", "--seen=all")["guidelines"] == []


def test_a_person_without_the_permission_is_refused_by_each_of_the_verbs(caller: VerbCaller, tmp_path: Path) -> None:
    """A verb acts for the person of an access token with that person's permissions."""
    [item] = draft(caller, 1)
    file = write_lines(tmp_path / "web.jsonl", WHOLE)
    caller.call("people", "role", "Boss", "admin")
    caller.call("people", "role", "Rae", "researcher")
    refused = "may not"
    with actor.act_as("Rae"):
        for words in (
            ("desk", "next"),
            ("desk", "reveal", item, "--text=x"),
            ("desk", "next", "--queue=disputed"),
            ("desk", "next", "--queue=variants"),
            ("phases", "next", "--conflicts"),
        ):
            with pytest.raises(BenchError, match=refused):
                caller.call(*words, "--as=Rae")
        caller.call("web-questions", "begin", file, "--as=Rae")
    with actor.act_as("Ann"):
        for words in (("question-sets", "list"), ("variant-quality",), ("variant-quality", "report", "x")):
            with pytest.raises(BenchError, match=refused):
                caller.call(*words)


@pytest.mark.parametrize("page", ["0", "-3", "x", "9" * 21])
def test_a_page_that_no_list_has_is_wrong_usage(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["nuggets", "list"], ["question-sets", "list"], ["certificate", "show", "v1"]):
        with pytest.raises(SystemExit) as ended:
            cli.main([*words, f"--page={page}"])
        assert ended.value.code == 2 and "give the number of a page, from 1 to 1000000000" in capsys.readouterr().err
