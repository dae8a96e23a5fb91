"""Every public verb of the workbench is looked at: it is an act that some roles may do, or it is open to all, and says so here.
annotation.md 3d, rows 22 and 23."""

import inspect
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BenchError, NotAllowed
from store.items import items
from store.jobs import jobs
from store.people.log import LogFilter
from store.queue import leases
from store.reviews import unsent_edits
from tests.store.sample_items import item
from workbench import Workbench, actor, current_workbench
from workbench.annotate.finding.finding import ItemSearch, SimilarityQuery
from workbench.annotate.reviewing.reviews import DecisionRequest, ItemKind, UnsentEdit
from workbench.guest_workbench import GUEST_STAGES
from workbench.release.uploads import Upload
from workbench.roles import PERMISSIONS, ROLES, Role, check_permission, explain_refusal, is_export_of
from workbench.stage import Stage

PARTS = {"reviews.holds", "reviews.qualification", "reviews.control_sampling", "reviews.blind", "rewrites.consent"}
"""Where a stage's verbs stand apart from it."""

READING = {
    "absence": "file",
    "errata": "file",
    "counterfactual": "file",
    "conversations": "file",
    "conversation_reviews": "count_waiting find_next load page",
    "tiny": "file",
    "crosslingual": "file",
    "adjudication": "rule",
    "board": "cells has_targets is_empty list_unfinished_jobs list_unsent_edits releases runs",
    "page_view": "boxes evidence_in pages picture select_paged",
    "removal": "count_dependents list_successors preview_replacement",
    "corpus": "changes document domains heading ids items_of languages licences load_documents page same_titles size sizes "
    "stretch text",
    "bulk": "reasons",
    "gating": "list_own_gates load_choice",
    "queue": "choices coverage history preview rules",
    "difficulty": "choices rule",
    "nuggets": "card count_states find_next page",
    "find": "describe_progress why_not_of",
    "grading": "list_batches",
    "guidelines": "card find_beside list_lines",
    "label_questions": "list_questions read_answers tasks",
    "people": "explain_refusal find_guest_release is_on list_forbidden_permissions may_do role spell_name",
    "progress": "build_construction compare_meaning compare_opinions count_by_agent load_agreement measure_pace "
    "measure_targets name_file render_agents render_agreement render_construction",
    "phases": "rates",
    "reports": "file preset_labels",
    "robustness": "model",
    "item_list": "items load_evidence load_items find_variant count_hidden",
    "reviews": "choices document find_previous find_taker is_alone items is_in_qualification may_open progress sentences",
    "reviews.blind": "describe_assistance is_alone rule",
    "reviews.control_sampling": "rule",
    "reviews.qualification": "count_missing_items rule",
    "reviews.holds": "find_other is_fresh",
    "rewrites": "count find_next find_previous measure_rewrite sheet similarity",
    "rewrites.consent": "find_unagreed list_agreements load_current",
    "variants": "choices find_previous progress",
    "variant_quality": "find_next find_previous list_waiting",
    "hub": "is_signed_in",
    "release_browser": "list_formats",
    "tables": "call card endings functions is_empty list_facts list_tables load_saved popularity registry rows world",
    "templates": "choices list_templates read_form versions",
    "seasons": "list_seasons",
    "trial_calls": "find_last worst_price",
    "trials": "job list_trials",
    "upkeep": "is_cancelled job job_kinds job_page jobs",
    "batches": "find_folder list_folders load_folder",
    "uploads": "benchmarks endings forms",
    "web_questions": "list_missing",
    "grammar_checker": "find_server",
}
"""Open to all: it tells nothing that is not everybody's."""
OWN = {
    "accounts": "change_password revoke_sessions",
    "access_tokens": "create list_tokens revoke",
    "find": "choices ids page place",
    "variants": "sheet",
    "variant_quality": "sheet",
    "own_work": "has_seen list_changed_guidelines list_mentions list_waiting",
    "progress": "count_days count_own_control_results render_timesheet sort_outcomes",
    "reviews": "claims desk history load_item",
    "reviews.holds": "release",
    "reviews.qualification": "load_state",
    "comments": "thread",
    "phases": "find_next sheet",
    "web_questions": "drafts",
    "templates": "drafts",
}
"""Open on what is one's own; on what is another's they ask for an act of their own (tests below)."""
KEEPING = {
    "adjudication": "keep_why",
    "comments": "keep",
    "reviews": "keep keep_own",
    "reviews.holds": "hold",
    "rewrites": "keep",
    "variants": "hold keep",
    "web_questions": "add_page arrange drop keep",
    "templates": "drop keep",
}
"""Open to whoever types, whose work here has ended too: no word is lost. A hold takes nothing for them."""
LEADING_ON = {
    "drafts": "choose_llm_gates check",
    "trials": "check",
    "one_draft": "has_window run_in_background",
    "desk_visits": "find find_document_ahead find_repeated load load_bar put put_step step",
    "rewrite_visits": "find find_repeated load load_bar put put_step step",
    "variant_visits": "describe_visit find find_next find_previous find_repeated load load_bar put put_step step",
}
"""They do nothing but read, or go by a verb that asks; a visit's place in a tab is in memory alone."""
INNER = {
    "accounts": "accept_invite check_password create_first_link find_invited_person find_not_before find_state "
    "has_owner has_password is_member is_shut_out join record_refusal",
    "access_tokens": "find_state identify",
    "agents": "bind budget check check_addresses check_embedding connect_models end_calls find_embedding_agent find_saved "
    "forget_job is_paid make pin sum_reserved",
    "batches": "carry collect_requests",
    "corpus": "work_count",
    "drafts": "work",
    "one_draft": "work",
    "nuggets": "work",
    "translations": "work",
    "certificates": "work",
    "half_life": "work",
    "errata": "work",
    "sealed_boards": "work",
    "comments": "load_beside",
    "reviews": "check_open check_shown",
    "reviews.blind": "answer cover find_hidden find_hidden_items find_own_answer find_withheld find_withheld_items is_hidden "
    "keep",
    "reviews.holds": "find_ahead leave",
    "rewrites.consent": "check_agreed",
    "reviews.control_sampling": "add_to_progress find_anchor find_next find_previous",
    "reviews.qualification": "find_next",
    "prompts": "in_force put_in_force",
    "runs": "give_members work work_on",
    "sweeps": "work",
    "upkeep": "begin end fail keep_message list_left_over",
    "tables": "hashes load_samples tables",
    "templates": "load_samples",
    "seasons": "work work_refresh",
    "proposals": "work",
    "studies": "load state_of",
    "bulk": "work",
    "gating": "work",
    "vary": "work",
    "search": "check find_passages open_search",
    "trials": "work",
    "hub": "work_import work_publish",
    "uploads": "work_add work_import",
}
"""The runner's, the jobs', and what stages hand each other: no page and no route calls them."""
OPEN = {
    f"{stage}.{verb}"
    for table in (READING, OWN, KEEPING, LEADING_ON, INNER)
    for stage, verbs in table.items()
    for verb in verbs.split()
}


