"""The gates that ask an agent, with every draft of their tables put to the local endpoint in both languages: what must be
flagged is, what must pass does; what could not be asked is not run, and never a pass."""

import json

import pytest

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from agents.scripted.scripted import ScriptedAgent
from builders.gate import gates
from builders.llm_gate import GateJudge, LlmGateContext, ask_gates, llm_gates
from builders.llm_gates.necessity import LOWER_TASKS
from builders.task import Task
from core.catalog import catalog
from core.errors import AgentError
from core.nouns import Span
from tests.builders.asked_drafts import CRITIC, FACTS, REFUSAL, right, wrong
from tests.builders.drafts import World, draft

LANGUAGES = ("en", "zh")
TASKS = catalog("builders.tasks", "TASK", Task)
OPEN = []
"""Agents whose connections the next verdict closes."""


def judge(server, name="m"):
    agent = OpenAIAgent(name, server.url, "sk-x", OpenAISettings(backoff=0.001, cool_down=0.001))
    OPEN.append(agent)
    return GateJudge(agent.name, agent.ask)


def graded(language):
    """Rules for the judge: the same in other words is equal, all else is not."""
    same = [{"contains": f"<prediction>\\n{fact.same}\\n", "fault": "text", "text": '{"score": 8}'} for fact in FACTS[language]]
    return [*same, {"contains": "<prediction>", "fault": "text", "text": '{"score": 6}'}]


def said(question, *answers):
    """Rules for the agent: these answers to that question, in order."""
    return [{"contains": question, "times": 1, "fault": "text", "text": answer} for answer in answers]


def world(language):
    return World(*(" ".join(fact.evidence) for fact in FACTS[language]), language=language)


def item_of(place, language, **more):
    here, fact = world(language), FACTS[language][place]
    spans = [here.span(words, place) for words in fact.evidence]
    return draft(fact.question, fact.answer, spans, language=language, id=f"i{place}", **more)


def context(language, *judges, task="explicit_factoid", **more):
    here = world(language)
    whole = {document.id: document.text for document in here.documents}
    return LlmGateContext(here.text_of, whole.__getitem__, TASKS[task], judges, **more)


async def outcome(gate, item, context):
    try:
        (verdict,) = await ask_gates(item, [gate], context)
    finally:
        for agent in OPEN:
            await agent.close()
    return verdict


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_critic_flags_ten_and_lets_ten_pass(server, language):
    rows = CRITIC[language]
    server.script(
        [
            {"contains": question, "fault": "text", "text": json.dumps({"category": category, "reason": "It says so."})}
            for question, category in rows
        ]
    )
    for place, (question, category) in enumerate(rows):
        item = draft(question, "x", [world(language).span(FACTS[language][0].evidence[0])], language=language)
        verdict = await outcome("critic", item, context(language, judge(server)))
        assert verdict.outcome == ("pass" if place < 10 else "flag"), question
        assert verdict.details["category"] == category
    assert server.count()["requests"] == 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(10))
async def test_answerable_passes_what_two_of_three_answers_agree_with(server, language, place):
    fact = FACTS[language][place]
    server.script(graded(language) + said(fact.question, *right(fact, place, language)))
    verdict = await outcome("answerable", item_of(place, language), context(language, judge(server)))
    assert verdict.outcome == "pass", verdict
    assert verdict.details["right"] >= 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(10))
async def test_answerable_flags_what_most_answers_differ_from(server, language, place):
    fact = FACTS[language][place]
    server.script(graded(language) + said(fact.question, *wrong(fact, place, language)))
    verdict = await outcome("answerable", item_of(place, language), context(language, judge(server)))
    assert verdict.outcome == "flag", verdict
    assert [row["text"] for row in verdict.details["asked"]].count(fact.answer) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(10))
async def test_closed_book_flags_what_agents_know_by_heart(server, language, place):
    fact = FACTS[language][place]
    server.script(graded(language) + said(fact.question, *right(fact, place, language)))
    verdict = await outcome("closed_book", item_of(place, language), context(language, judge(server)))
    assert verdict.outcome == "flag", verdict
    assert verdict.details["leak"] >= 2 / 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(10))
async def test_closed_book_passes_what_they_do_not_know(server, language, place):
    fact = FACTS[language][place]
    server.script(graded(language) + said(fact.question, *wrong(fact, place, language)))
    verdict = await outcome("closed_book", item_of(place, language), context(language, judge(server)))
    assert verdict.outcome == "pass", verdict
    assert fact.evidence[1] not in json.dumps(server.last(), ensure_ascii=False)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(10))
async def test_necessity_flags_what_one_piece_is_enough_for(server, language, place):
    fact = FACTS[language][place]
    answers = [*wrong(fact, place, language), *right(fact, place, language)]
    server.script(graded(language) + said(fact.question, *answers))
    item = item_of(place, language, task="implicit_factoid", level=2)
    verdict = await outcome("necessity", item, context(language, judge(server), task="implicit_factoid"))
    assert (verdict.outcome, verdict.details["not_needed"], verdict.details["proposed"]) == ("flag", [2], "explicit_factoid")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(10))
async def test_necessity_passes_what_takes_every_piece(server, language, place):
    fact = FACTS[language][place]
    answers = [*wrong(fact, place, language), *wrong(fact, (place + 3) % 10, language)]
    server.script(graded(language) + said(fact.question, *answers))
    verdict = await outcome("necessity", item_of(place, language), context(language, judge(server)))
    assert (verdict.outcome, verdict.details["not_needed"]) == ("pass", [])
    assert [len(row["asked"]) for row in verdict.details["asked"]] == [3, 3]


