"""The torture can fail: each kind of fault, planted in a small workspace, is found. Then a short one on the real app finds
none."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.nouns import Comment, Item, Review, Span, Variant
from store.engine.database import Database
from store.items import items
from store.queue import leases
from store.reviews import comments, reviews, rewrites, unsent_edits
from tests.store.sample_items import item
from tests.torture import annotator
from tests.torture.annotator import Annotator, Card, Queue
from tests.torture.badges import session_of, token_of
from tests.torture.compare import Found, compared, held_by_many, kept, leaked, placed, untried
from tests.torture.intruders import ELSEWHERE, FORGED, GUESSED, TABS, THIEF_ADDRESS
from tests.torture.journal import Act, End, Journal, Jump, Outcome
from tests.torture.run import told, torture, work_together

NOW = "2026-01-01T10:00:00.000+00:00"
EDIT = Act(
    "decide",
    "ann",
    "a",
    1,
    2,
    "stored",
    "k1",
    "press 1",
    "accept",
    "What is it?",
    "This.",
    True,
    reason="Because.",
    seconds=7.5,
    evidence=(("b2:d", 3, 9),),
    claims=("It is.",),
)
TYPED = Act("scratch", "bo", "b", 3, 4, "stored", question="What is", answer="That.")


@pytest.fixture
def database() -> Iterator[Database]:
    """Items a, b, c, d; ann has accepted a in her own words, bo has typed on b: as EDIT and TYPED say."""
    with Database.open(":memory:") as database:
        items.add(database, [item("a", evidence=(Span("b2:d", 3, 9),)), *map(item, "bcd")])
        decide(database, EDIT)
        unsent_edits.put(database, unsent_edits.UnsentEdit("bo", "b", 1, TYPED.question, TYPED.answer))
        yield database


def decide(database: Database, act: Act) -> None:
    of: Item = items.get(database, act.item)
    edited = replace(of, question=act.question, answers=(act.answer,)) if act.is_edit else None
    details = {"claims": [{"claim": claim, "mark": "supported"} for claim in act.claims]}
    reviews.decide(
        database,
        Review(act.key, act.item, of.revision, act.person, "accept", act.reason, act.press, act.seconds, details=details),
        edited,
    )


def run(database: Database, sql: str) -> None:
    database.write(lambda cursor: cursor.execute(sql).fetchall())


def kinds(found: Found) -> set[str]:
    return {name for name, sentences in vars(found).items() if sentences}


def test_a_workspace_that_is_as_everyone_was_told_is_clean(database: Database) -> None:
    assert compared(database, [EDIT, TYPED]) == Found()


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("DELETE FROM review WHERE id = 'k1'", "lost"),
        ("UPDATE review SET person = 'cy' WHERE id = 'k1'", "lost"),
        ("UPDATE revision SET question = 'Another?' WHERE item = 'a' AND revision = 2", "lost"),
        ("UPDATE revision SET evidence = '[]' WHERE item = 'a' AND revision = 2", "lost"),
        ("UPDATE review SET reason = 'Another.' WHERE id = 'k1'", "lost"),
        ("UPDATE review SET seconds = 2 WHERE id = 'k1'", "lost"),
        ("UPDATE review SET details = '{}' WHERE id = 'k1'", "lost"),
        ("DELETE FROM comment", "lost"),
        ("UPDATE comment SET text = 'Hm'", "lost"),
        ("DELETE FROM variant", "lost"),
        ("UPDATE variant SET checks = '{\"seconds\": 3}'", "lost"),
        ("UPDATE scratch SET seconds = 9", "lost_words"),
        ("DELETE FROM scratch", "lost_words"),
        ("UPDATE scratch SET words = replace(words, 'That', 'Tha')", "lost_words"),
        ("UPDATE state SET status = 'drafted' WHERE item = 'a'", "orphaned"),
        ("UPDATE scratch SET item = 'z'", "orphaned"),
        (
            "INSERT INTO lease VALUES ('cy/c', 'c', 'cy', '2999-01-01T10:00:00.000+00:00', '2026-01-01T10:00:00.000+00:00')",
            None,
        ),
    ],
)
def test_what_is_missing_or_belongs_to_nothing_is_found(database: Database, sql: str, kind: str | None) -> None:
    said = Act("comment", "bo", "c", 5, 6, "stored", "said", question="Hm.")
    reworded = Act("rewrite", "bo", "a", 7, 8, "stored", question="In other words?", seconds=2.5)
    comments.add(database, Comment("said", "c", "bo", "Hm."))
    rewrites.add(database, Variant("v", "a", 2, rewrites.HUMAN, "In other words?", generator="bo", checks={"seconds": 2.5}))
    assert compared(database, [EDIT, TYPED, said, reworded]).is_clean
    run(database, sql)
    found = compared(database, [EDIT, TYPED, said, reworded])
    assert (kind in kinds(found)) if kind else found.is_clean, "a lease that nobody can mean counts as none"


def test_what_was_lost_is_found_while_it_runs_and_what_is_under_way_is_not(database: Database) -> None:
    found = Found()
    kept(database, [TYPED], found)
    assert found.is_clean, "nobody was told yet of the decision"
    kept(database, [EDIT, EDIT._replace(key="k2")], found)
    assert len(found.lost) == 1


def test_words_that_were_accepted_as_they_stood_are_compared_too(database: Database) -> None:
    of: Item = items.get(database, "c")
    spans = placed(of.evidence)
    said = Act("decide", "bo", "c", 5, 6, "stored", "k2", "press 2", "accept", of.question, of.answers[0], evidence=spans)
    decide(database, said)
    assert compared(database, [EDIT, TYPED, said]).is_clean
    run(database, "UPDATE revision SET question = 'Another?' WHERE item = 'c'")
    assert kinds(compared(database, [EDIT, TYPED, said])) == {"lost"}


def test_one_press_stored_twice_is_found(database: Database) -> None:
    decide(database, EDIT._replace(key="k2", is_edit=False))
    again = EDIT._replace(key="k2", began=5, ended=6, is_edit=False)
    found = compared(database, [EDIT, TYPED, again])
    assert found.duplicated == ["the press 'press 1' is stored 2 times"]
    assert found.double_assigned == ["a was decided by ann and then by ann"]


def test_a_revision_that_no_decision_made_is_found(database: Database) -> None:
    run(
        database,
        "INSERT INTO revision SELECT replace(key, '@2', '@3'), item, 3, * EXCLUDE (key, item, revision) "
        "FROM revision WHERE item = 'a' AND revision = 2",
    )
    assert "duplicated" in kinds(compared(database, [EDIT, TYPED]))


def test_a_decision_of_nobody_and_one_that_was_refused_are_found(database: Database) -> None:
    assert compared(database, [TYPED]).orphaned == ["nobody made the accept of a (k1)"]
    assert "orphaned" in kinds(compared(database, [EDIT._replace(outcome="refused"), TYPED]))
    assert compared(database, [EDIT._replace(outcome="unknown"), TYPED]).is_clean, "no answer may mean either"


def test_words_that_come_back_after_their_decision_are_found(database: Database) -> None:
    before = TYPED._replace(person="ann", item="a", began=1, ended=2)
    unsent_edits.put(database, unsent_edits.UnsentEdit("ann", "a", 2, before.question, before.answer))
    found = compared(database, [before, EDIT._replace(began=3, ended=4), TYPED])
    assert kinds(found) == {"orphaned"} and "submitted before" in found.orphaned[0]


def test_words_of_another_tab_outlive_a_decision(database: Database) -> None:
    other = TYPED._replace(person="ann", item="a", began=0, ended=1, tab="right")
    assert kinds(compared(database, [other, EDIT._replace(tab="left"), TYPED])) == {"lost_words"}
    unsent_edits.put(database, unsent_edits.UnsentEdit("ann", "a", 1, other.question, other.answer, tab="right"))
    assert compared(database, [other, EDIT._replace(tab="left"), TYPED]).is_clean


def test_words_sent_later_may_stand_in_the_place_of_acknowledged_ones(database: Database) -> None:
    last = TYPED._replace(began=1, ended=2, question="Wha")
    assert compared(database, [EDIT, last, TYPED._replace(outcome="unknown")]).is_clean
    assert not compared(database, [EDIT, TYPED._replace(began=5, ended=6, question="What is it"), TYPED]).is_clean


def test_an_item_that_two_people_were_given_is_found(database: Database) -> None:
    first = Act("hold", "ann", "c", 10, 11, "stored")
    second = Act("hold", "bo", "c", 14, 15, "stored")
    assert kinds(compared(database, [EDIT, TYPED, first, second])) == {"double_assigned"}
    taken = Act("take", "bo", "c", 14, 15, "stored")
    assert compared(database, [EDIT, TYPED, first, taken]).is_clean, "taking over is not a double"
    assert compared(database, [EDIT, TYPED, first, second], [Jump(12, 13)]).is_clean, "the clock ended the first"


def test_more_opinions_than_are_wanted_are_found(database: Database) -> None:
    run(database, "UPDATE state SET wanted = 2 WHERE item = 'd'")
    acts = [
        Act("decide", who, "d", 20 + n, 30 + n, "stored", f"o{n}", f"press o{n}", "accept", f"As {who}?", "So.", True)
        for n, who in enumerate(("ann", "bo", "cy"))
    ]
    for act in acts[:2]:
        decide(database, act)
    assert compared(database, [EDIT, TYPED, *acts[:2]]).is_clean
    run(database, "UPDATE state SET wanted = 3 WHERE item = 'd'")
    decide(database, acts[2])
    run(database, "UPDATE state SET wanted = 2 WHERE item = 'd'")
    assert compared(database, [EDIT, TYPED, *acts]).double_assigned == ["d has 3 opinions"]


def test_two_leases_on_one_item_are_found(database: Database) -> None:
    for who in ("ann", "bo"):
        run(database, f"INSERT INTO lease VALUES ('{who}/c', 'c', '{who}', '{leases.add_minutes(NOW, 5)}', '{NOW}')")
    assert held_by_many(database, NOW) == ["c is held by ann, bo at once"]
    assert held_by_many(database, leases.add_minutes(NOW, 6)) == []


def test_three_people_who_were_given_an_item_for_two_are_found(database: Database) -> None:
    run(database, "UPDATE state SET wanted = 2 WHERE item = 'c'")
    holds = [Act("hold", who, "c", 10 + 3 * n, 11 + 3 * n, "stored") for n, who in enumerate(("ann", "bo", "cy"))]
    assert compared(database, [EDIT, TYPED, *holds[:2]]).is_clean
    assert compared(database, [EDIT, TYPED, *holds]).double_assigned == ["c was ann, bo's, and cy was told that it is theirs"]


SESSION = session_of("ann")
OVER = [End(SESSION, 10, 11)]
LATE = EDIT._replace(item="c", key="k2", press="press 2", began=12, ended=13, by=SESSION, is_edit=False, evidence=())


def test_what_was_acknowledged_before_the_session_ended_stays_and_is_allowed(database: Database) -> None:
    before = EDIT._replace(by=SESSION, status=200)
    refused = LATE._replace(outcome="refused", status=401)
    assert compared(database, [before, TYPED, refused], ends=OVER) == Found()
    assert kinds(compared(database, [before._replace(began=12, ended=13), TYPED], ends=OVER)) == {"forbidden"}
    assert compared(database, [before._replace(began=9, ended=13), TYPED], ends=OVER).is_clean, "it began before the end"


@pytest.mark.parametrize(("outcome", "status"), [("stored", 200), ("refused", 401), ("unknown", 0)])
def test_a_decision_by_what_has_ended_is_found_whatever_its_answer_was(
    database: Database, outcome: Outcome, status: int
) -> None:
    decide(database, LATE)
    late = LATE._replace(outcome=outcome, status=status)
    assert "the decide of c by session of ann is stored (k2)" in compared(database, [EDIT, TYPED, late], ends=OVER).forbidden
    other = compared(database, [EDIT, TYPED, late._replace(by=session_of("bo"))], ends=OVER)
    assert not other.forbidden, "another session has not ended"


@pytest.mark.parametrize("status", [200, 422, 404])
def test_whoever_gets_past_the_door_is_found(database: Database, status: int) -> None:
    late = LATE._replace(outcome="refused", status=status)
    assert compared(database, [EDIT, TYPED, late], ends=OVER).forbidden == [
        f"session of ann was let in to decide c and answered {status}"
    ]
    for outside in (0, 401, 403, 429, 503):
        assert compared(database, [EDIT, TYPED, late._replace(status=outside)], ends=OVER).is_clean


def test_words_comments_and_rewrites_by_what_has_ended_are_found(database: Database) -> None:
    late = LATE._replace(outcome="unknown", question="Late words?", answer="So.")
    acts = [late._replace(what="scratch"), late._replace(what="comment", key="late"), late._replace(what="rewrite", key="")]
    assert compared(database, [EDIT, TYPED, *acts], ends=OVER).is_clean, "none of it is there"
    unsent_edits.put(database, unsent_edits.UnsentEdit("ann", "c", 1, "Late words?", "So."))
    comments.add(database, Comment("late", "c", "ann", "Late words?"))
    rewrites.add(database, Variant("v", "c", 1, rewrites.HUMAN, "Late words?", generator="ann"))
    for act in acts:
        found = compared(database, [EDIT, TYPED, act], ends=OVER).forbidden
        assert [sentence.split(" of c")[0] for sentence in found] == [f"the {act.what}"]


def test_a_decision_that_is_stored_as_somebody_elses_is_found(database: Database) -> None:
    asked = EDIT._replace(outcome="unknown")
    assert compared(database, [asked, TYPED]).is_clean
    assert compared(database, [asked._replace(person="bo"), TYPED]).forbidden == ["bo's accept of a is stored as ann's (k1)"], (
        "the body's name was believed"
    )


def test_what_gives_no_right_and_was_never_tried_is_found() -> None:
    found = Found()
    untried([LATE._replace(outcome="refused", status=401)], OVER, found)
    assert found == Found()
    untried([LATE._replace(outcome="unknown", status=0), LATE._replace(began=5, status=401)], OVER, found)
    assert found.stuck == ["nothing tried session of ann"]


def test_a_secret_in_a_log_or_in_the_workspace_is_found(database: Database, tmp_path: Path) -> None:
    secrets = {"correct horse": "password of ann", "bw_7": token_of("ann")}
    logs = [tmp_path / "app-1.log", tmp_path / "app-2.log"]
    for log in logs:
        log.write_bytes(b"Benchwright is at ...\xff")
    found = Found()
    leaked(database, logs, secrets, found)
    assert found == Found()
    logs[1].write_text("POST /bench/sign-in name=ann&password=correct horse")
    run(database, "UPDATE review SET comment = 'with bw_7' WHERE id = 'k1'")
    leaked(database, logs, secrets, found)
    assert found.leaked == ["the password of ann stands in app-2.log", "the token of ann stands in the table review"]


@contextlib.contextmanager
def answering(act: str, status: int, message: str) -> Iterator[int]:
    """The port of a server that answers one act so, and grants every other."""
    ended = threading.Event()

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            is_meant = self.path == f"/bench/{act}"
            if is_meant and not status:
                ended.wait(60)
            body = json.dumps({"message": message, "held": None}).encode()
            self.send_response(status or 200 if is_meant else 200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            ended.set()
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "message", "heard"),
    [(422, annotator.NO_ROOM, annotator.NO_ROOM), (500, "Broken.", "500"), (0, "", "None")],
    ids=["refused for ever", "broken for ever", "never answered"],
)
def test_an_annotator_who_is_never_answered_gives_up_and_names_the_act(
    status: int, message: str, heard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotator, "PATIENCE", 0.3)
    monkeypatch.setattr(annotator, "MAX_ACT_SECONDS", 0.8)
    queue = Queue([Card("item-1", 1, "Who?", "Ada.", [])])
    journal = Journal(tmp_path / "journal.jsonl")
    with answering("decide", status, message) as port:
        ann = Annotator("ann", port, 1, queue, journal)
        [why] = work_together([ann], time.monotonic() + 60, lambda until: None, journal.close, 50)
    assert why.startswith("ann gave up") and "on item-1 was not answered for good in 0.8 s" in why and heard in why


def test_an_annotator_whose_request_never_ends_is_named_and_not_waited_for(tmp_path: Path) -> None:
    queue = Queue([Card("item-1", 1, "Who?", "Ada.", [])])
    journal = Journal(tmp_path / "journal.jsonl")
    with answering("hold", 0, "") as port:
        ann = Annotator("ann", port, 1, queue, journal)
        [why] = work_together([ann], time.monotonic() + 60, lambda until: None, journal.close, 1.0)
    assert why.startswith("ann has not ended: /bench/hold on item-1, at ") and "_told" in why


@pytest.mark.slow
@pytest.mark.fault(34, 35, 41)
def test_a_short_torture_of_the_real_app_finds_nothing(tmp_path: Path) -> None:
    for minutes in (0.25, 1.0):  # on an overloaded machine nobody comes to a decision in a quarter
        found, journal = torture(tmp_path / f"{minutes} minutes", minutes, 20, 3)
        assert found.is_clean, told(found, journal)
        assert "kill -9" in journal.faults, "of this seed the first"
        decisions = [act for act in journal.acts if act.what == "decide" and act.outcome == "stored"]
        if decisions:
            break
    assert decisions, "how many, a busy machine decides"


@pytest.mark.slow
@pytest.mark.fault(45, 46, 47, 49, 50)
def test_a_short_torture_of_people_who_sign_in_finds_nothing(tmp_path: Path) -> None:
    found, journal = torture(tmp_path, 0.1, 8, 5, is_signed_in=True)
    assert found.is_clean, told(found, journal)
    ended = {session_of("Annotator 1"), token_of("Annotator 2"), FORGED, ELSEWHERE, GUESSED}
    assert {end.by for end in journal.ends} == ended
    stolen = [act for act in journal.acts if act.tab in TABS and act.what == "decide"]
    assert "stored" in {act.outcome for act in stolen} and {act.person for act in stolen} == {"Annotator 2"}
    with Database.open(tmp_path / "workspace" / "w.duckdb") as database:
        rows = database.rows("SELECT DISTINCT act, tried, is_refused FROM sign_in WHERE address = ?", [THIEF_ADDRESS])
    assert ("use a token", "Annotator 2", False) in rows, "the record says that the token was used from elsewhere"