def verbs(bench: Workbench) -> dict[str, Any]:
    """Every public verb of every stage, by its name."""
    stages = {name: getattr(bench, name) for name, stage in vars(Workbench).items() if isinstance(stage, Stage)}
    for part in PARTS:
        stage, _, name = part.partition(".")
        stages[part] = getattr(stages[stage], name)
    return {
        f"{stage}.{name}": verb
        for stage, found in stages.items()
        for name, verb in inspect.getmembers(found, callable)
        if not name.startswith("_") and name != "close" and inspect.ismethod(verb)
    }


with Workbench.open(":memory:") as any_bench:
    GUARDED = {name: verb.permission for name, verb in verbs(any_bench).items() if hasattr(verb, "permission")}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """A team of four: Ann annotates, Lea leads, Rex researches, Ada is the admin. Two drafts wait, Lea accepted a third."""
    with Workbench.open(":memory:") as bench:
        items.add(bench.database, [item(name) for name in ("a", "b", "c")])
        bench.reviews.decide("c", "accept", person="Lea")
        for person, role in (("Ada", "admin"), ("Lea", "lead"), ("Rex", "researcher"), ("Ann", "annotator")):
            bench.people.give(person, role)  # type: ignore[arg-type]
        yield bench


@pytest.fixture
def alone() -> Iterator[Workbench]:
    """Nobody has a role."""
    with Workbench.open(":memory:") as bench:
        items.add(bench.database, [item("a")])
        yield bench


def as_(person: str, call: Any) -> Any:
    """The call, made by that person at a screen."""
    with actor.act_as(person):
        return call()


