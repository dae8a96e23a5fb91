"""Sealed releases and their boards: what an export tells, what a submitter sees, and which changes are found."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError, NotAllowed
from core.ids import canonical_json, chain, commit, content_hash
from store.formats.shipped.verify import verify
from store.releases import board_entries, seals
from workbench import Workbench, actor
from workbench.release.boards import submissions
from workbench.setup.log import LogFilter

SPLIT = "dev=0.25,test=0.75"


@pytest.fixture
def bench(samples: Path, tmp_path: Path) -> Iterator[Workbench]:
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        yield bench
        jobs.stop(bench, seconds=0)


@pytest.fixture
def sealed(bench: Workbench) -> Workbench:
    bench.releases.freeze("v1", split=SPLIT, seed=7, sealed=True, open_splits=["dev"])
    return bench


def export(bench: Workbench, folder: Path, form: str = "jsonl") -> Path:
    bench.releases.export("v1", form, folder)
    return folder


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def find_golds(bench: Workbench) -> dict[str, str]:
    """The first gold answer of each sealed item, by its public id."""
    release, content = bench.releases.get("v1")
    seal = seals.find(bench.database, release.hash)
    assert seal is not None
    public = seal.public_ids
    return {public[item.id]: item.answers[0] for item in content.items if item.id in public}


def predict(answers: dict[str, str | None]) -> bytes:
    lines = ({"id": id_, "prediction": answer} for id_, answer in answers.items())
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def submit(bench: Workbench, raw: bytes, person: str = "Zoe", system: str = "mine") -> Any:
    taken = bench.sealed_boards.submit("v1", raw, "p.jsonl", system, person)
    jobs.start(bench).submit(taken.job).result()
    return taken


def test_a_commitment_is_the_sha256_of_three_lines() -> None:
    salt, content = "ab" * 32, {"id": "x", "item": {"answers": ["潮", 'a"b']}}
    lines = f"benchwright-seal-1\n{salt}\n" + '{"id":"x","item":{"answers":["潮","a\\"b"]}}'
    assert commit(salt, content) == "sha256:" + hashlib.sha256(lines.encode()).hexdigest()
    assert chain({"b": 1, "a": ""}) == "sha256:" + hashlib.sha256(b'benchwright-board-1\n{"a":"","b":1}').hexdigest()


@pytest.mark.fault(63)
def test_a_sealed_export_holds_before_and_after_it_was_opened(sealed: Workbench, tmp_path: Path) -> None:
    folder = export(sealed, tmp_path / "out")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert content_hash(manifest) == sealed.release_browser.find_header("v1").hash and verify(folder)[1] == []
    assert {row["split"] for row in manifest["items"] if "commitment" in row} == {"test"} == set(manifest["seal"]["splits"])
    assert sealed.releases.verify("v1").ok
    hidden = [row for row in read_lines(folder / "items.jsonl") if row.get("withheld")]
    assert hidden and all(not row["answers"] and not row["evidence"] and row["question"] for row in hidden)
    sealed.sealed_boards.open("v1", folder)
    assert verify(folder)[1] == [] and sealed.sealed_boards.verify("v1") == []
    done = subprocess.run([sys.executable, "-I", folder / "verify.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and f"{len(hidden)} items were sealed, and are compared" in done.stdout
    again = export(sealed, tmp_path / "again")
    assert verify(again)[1] == [] and (again / "opened.jsonl").read_bytes() == (folder / "opened.jsonl").read_bytes()
    golds = find_golds(sealed)
    (tmp_path / "p.jsonl").write_bytes(predict(dict(golds)))
    words = [sys.executable, "-I", again / "score.py", tmp_path / "p.jsonl", "--metrics", "exact_match"]
    said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert (said["metrics"]["exact_match"]["n"], said["metrics"]["exact_match"]["mean"]) == (len(golds), 1.0)


@pytest.mark.fault(64)
def test_a_salt_is_in_no_export_no_log_and_no_entry(sealed: Workbench, tmp_path: Path) -> None:
    seal = seals.find(sealed.database, sealed.release_browser.find_header("v1").hash)
    assert seal is not None
    submit(sealed, predict(dict(find_golds(sealed))))
    folder = export(sealed, tmp_path / "out")
    sealed.sealed_boards.write_record("v1", folder)
    told = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())
    told += repr(sealed.log.page(LogFilter(), 500)) + repr(sealed.sealed_boards.view("v1"))
    assert verify(folder)[1] == [] and len(seal.parts) == len(seal.public_ids) + 1
    assert not [part for part in seal.parts if part.salt in told] and len({part.salt for part in seal.parts}) == len(seal.parts)
    assert not [item for item in seal.public_ids if f'"{item}"' in told], "an id may be a hash of question and answer"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("gold", "does not match its commitment"),
        ("salt", "does not match its commitment"),
        ("removed", "is missing."),
        ("added", "is not in the manifest."),
        ("twice", "stands twice."),
        ("whole manifest", "does not match its commitment"),
        ("commitment", "its hash is"),
    ],
)
@pytest.mark.fault(63)
def test_a_changed_seal_is_found(sealed: Workbench, tmp_path: Path, change: str, message: str) -> None:
    folder = export(sealed, tmp_path / "out")
    sealed.sealed_boards.open("v1", folder)
    lines = read_lines(folder / "opened.jsonl")
    place = next(i for i, line in enumerate(lines) if "item" in line["content"])
    named = lines[place]["content"]["id"]
    if change == "gold":
        lines[place]["content"]["item"]["answers"][0] += "!"
    elif change == "salt":
        lines[place]["salt"] = "0" * 64
    elif change == "removed":
        del lines[place]
    elif change == "added":
        named = "ffffffffffffffff"
        lines.append({"salt": "0" * 64, "content": {**lines[place]["content"], "id": named}})
    elif change == "twice":
        lines.append(lines[place])
    elif change == "whole manifest":
        named = "manifest"
        next(line for line in lines if line["content"]["id"] == named)["content"]["manifest"]["unlicensed"] = "changed"
    else:  # the commitment is made anew for another gold answer, in the manifest too
        lines[place]["content"]["item"]["answers"][0] += "!"
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        row = next(row for row in manifest["items"] if row["id"] == named)
        row["commitment"] = commit(lines[place]["salt"], lines[place]["content"])
        (folder / "manifest.json").write_text(canonical_json(manifest) + "\n", encoding="utf-8")
    write_lines(folder / "opened.jsonl", lines)
    found = [row for row in verify(folder)[1] if message in row["message"]]
    assert found and (change == "commitment" or {row["id"] for row in found} == {named})


@pytest.mark.fault(63)
def test_a_gold_that_was_changed_in_the_workspace_is_found_and_the_seal_stays_closed(sealed: Workbench) -> None:
    release, content = sealed.releases.get("v1")
    item = next(iter(find_golds_by_item(sealed)))
    sql = "UPDATE revision SET answers = ? WHERE item = ?"
    sealed.database.write(lambda cursor: cursor.execute(sql, ['["another"]', item]))
    problems = sealed.sealed_boards.verify("v1")
    assert [one.message for one in problems] == ["does not match its commitment: it or its salt was changed."]
    assert not sealed.releases.verify("v1").ok
    with pytest.raises(BenchError, match="1 parts of v1 do not match their commitments"):
        sealed.sealed_boards.open("v1")
    assert seals.is_closed(sealed.database, release.hash) and content.items


def find_golds_by_item(bench: Workbench) -> dict[str, str]:
    release, content = bench.releases.get("v1")
    seal = seals.find(bench.database, release.hash)
    assert seal is not None
    return {item.id: item.answers[0] for item in content.items if item.id in seal.public_ids}


@pytest.mark.fault(63)
def test_a_changed_removed_or_moved_entry_of_the_record_is_found(sealed: Workbench, tmp_path: Path) -> None:
    folder, golds = export(sealed, tmp_path / "out"), find_golds(sealed)
    taken = [submit(sealed, predict(dict(golds)), person) for person in ("Ann", "Bo", "Zoe")]
    sealed.sealed_boards.write_record("v1", folder)
    whole = read_lines(folder / "record.jsonl")
    assert verify(folder)[1] == [] and [entry["kind"] for entry in whole] == ["sealed", *["submitted", "scored"] * 3]
    changed = [json.loads(json.dumps(entry)) for entry in whole]
    changed[2]["content"]["metrics"]["exact_match"]["mean"] = 0.5
    older = [json.loads(json.dumps(entry)) for entry in whole]
    older[-1]["at"] = "2020-01-01T00:00:00.000+00:00"
    for records, message in (
        (changed, "was changed: its hash differs."),
        ([*whole[:2], *whole[3:]], "does not continue the entry before it"),
        ([whole[0], whole[3], *whole[1:3], *whole[4:]], "does not continue the entry before it"),
        (whole[1:], "does not continue the entry before it"),
        (older, "is older than the entry before it."),
        ([{**entry, "release": "b2:other"} for entry in whole], "is of another release"),
    ):
        write_lines(folder / "record.jsonl", records)
        assert any(message in row["message"] for row in verify(folder)[1]), message
    for records, message in (([], "is empty"), (whole[1:], "does not begin with the entry that sealed the release")):
        write_lines(folder / "record.jsonl", records)
        assert any(message in row["message"] for row in verify(folder)[1]), message
    write_lines(folder / "record.jsonl", whole[:-2])
    assert verify(folder)[1] == [], "the last entries are missed only by whoever has a receipt"
    assert sealed.sealed_boards.verify("v1", [one.hash for one in taken]) == []
    hash_ = whole[0]["release"]
    sealed.database.write(
        lambda cursor: cursor.execute("DELETE FROM board_entry WHERE release_hash = ? AND number > 5", [hash_])
    )
    assert sealed.sealed_boards.verify("v1") == []
    (lost,) = sealed.sealed_boards.verify("v1", [one.hash for one in taken])
    assert (lost.where, lost.message) == (taken[-1].hash, "is no entry of the record.")
    sql = "UPDATE submitted_file SET predictions = '{}' WHERE number = 2"
    sealed.database.write(lambda cursor: cursor.execute(sql))
    assert [one.message for one in sealed.sealed_boards.verify("v1")] == [
        "has another predictions file than at its submission."
    ]
    sealed.database.write(lambda cursor: cursor.execute("UPDATE board_entry SET content = '{}' WHERE number = 2"))
    said = [(one.where, one.message) for one in sealed.sealed_boards.verify("v1")]
    assert ("entry 2", "was changed: its hash differs.") in said


@pytest.mark.fault(64)
def test_the_digits_of_a_mean_tell_no_single_answer_and_the_order_of_lines_changes_nothing(sealed: Workbench) -> None:
    golds = find_golds(sealed)
    padded = {id_: f"{gold} {'x ' * number}" for number, (id_, gold) in enumerate(sorted(golds.items()))}
    submit(sealed, predict(padded), "Ann", "padded")
    submit(sealed, predict(dict(reversed(padded.items()))), "Bo", "reversed")
    first, second = sealed.sealed_boards.view("v1").lines
    assert first.scores == second.scores
    means = [value for one in first.scores.values() for value in one.values() if isinstance(value, float)]
    assert means and all(value == round(value, 3) for value in means)


@pytest.mark.fault(64)
def test_a_submission_is_scored_by_the_golds_and_tells_no_single_score(sealed: Workbench) -> None:
    golds = find_golds(sealed)
    ids = sorted(golds)
    wrong = dict.fromkeys(ids[:10], "nothing of the kind") | {id_: golds[id_] for id_ in ids[10:]}
    submit(sealed, predict(dict(golds)), "Ann", "right")
    taken = submit(sealed, predict(wrong), "Zoe", "two thirds")
    lines = sealed.sealed_boards.view("v1").lines
    assert [(line.rank, line.system, line.scores["exact_match"]["n"]) for line in lines] == [
        (1, "right", 30),
        (2, "two thirds", 30),
    ]
    means = [line.scores["exact_match"]["mean"] for line in lines]
    assert means == [1.0, 0.667]
    low, high = (lines[1].scores["exact_match"][end] for end in ("low", "high"))
    assert 0.3 < low < 2 / 3 < high < 0.95
    told = json.dumps([sealed.sealed_boards.list_record("v1"), sealed.upkeep.job(taken.job).result])
    assert not [id_ for id_ in ids if id_ in told]


def test_an_answer_that_repeats_its_question_is_counted_and_matches_nothing(sealed: Workbench) -> None:
    _, content = sealed.releases.get("v1")
    seal = seals.find(sealed.database, sealed.release_browser.find_header("v1").hash)
    assert seal is not None
    questions = {seal.public_ids[item.id]: item.question for item in content.items if item.id in seal.public_ids}
    submit(sealed, predict(dict(questions)))
    (line,) = sealed.sealed_boards.view("v1").lines
    assert line.counts["repeats_question"] == 30 and line.scores["exact_match"]["mean"] == 0.0


@pytest.mark.fault(65)
def test_failed_and_missing_answers_are_counted_and_take_the_rank(sealed: Workbench) -> None:
    golds: dict[str, str | None] = dict(find_golds(sealed))
    ids = sorted(golds)
    golds[ids[0]] = None
    del golds[ids[1]]
    submit(sealed, predict(golds))
    (line,) = sealed.sealed_boards.view("v1").lines
    assert (line.rank, line.counts["failed"], line.counts["missing"], line.counts["answered"]) == (None, 1, 1, 28)
    assert line.scores["exact_match"]["n"] == 28


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [], "has no predictions"),
        (lambda lines: [*lines, lines[0]], "repeats the id"),
        (lambda lines: [*lines, b'{"id": "elsewhere", "prediction": "x"}'], "1 ids that no sealed item of the release has"),
        (lambda lines: [*lines, b"{"], "Line 31 of p.jsonl"),
        (lambda lines: [*lines, b"\xff"], "Line 31 of p.jsonl"),
        (lambda lines: lines[:14], "answers 14 of 30 sealed questions"),
    ],
)
@pytest.mark.fault(65)
def test_a_refused_file_gets_one_sentence_and_takes_no_place(sealed: Workbench, change: Any, message: str) -> None:
    lines = predict(dict(find_golds(sealed))).splitlines()
    with pytest.raises(BenchError, match=message) as raised:
        sealed.sealed_boards.submit("v1", b"\n".join(change(lines)), "p.jsonl", "mine", "Zoe")
    assert "\n" not in str(raised.value) and "/tmp" not in str(raised.value)
    assert sealed.sealed_boards.view("v1").entries == 1


@pytest.mark.fault(65)
def test_a_file_above_the_limit_is_refused(sealed: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "MAX_FILE_BYTES", 100)
    with pytest.raises(BenchError, match=r"p\.jsonl is larger than 0 MB"):
        sealed.sealed_boards.submit("v1", b" " * 101, "p.jsonl", "mine", "Zoe")


@pytest.mark.fault(65)
def test_a_person_has_so_many_places_in_seven_days_and_a_clock_that_is_set_back_frees_none(
    sealed: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    golds = find_golds(sealed)
    start = datetime.now(UTC)

    def at(hours: float) -> None:
        text = (start + timedelta(hours=hours)).isoformat(timespec="milliseconds")
        monkeypatch.setattr(board_entries, "current_time", lambda: text)

    def try_one(answer: str, person: str = "Zoe") -> Any:
        return sealed.sealed_boards.submit("v1", predict({**golds, min(golds): answer}), "p.jsonl", "mine", person)

    at(1)
    first = try_one("one")
    at(48)
    assert (first.left, try_one("two").left) == (1, 0)
    again = try_one("one")
    assert (again.number, again.already, again.left) == (first.number, True, 0), "the same file takes no second place"
    with pytest.raises(BenchError, match="of a person in seven days, and Zoe has made 2") as raised:
        try_one("three")
    assert f"again after {(start + timedelta(hours=169)).isoformat()[:16]} UTC" in str(raised.value)
    assert try_one("three", "Ann").left == 1
    for hours in (-24 * 30, 168.9):
        at(hours)
        with pytest.raises(BenchError, match="takes 2 submissions"):
            try_one("three", " zoe ")
    at(169.1)
    assert try_one("three").left == 0
    times = [entry["at"] for entry in sealed.sealed_boards.list_record("v1")]
    assert times == sorted(times)


@pytest.mark.fault(65)
def test_two_submissions_at_the_same_moment_do_not_both_get_the_last_place(sealed: Workbench) -> None:
    sealed.sealed_boards.set_rules("v1", per_week=1)
    golds, barrier, outcomes = find_golds(sealed), threading.Barrier(6), list[str]()

    def send(number: int) -> None:
        raw = predict({**golds, min(golds): str(number)})
        barrier.wait()
        try:
            outcomes.append(f"taken {sealed.sealed_boards.submit('v1', raw, 'p.jsonl', 'mine', 'Zoe').number}")
        except BenchError:
            outcomes.append("refused")

    threads = [threading.Thread(target=send, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [*["refused"] * 5, "taken 3"]


def test_after_the_opening_nothing_counts_as_sealed(sealed: Workbench) -> None:
    golds = find_golds(sealed)
    submit(sealed, predict({**golds, min(golds): "wrong"}), "Zoe", "before")
    opened = sealed.sealed_boards.open("v1")
    assert sealed.sealed_boards.open("v1") == opened, "it is opened once"
    submit(sealed, predict(dict(golds)), "Zoe", "after")
    before, after = sealed.sealed_boards.view("v1").lines
    assert (before.system, before.rank, before.sealed) == ("before", 1, True)
    assert (after.system, after.rank, after.sealed) == ("after", None, False)


def test_the_rules_name_metrics_without_a_judge_and_keep_them_once_somebody_submitted(sealed: Workbench) -> None:
    with pytest.raises(BenchError, match="A board cannot score by 's_f1'"):
        sealed.sealed_boards.set_rules("v1", ["s_f1"])
    with pytest.raises(BenchError, match="0 to 1,000 times a week"):
        sealed.sealed_boards.set_rules("v1", per_week=-1)
    assert sealed.sealed_boards.set_rules("v1", ["rouge_l"]) == (["rouge_l"], 2)
    submit(sealed, predict(dict(find_golds(sealed))))
    assert list(sealed.sealed_boards.view("v1").lines[0].scores) == ["rouge_l"]
    with pytest.raises(BenchError, match="its metrics stay rouge_l"):
        sealed.sealed_boards.set_rules("v1", ["exact_match"])


@pytest.mark.fault(64)
def test_a_guest_submits_and_sees_no_item_until_the_seal_is_opened(sealed: Workbench) -> None:
    item, golds = next(iter(find_golds_by_item(sealed))), find_golds(sealed)
    for person, role in (("Ada", "admin"), ("Lea", "lead"), ("Rex", "researcher"), ("Ann", "annotator")):
        sealed.people.give(person, role)  # type: ignore[arg-type]
    sealed.people.give("Gus", "guest", "v1")
    with actor.act_as("Gus"):
        for look in (
            lambda: sealed.release_browser.item("v1", item),
            lambda: sealed.release_browser.items("v1"),
            lambda: sealed.releases.get("v1"),
            lambda: sealed.releases.members("v1", ""),
            lambda: sealed.certificates.list_flagged("v1"),
        ):
            with pytest.raises(NotAllowed, match="The release v1 is sealed, so its guests do not see its items"):
                look()
        assert sealed.sealed_boards.pack("v1").files > 0
        taken = sealed.sealed_boards.submit("v1", predict(dict(golds)), "p.jsonl", "mine", "Gus")
        with pytest.raises(NotAllowed, match="may not manage boards"):
            sealed.sealed_boards.open("v1")
    assert sealed.sealed_boards.view("v1").lines[0].number == taken.number
    for person, allowed in (("Ann", False), ("Rex", False), ("Lea", True)):
        with actor.act_as(person):
            if allowed:
                assert sealed.sealed_boards.open("v1").person == "Lea"
                continue
            with pytest.raises(NotAllowed, match="may not manage boards"):
                sealed.sealed_boards.open("v1")
    with actor.act_as("Gus"):
        assert sealed.release_browser.item("v1", item).item.answers
    acts = [(line.person, line.act) for line in sealed.log.page(LogFilter(), 500)[0] if not line.is_refused]
    assert {("Gus", "submit to boards"), ("Lea", "manage boards")} <= set(acts)


@pytest.mark.fault(64)
def test_what_would_show_the_golds_is_refused_until_the_seal_is_opened(sealed: Workbench) -> None:
    with pytest.raises(BenchError, match="an erratum would show its gold answers"):
        sealed.errata.freeze("v1.1", "v1")
    with pytest.raises(BenchError, match="a counterfactual release would show its gold answers"):
        sealed.releases.freeze_counterfactual("cf", "v1")
    sealed.sealed_boards.open("v1")
    with pytest.raises(BenchError, match="No accepted contest changes"):
        sealed.errata.freeze("v1.1", "v1")
    assert sealed.releases.freeze_counterfactual("cf", "v1").replaced


def test_a_release_is_sealed_once_and_in_part_only_by_its_splits(bench: Workbench) -> None:
    first = bench.releases.freeze("v1", sealed=True)
    assert (first.sealed_items, first.variants) == (40, 0)
    with pytest.raises(BenchError, match="The release name v1 already belongs to other content"):
        bench.releases.freeze("v1", sealed=True)
    with pytest.raises(BenchError, match="no split 'train' to leave open"):
        bench.releases.freeze("v2", sealed=True, open_splits=["train"])
    with pytest.raises(BenchError, match="nothing would be sealed"):
        bench.releases.freeze("v2", sealed=True, open_splits=["test"])
    with pytest.raises(BenchError, match="only in a sealed release"):
        bench.releases.freeze("v2", open_splits=["test"])
    assert bench.releases.freeze("v2", sealed=True).hash != first.hash, "other salts"
    with pytest.raises(BenchError, match="The release plain is not sealed"):
        bench.releases.freeze("plain")
        bench.sealed_boards.view("plain")


def test_a_contest_from_the_page_of_a_sealed_export_reaches_its_item(sealed: Workbench) -> None:
    seal = seals.find(sealed.database, sealed.release_browser.find_header("v1").hash)
    assert seal is not None
    item, public = next(iter(seal.public_ids.items()))
    words = {"item": public, "kind": "unclear_question", "answer": "", "reason": "Which one?", "name": "Zoe"}
    file = {"format": "benchwright-contests", "version": 1, "release": "v1", "hash": seal.release_hash, "contests": [words]}
    assert not sealed.contests.take(json.dumps(file).encode(), "c.json").refused
    assert [one.item for one in sealed.contests.list_contests("v1")] == [item]