async def test_without_a_document_the_question_is_asked_over_the_others_as_a_whole(server):
    fact, here = FACTS["en"][0], world("en")
    server.script(graded("en") + said(fact.question, *[fact.other] * 3, *[fact.answer] * 3))
    item = item_of(0, "en", task="qa_two_documents", given=tuple(d.id for d in here.documents[:2]))
    verdict = await outcome("necessity", item, context("en", judge(server)))
    assert verdict.outcome == "flag"
    assert verdict.details["proposed"] == LOWER_TASKS["qa_two_documents"] == "qa_one_document"
    assert verdict.why == "Without document 2, 3 of 3 answers are still right, so it is not needed: make it qa one document."
    asked = json.dumps(server.last(), ensure_ascii=False)
    assert here.documents[0].text in asked and here.documents[1].text not in asked


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_question_without_an_answer_must_be_refused(server, language):
    item, refusal = item_of(0, language), REFUSAL[language]
    here = context(language, judge(server))
    unanswerable = draft(item.question, refusal, item.evidence, language=language)
    server.script(said(item.question, refusal, refusal, "1938"))
    assert (await outcome("answerable", unanswerable, here)).outcome == "pass"
    server.script(said(item.question, refusal, "1938", "1939"))
    assert (await outcome("answerable", unanswerable, here)).outcome == "flag"
    assert (await outcome("closed_book", unanswerable, here)).outcome == "not run"


async def test_two_agents_are_asked_three_times_each_and_the_share_is_stored(server):
    fact = FACTS["en"][0]
    server.script(graded("en") + said(fact.question, *[fact.answer] * 3, *[fact.other] * 3))
    three = [judge(server, name) for name in "mno"]
    verdict = await outcome("closed_book", item_of(0, "en"), context("en", *three))
    assert (verdict.outcome, verdict.details["leak"], verdict.details["of"]) == ("pass", 0.5, 6)
    assert verdict.details["agents"] == ["openai:m", "openai:n"]
    assert len({(row["agent"], row["seed"]) for row in verdict.details["asked"]}) == 6


async def test_each_sample_is_a_request_of_its_own(server):
    await outcome("answerable", item_of(0, "en"), context("en", judge(server), samples=5, seed=40))
    assert server.count()["keys"] >= 5
    assert server.last()["seed"] in range(40, 45)


async def test_samples_that_break_off_are_left_out_until_they_could_turn_it(server):
    fact = FACTS["en"][0]
    broken = {"contains": fact.question, "fault": "filter"}
    server.script([*said(fact.question, fact.answer, fact.answer), broken])
    two = await outcome("answerable", item_of(0, "en"), context("en", judge(server)))
    assert (two.outcome, two.details["right"], two.details["of"]) == ("pass", 2, 2)
    server.script([*said(fact.question, fact.answer), broken])
    one = await outcome("answerable", item_of(0, "en"), context("en", judge(server)))
    assert one.outcome == "not run"
    assert one.why.startswith("Not run: 1 of 3 answers could be used (The reply to answer/short.en was held back")


@pytest.mark.parametrize("name", sorted(llm_gates()))
async def test_nobody_is_asked_where_nobody_can_judge(name):
    offline = GateJudge("offline", ScriptedAgent([]).ask, is_offline=True)
    item = item_of(0, "en")
    none = await outcome(name, item, context("en"))
    assert (none.outcome, none.why) == ("not run", "Not run: no judge.")
    cannot = await outcome(name, item, context("en", offline))
    assert (cannot.outcome, cannot.why) == ("not run", "Not run: the agent cannot judge (offline is not an LLM).")


@pytest.mark.parametrize("name", sorted(llm_gates()))
async def test_a_text_to_be_written_and_a_frame_are_not_asked_about(name):
    mute = GateJudge("scripted", ScriptedAgent([]).ask)
    written = await outcome(name, item_of(0, "en", task="summary"), context("en", mute, task="summary"))
    assert written.why == "Not run: its task asks for a text to be written, which has no single right answer."
    frame = await outcome(name, item_of(0, "en", labels={"frame": True}), context("en", mute))
    assert frame.why == "Not run: it has no answer yet."


@pytest.mark.parametrize("name", sorted(llm_gates()))
async def test_a_dead_endpoint_ends_the_job_and_a_single_failure_does_not(name):
    dead = GateJudge("scripted", ScriptedAgent([AgentError("No.", kind="refused", attempts=1, stops_job=True)] * 9).ask)
    with pytest.raises(AgentError):
        await outcome(name, item_of(0, "en"), context("en", dead))
    once = GateJudge("scripted", ScriptedAgent([AgentError("Timed out.", kind="timeout", attempts=3)] * 9).ask)
    assert (await outcome(name, item_of(0, "en"), context("en", once))).outcome == "not run"


async def test_evidence_that_is_gone_and_one_piece_alone_are_not_run(server):
    item = item_of(0, "en")
    gone = draft(item.question, "x", [Span("b2:none", 0, 5)])
    assert "cannot be read" in (await outcome("answerable", gone, context("en", judge(server)))).why
    one = draft(item.question, "x", item.evidence[:1])
    assert "one piece of evidence" in (await outcome("necessity", one, context("en", judge(server)))).why
    assert server.count()["requests"] == 0


async def test_other_agents_samples_or_words_make_a_verdict_of_another_version(server):
    item = item_of(0, "en")
    versions = {
        (await outcome("critic", item, made)).version
        for made in (
            context("en", judge(server)),
            context("en", judge(server, "n")),
            context("en", judge(server), samples=5),
            context("en", judge(server), seed=1),
            context("en", judge(server)),
        )
    }
    assert len(versions) == 4
    assert all(version.startswith("1.") for version in versions)


def test_no_llm_gate_has_the_name_of_one_that_asks_nobody():
    assert not set(llm_gates()) & set(gates())