def press(name: str, person: str, **more: Any) -> DecisionRequest:
    given = {
        "key": f"{person}-{name}",
        "revision": 1,
        "decision": "discard",
        "reason": "a test",
        "question": "Q?",
        "answer": "A",
        "evidence": (),
    }
    return DecisionRequest(person=person, item=name, **(given | more))


def log_of(bench: Workbench, **wanted: Any) -> list[tuple[str | None, str, str, bool]]:
    lines, _ = bench.log.page(LogFilter(**wanted))
    return [(line.person, line.act, line.what, line.is_refused) for line in lines]


@pytest.mark.fault(23)
def test_every_verb_is_an_act_or_open_to_all_and_no_entry_is_of_a_verb_that_is_gone(bench: Workbench) -> None:
    found = set(verbs(bench))
    assert found - set(GUARDED) == OPEN, "give a new verb @act(...), or an entry above"
    assert set(PERMISSIONS) - set(GUARDED.values()) == {
        "end what others hold",
        "open what is somebody else's",
        "decide again on what others decided",
    }, "acts that are asked for within a verb"


@pytest.mark.fault(23)
@pytest.mark.parametrize(
    ("person", "role"), [("Ann", "annotator"), ("Lea", "lead"), ("Rex", "researcher"), ("nobody", "annotator")]
)
@pytest.mark.fault(23)
def test_a_verb_is_refused_before_it_looks_at_anything_and_the_refusal_is_on_record(
    person: str, role: Role, bench: Workbench
) -> None:
    found = verbs(bench)
    for name, act in GUARDED.items():
        if role in PERMISSIONS[act].roles:
            assert as_(person, lambda act=act: explain_refusal(bench.database, act)) is None, name
            continue
        with pytest.raises(NotAllowed, match=f"{person} is an? {role} here and may not {act}"):
            as_(person, lambda verb=found[name]: verb(**arguments(verb)))
    acts = {act for act in GUARDED.values() if role not in PERMISSIONS[act].roles}
    lines, _ = bench.log.page(LogFilter(people=(person,)), 500)
    assert {line.act for line in lines} == acts and all(line.is_refused for line in lines)


def arguments(verb: Any) -> dict[str, Any]:
    """Something for each argument that the verb wants: nothing of it is looked at, but what is told of it in the log."""
    some = SimpleNamespace(
        release="v1",
        system="echo",
        item="a",
        task="t",
        domain="d",
        action="discard",
        gates=("critic",),
        name="n",
        runs=("r",),
        kinds=("ocr",),
        variant="v",
        agent="offline",
        contest="c",
    )
    many = ("paths", "files", "ids", "wanted", "metrics", "judges")
    return {
        p.name: [some] if p.name in many else some for p in inspect.signature(verb).parameters.values() if p.default is p.empty
    }


def test_the_owner_at_the_terminal_may_do_everything_and_is_on_record(bench: Workbench) -> None:
    assert all(explain_refusal(bench.database, act) is None for act in PERMISSIONS)
    bench.board.set_target("explicit_factoid", 1, "tech", 5)
    assert log_of(bench, people=(None,))[0] == (None, "set targets", "explicit_factoid in tech", False)


def test_as_long_as_nobody_has_a_role_everybody_may_do_everything(alone: Workbench) -> None:
    assert all(
        as_(person, lambda act=act: explain_refusal(alone.database, act)) is None
        for act in PERMISSIONS
        for person in ("Ann", "")
    )
    assert alone.people.role("Ann") is None


def test_whoever_gives_the_first_role_is_admin_from_then_on_and_the_rest_are_annotators(alone: Workbench) -> None:
    as_("Ada", lambda: alone.people.give("Lea", "lead"))
    assert {one.name: one.role for one in alone.people.team().people} == {"Ada": "admin", "Lea": "lead"}
    assert alone.people.role("Zoe") == "annotator"
    with pytest.raises(NotAllowed, match="Zoe is an annotator here and may not give roles: ask an admin"):
        as_("Zoe", lambda: alone.people.give("Zoe", "admin"))
    assert as_("Ada", lambda: alone.people.give("Zoe", "researcher")) is None


def test_an_admin_turns_roles_off_again_and_whose_work_has_ended_stays_out(bench: Workbench) -> None:
    bench.people.remove("Rex")
    with pytest.raises(NotAllowed, match="Ann is an annotator here and may not give roles"):
        as_("Ann", bench.people.turn_off)
    as_("Ada", bench.people.turn_off)
    assert not bench.people.is_on() and bench.people.role("Ann") is None
    assert as_("Ann", lambda: bench.people.explain_refusal("freeze releases")) is None
    assert "work here has ended" in str(as_("Rex", lambda: bench.people.explain_refusal("decide on items")))
    assert log_of(bench, acts=("give roles",))[0] == ("Ada", "give roles", "nobody: roles are off", False)
    as_("Ann", lambda: bench.people.give("Lea", "lead"))
    assert {one.name: one.role for one in bench.people.team().people if one.role} == {"Ann": "admin", "Lea": "lead"}


def test_the_first_role_leaves_an_admin_and_the_last_admin_stays_one(alone: Workbench) -> None:
    with pytest.raises(BenchError, match="must be admin"):
        as_("Ada", lambda: alone.people.give("Ada", "lead"))
    with pytest.raises(BenchError, match="give your name"):
        as_("", lambda: alone.people.give("Lea", "lead"))
    with pytest.raises(BenchError, match="a character that no file can store"):
        as_("Ada", lambda: alone.people.give("Le\0a", "lead"))
    assert alone.people.spell_name(" Le\ud800a") == "Le\ufffda", "a request acts for the name that is stored"
    as_("Ada", lambda: alone.people.give("Ada", "admin"))
    for act in (lambda: alone.people.give("Ada", "lead"), lambda: alone.people.remove("Ada")):
        with pytest.raises(BenchError, match="only admin"):
            act()


@pytest.mark.fault(40)
def test_whoever_is_removed_keeps_their_work_and_their_words_but_decides_no_more(bench: Workbench) -> None:
    as_("Ann", lambda: bench.reviews.settle(press("a", "Ann")))
    assert as_("Ann", lambda: bench.reviews.find_next(ItemKind(), "Ann")) == "b"
    as_("Lea", lambda: bench.people.remove("Ann"))
    assert bench.reviews.holds.list_held() == []
    assert leases.list_ended(bench.database)[0][:4] == ("b", "Ann", "Lea", "released")
    with pytest.raises(NotAllowed, match="Ann's work here has ended"):
        as_("Ann", lambda: bench.reviews.settle(press("b", "Ann")))
    as_("Ann", lambda: bench.reviews.keep(UnsentEdit("Ann", "b", 1, "typed before it was said", "A")))
    kept = unsent_edits.get(bench.database, "Ann", "b")
    assert kept is not None and kept.question == "typed before it was said"
    assert bench.reviews.holds.list_held() == [], "typing takes nothing"
    assert as_("Ann", lambda: bench.reviews.desk("b", "Ann")).scratch.question == "typed before it was said"
    assert items.get(bench.database, "a").status == "discarded"
    assert next(one for one in bench.people.team().people if one.name == "Ann").decisions == 1
    as_("Lea", lambda: bench.people.bring_back("Ann"))
    assert as_("Ann", lambda: bench.reviews.find_next(ItemKind(), "Ann")) == "b"


@pytest.mark.fault(22)
def test_an_item_that_another_holds_or_decided_opens_for_a_lead_not_for_an_annotator(bench: Workbench) -> None:
    as_("Lea", lambda: bench.reviews.find_next(ItemKind(), "Lea"))
    for name in ("a", "c"):
        for look in (bench.reviews.desk, bench.reviews.history):
            with pytest.raises(NotAllowed, match="Ann is an annotator here and may not open what is somebody else's"):
                as_("Ann", lambda look=look, name=name: look(name, "Ann"))
        with pytest.raises(NotAllowed):
            as_("Ann", lambda name=name: bench.reviews.claims(name, 1))
        assert as_("Ada", lambda name=name: bench.reviews.desk(name, "Ada")).item.id == name
    assert as_("Ann", lambda: bench.reviews.desk("b", "Ann")).item.id == "b"
    assert [line[2] for line in log_of(bench, people=("Ann",))] == ["c", "a"], "each once, however often it was tried"


@pytest.mark.fault(39)
def test_whoever_lost_an_item_while_typing_still_opens_it(bench: Workbench) -> None:
    as_("Ann", lambda: bench.reviews.keep(UnsentEdit("Ann", "a", 1, "half a sent", "A")))
    as_("Lea", lambda: bench.reviews.holds.take_over("a", "Lea"))
    found = as_("Ann", lambda: bench.reviews.desk("a", "Ann"))
    assert found.held.by == "Lea" and found.scratch.question == "half a sent"
    assert "may not end what others hold" in found.keeps_from_taking


@pytest.mark.fault(22)
def test_what_another_decided_is_decided_again_by_leads_alone(bench: Workbench) -> None:
    with pytest.raises(NotAllowed, match="may not decide again"):
        as_("Ann", lambda: bench.reviews.settle(press("c", "Ann", seen="accepted")))
    as_("Ada", lambda: bench.reviews.settle(press("c", "Ada", seen="accepted")))
    assert items.get(bench.database, "c").status == "discarded"


@pytest.mark.fault(23)
def test_what_others_hold_is_theirs_to_end_who_lead(bench: Workbench) -> None:
    as_("Lea", lambda: bench.reviews.holds.hold("a", "Lea"))
    for act in (lambda: bench.reviews.holds.take_over("a", "Ann"), lambda: bench.reviews.holds.release("Lea", "Ann", "a")):
        with pytest.raises(NotAllowed, match="may not end what others hold"):
            as_("Ann", act)
    as_("Ann", lambda: bench.reviews.holds.hold("b", "Ann"))
    as_("Ann", lambda: bench.reviews.holds.release("Ann", "Ann", "b"))
    as_("Ada", lambda: bench.reviews.holds.release("Lea", "Ada", "a"))
    assert log_of(bench, acts=("end what others hold",), people=("Ada",))[0][2:] == ("Lea's a, released", False)


def test_ones_own_days_are_open_and_anothers_are_for_leads(bench: Workbench) -> None:
    assert "Ann" not in as_("Ann", lambda: bench.progress.render_timesheet("Ann"))
    for look in (bench.progress.count_days, bench.progress.render_timesheet):
        with pytest.raises(NotAllowed, match="see who did what"):
            as_("Rex", lambda look=look: look("Lea"))
    assert "Lea" in as_("Lea", lambda: bench.progress.render_timesheet("Lea"))


def test_agreement_names_nobody_to_who_may_not_see_names(bench: Workbench) -> None:
    for person in ("Ann", "Lea"):
        bench.reviews.decide("a", "discard", person=person, reason="a test")
    kappas = [line for line in bench.progress.render_agreement("csv").splitlines() if "Cohen" in line]
    hidden = as_("Rex", lambda: bench.progress.render_agreement("csv"))
    assert "Ann and Lea" in kappas[0] and "two people" in hidden and "Ann" not in hidden


@pytest.mark.fault(25)
def test_the_log_tells_what_was_done_once_and_holds_no_key(bench: Workbench) -> None:
    record = {"name": "mine", "kind": "openai", "model": "m", "key_env": "MY_API_KEY"}
    as_("Ada", lambda: bench.agent_list.save(record))
    assert log_of(bench, people=("Ada",)) == [("Ada", "change agents", "mine", False)]
    with pytest.raises(BenchError):
        as_("Ada", lambda: bench.agent_list.save(record))
    assert log_of(bench, people=("Ada",)) == [("Ada", "change agents", "mine", False)], "what had no effect is not a line"
    assert "MY_API_KEY" not in bench.log.file(LogFilter())


@pytest.mark.fault(9)
def test_the_logs_file_runs_no_formula(bench: Workbench) -> None:
    with pytest.raises(NotAllowed):
        as_("=1+1", lambda: check_permission(bench.database, "give roles", "@SUM(A1)"))
    (line,) = [one for one in bench.log.file(LogFilter()).splitlines() if "SUM" in one]
    assert "'=1+1" in line and "'@SUM(A1)" in line


def test_a_job_is_looked_at_when_it_is_planned_and_its_body_acts_for_nobody(bench: Workbench) -> None:
    with actor.act_as("Ann"), actor.enter_job():
        bench.board.set_target("explicit_factoid", 1, "tech", 5)
    assert log_of(bench, acts=("set targets",)) == []


def test_every_role_may_do_something_that_is_not_everybodys() -> None:
    assert {role: sum(role in act.roles for act in PERMISSIONS.values()) for role in ROLES} == {
        "annotator": 7,
        "lead": 45,
        "researcher": 26,
        "admin": len(PERMISSIONS),
        "guest": 0,
    }
    assert {name for name, act in PERMISSIONS.items() if act.is_for_guests} == {
        "see releases",
        "export releases",
        "contest items",
        "see boards",
        "submit to boards",
    }


@pytest.mark.fault(23)
def test_a_researcher_sees_and_decides_on_nothing(bench: Workbench, tmp_path: Path) -> None:
    sample = ItemKind()
    acts: dict[str, Any] = {
        "decide on items": [
            lambda: bench.reviews.settle(press("a", "Rex")),
            lambda: bench.reviews.decide("a", "accept", person="Rex"),
            lambda: bench.reviews.find_next(sample, "Rex"),
            lambda: bench.uploads.import_([Upload("reviews.jsonl", BytesIO(b"{}"), 2)], "reviews"),
            lambda: bench.releases.import_(tmp_path, "reviews"),
        ],
        "rewrite questions": [lambda: bench.rewrites.write(SimpleNamespace(item="c"))],
        "review in phases": [lambda: bench.phases.say(SimpleNamespace(item="a"))],
        "decide between people": [lambda: bench.adjudication.settle(press("a", "Rex"), "")],
        "change items in bulk": [lambda: bench.bulk.plan(SimpleNamespace(action="discard"), None, "")],
    }
    for act, calls in acts.items():
        for call in calls:
            with pytest.raises(NotAllowed, match=f"Rex is a researcher here and may not {act}"):
                as_("Rex", call)
    as_("Rex", lambda: bench.reviews.holds.hold("a", "Rex"))
    assert bench.reviews.holds.list_held() == [], "an item that a researcher opens stays free"
    assert items.get(bench.database, "a").status == "drafted"
    assert (
        as_("Rex", bench.release_browser.list_releases) == [] and as_("Rex", lambda: bench.own_work.list_waiting("Rex")) == []
    )
    assert [one.page for one in as_("Ann", lambda: bench.own_work.list_waiting("Ann"))] == ["review", "rewrite"]


def test_who_sees_what_a_job_does(bench: Workbench) -> None:
    asked = {"action": "give", "to": "Ben", "person": "Lea"}
    jobs.find_or_create(bench.database, "bulk", {"asked": asked}, budget=None, total=1)
    jobs.find_or_create(bench.database, "run", {"system": "vanilla", "release": "v1"}, budget=None, total=1)

    def see(person: str) -> list[str]:
        return [job.about for job in as_(person, bench.upkeep.jobs)]

    assert see("Lea") == ["Run vanilla on v1", "Give items to Ben, asked by Lea"]
    assert see("Rex") == ["Run vanilla on v1", "Bulk"]
    assert see("Ann") == ["Run", "Bulk"]
    assert all(job.params == {} for job in as_("Ann", bench.upkeep.jobs))


@pytest.fixture
def guest(bench: Workbench) -> Workbench:
    """Gus is a guest of the release v1; there is another release."""
    bench.releases.freeze("v1")
    bench.releases.freeze("v1-b")
    bench.people.give("Gus", "guest", "v1")
    return bench


@pytest.mark.fault(22)
def test_a_guest_is_refused_every_verb_but_those_of_one_release(guest: Workbench) -> None:
    found = verbs(guest)
    for name in GUARDED:
        with pytest.raises(NotAllowed, match="Gus is a guest here and"):
            as_("Gus", lambda verb=found[name]: verb(**arguments(verb)))
    browser = guest.release_browser
    assert as_("Gus", lambda: browser.items("v1")).total == 1 and as_("Gus", lambda: browser.item("v1", "c")).item.id == "c"
    assert as_("Gus", lambda: browser.find_header("v1")).name == "v1" and as_("Gus", lambda: guest.releases.verify("v1")).ok
    made = as_("Gus", lambda: browser.pack("v1", "jsonl"))
    assert as_("Gus", lambda: browser.find_packed_file(made.file)).is_file()
    other = browser.pack("v1-b", "jsonl")
    for look in (
        lambda: browser.items("v1-b"),
        lambda: browser.item("v1-b", "c"),
        lambda: browser.pack("v1-b", "jsonl"),
        lambda: browser.find_packed_file(other.file),
        browser.list_releases,
        lambda: guest.releases.verify("v1-b"),
    ):
        with pytest.raises(NotAllowed, match="Gus is a guest here and sees only the release v1: ask an admin for more"):
            as_("Gus", look)
    assert ("Gus", "see releases", "v1-b", True) in log_of(guest, people=("Gus",))


@pytest.mark.fault(22)
def test_what_is_open_to_everybody_is_closed_to_a_guest(guest: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_workbench, "_open", [guest])
    seen = as_("Gus", current_workbench.open_workbench)
    for name in [*(name for name, stage in vars(Workbench).items() if isinstance(stage, Stage)), "database"]:
        if name not in GUEST_STAGES:
            with pytest.raises(NotAllowed, match="sees only the release v1"):
                getattr(seen, name)
    assert seen.release_browser is guest.release_browser and seen.people.find_guest_release() is None
    assert as_("Ann", current_workbench.open_workbench) is guest and current_workbench.open_workbench() is guest


def test_a_guest_has_a_release_that_is_there_and_keeps_it(guest: Workbench) -> None:
    for release in (None, "", "v2"):
        with pytest.raises(BenchError, match="A guest sees one release: name one of v1-b, v1"):
            guest.people.give("Zoe", "guest", release)
    with pytest.raises(BenchError, match="Only a guest is limited to one release"):
        guest.people.give("Zoe", "lead", "v1")
    assert guest.people.team().guests == {"Gus": "v1"}
    guest.people.remove("Gus")
    guest.people.bring_back("Gus")
    assert as_("gus ", guest.people.find_guest_release) == "v1", "a name is one in any spelling"
    guest.people.give("Gus", "annotator")
    assert as_("Gus", guest.people.find_guest_release) is None and guest.people.team().guests == {}


def test_a_guest_needs_a_release_to_see(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="freeze one first"):
        bench.people.give("Gus", "guest", "v1")


@pytest.mark.parametrize(
    "file",
    [
        "v1-b-jsonl-0123456789ab.zip",
        "v1-jsonl-0123456789ab.zip.zip",
        "v1-jsonl-0123456789abc.zip",
        "xv1-jsonl-0123456789ab.zip",
    ],
)
def test_a_file_of_another_release_is_not_a_guests(file: str) -> None:
    assert is_export_of("v1-jsonl-0123456789ab.zip", "v1") and is_export_of("v1-nq_open-0123456789ab.zip", "v1")
    assert not is_export_of(file, "v1")


@pytest.mark.fault(23)
def test_what_others_decided_is_looked_for_by_those_alone_who_may_see_it(bench: Workbench) -> None:
    bench.reviews.decide("a", "discard", person="Ann", reason="a test")
    assert as_("Ann", bench.find.choices)["person"] == ["Ann"] and as_("Lea", bench.find.choices)["person"] == ["Ann", "Lea"]
    assert as_("Ann", lambda: bench.find.ids(ItemSearch(person="Ann"), SimilarityQuery())) == ["a"]
    for search in (ItemSearch(person="Lea"), ItemSearch(is_disputed=True), ItemSearch(bulk="x")):
        with pytest.raises(NotAllowed, match="may not see who did what"):
            as_("Ann", lambda search=search: bench.find.page(search, SimilarityQuery(), 1))
        assert as_("Lea", lambda search=search: bench.find.page(search, SimilarityQuery(), 1)).value is not None


@pytest.mark.fault(23)
def test_items_are_given_to_a_person_by_who_leads_and_wait_for_them_alone(bench: Workbench) -> None:
    assert as_("Ann", lambda: bench.reviews.find_next(ItemKind(), "Ann")) == "a"
    with pytest.raises(NotAllowed, match="may not give items to people"):
        as_("Ann", lambda: bench.reviews.holds.give(["a"], "Bob", "Ann"))
    assert as_("Lea", lambda: bench.reviews.holds.give(["a", "c"], "Bob", "Lea", "Ann")) == ["a"], "c is decided"
    assert [(one.person, one.item, one.by) for one in bench.reviews.holds.list_assigned()] == [("Bob", "a", "Lea")]
    assert as_("Ann", lambda: bench.reviews.find_next(ItemKind(), "Ann")) == "b"
    assert as_("Bob", lambda: bench.reviews.find_next(ItemKind(), "Bob")) == "a"
    assert log_of(bench, acts=("give items to people",))[0] == ("Lea", "give items to people", "a, c to Bob", False)


def test_what_was_given_to_somebody_who_leaves_waits_for_anybody_and_nothing_more_is_given_to_them(bench: Workbench) -> None:
    bench.reviews.holds.give(["a"], "Bob", "Lea")
    bench.people.remove("Bob")
    assert bench.reviews.holds.list_assigned() == [] and as_("Ann", lambda: bench.reviews.find_next(ItemKind(), "Ann")) == "a"
    with pytest.raises(BenchError, match="Bob's work here has ended: give the items to somebody else"):
        bench.reviews.holds.give(["b"], "Bob", "Lea")
