"""Grammar errors: an agent puts them in, LanguageTool says whether they are there; a checker that is silent, slow, broken, or
not there leaves "unverified" in plain sight and never holds the work up; a judge's opinion stands beside it."""

import asyncio
import json
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.languagetool import checker
from builders.languagetool.checker import Checker, GrammarMatch, Unverified
from builders.languagetool.server import NONE
from builders.perturbations import grammar
from builders.perturbations.grammar import KINDS, MAX_REGENERATIONS, rotate_kinds
from builders.variation.perturbation import PerturbedText, VariantChecker, VariationAgent, VariationFailed, perturbations
from core.errors import BenchError
from core.nouns import Item
from tests.languagetool_server import languagetool, nobody, start_at

QUESTION = "Which play did the Lantern Players perform first in Port Ellery?"
GOOD = "Which play did the Lantern Players performed first in Port Ellery, did performed it?"
FINE = "Which play did the Lantern Players perform at first in Port Ellery?"
SETTINGS = {"temperature": 0.7, "start": 20.0, "timeout": 10.0}


def item(question: str = QUESTION, language: str = "en") -> Item:
    return Item(
        id="q1",
        task="explicit_factoid",
        question=question,
        answers=("The Mill",),
        evidence=(),
        level=1,
        domain="arts",
        language=language,
    )


def reply(text: str) -> str:
    return json.dumps({"faulty": text, "error": "verb form"}, ensure_ascii=False)


def made(
    server: str, *replies: str, of: Item | None = None, seed: int = 0, said: list[str] | None = None, **settings: float
) -> tuple[PerturbedText, ScriptedAgent]:
    agent = ScriptedAgent(list(replies))
    voice = VariationAgent(agent.ask, "scripted", say=(said if said is not None else []).append)
    with grammar.PERTURBATION.make({**SETTINGS, **settings, "server": server}) as maker:
        return asyncio.run(maker(of or item(), seed, voice)), agent


def test_an_error_that_is_found_is_verified_with_rule_offset_verifier_and_version() -> None:
    with languagetool() as server:
        found, _ = made(server, reply(GOOD))
    assert found.text == GOOD and found.generator == "scripted"
    assert found.checks["verdict"] == "verified" and found.checks["attempts"] == 1
    assert found.checks["rules"] == [
        {"rule": "DID_BASEFORM", "category": "GRAMMAR", "issue": "grammar", "offset": GOOD.index("did performed"), "length": 13}
    ]
    assert found.checks["verifier"].startswith("LanguageTool (language-tool-python 3.")
    assert found.checks["verifier_version"] == "6.8-stub" and found.checks["is_checked"]
    assert "unverified_why" not in found.checks


def test_what_is_not_found_is_asked_for_again_with_the_texts_that_were_not_enough() -> None:
    with languagetool() as server:
        found, agent = made(server, reply(FINE), reply(GOOD))
    assert (found.checks["verdict"], found.checks["attempts"]) == ("verified", 2)
    assert FINE in agent.history[1].inputs["reason"] and agent.history[0].inputs["reason"] == ""


def test_the_kinds_that_are_found_are_asked_for_and_rotate_by_item_seed_and_attempt() -> None:
    with languagetool() as server:
        _, agent = made(server, reply(FINE), reply(GOOD))
    first, second = (call.inputs["error_kinds"].splitlines() for call in agent.history)
    assert [line.partition(". ")[2] for line in first] == list(rotate_kinds(item(), 0)) and len(first) == len(KINDS["en"])
    assert second[0].partition(". ")[2] == first[1].partition(". ")[2]
    assert f"make a plainer one, which is {second[0].partition('. ')[2]}" in agent.history[1].inputs["reason"]
    firsts = Counter(rotate_kinds(replace(item(), id=f"q{n}"), 0)[0] for n in range(140))
    assert set(firsts) == set(KINDS["en"]) and max(firsts.values()) < 45
    assert len({rotate_kinds(item(), seed)[0] for seed in range(30)}) == len(KINDS["en"])


def test_an_error_stays_unverified_when_the_agent_has_no_other_to_offer() -> None:
    no = json.dumps({"faulty": "", "error": "", "none": "Nothing else can be broken."})
    with languagetool() as server:
        found, _ = made(server, reply(FINE), no)
    assert (found.text, found.checks["verdict"], found.checks["attempts"]) == (FINE, "unverified", 1)


def test_after_three_regenerations_it_stays_unverified_and_says_so() -> None:
    texts = [f"{FINE[:-1]} {n}?" for n in range(MAX_REGENERATIONS + 1)]
    with languagetool() as server:
        found, agent = made(server, *map(reply, texts))
    assert len(agent.history) == 4 and found.text == texts[-1]
    assert found.checks["verdict"] == "unverified" and "found no new grammatical error in 4" in found.checks["unverified_why"]


def test_a_rule_that_fires_on_the_original_misspelt_names_and_style_prove_nothing() -> None:
    question = "Which play did acted first, and did the Players of Port Ellery like it?"
    with languagetool() as server:
        found, agent = made(server, *[reply(f"Which play did acted in Ellery woke {n}?") for n in range(4)], of=item(question))
    assert found.checks["verdict"] == "unverified" and len(agent.history) == 4


@pytest.mark.parametrize(
    ("rule", "issue", "counts"),
    [
        ("EN_A_VS_AN", "misspelling", True),
        ("MODAL_OF", "misspelling", True),
        ("COMPARISONS_THEN", "misspelling", True),
        ("DOES_NP_VBZ", "grammar", True),
        ("ENGLISH_WORD_REPEAT_RULE", "duplication", True),
        ("ANYTHING", "uncategorized", True),
        ("MORFOLOGIK_RULE_EN_US", "misspelling", False),
        ("HUNSPELL_RULE", "misspelling", False),
        ("GERMAN_SPELLER_RULE", "misspelling", False),
        ("DOUBLE_PUNCTUATION", "typographical", False),
        ("WHITESPACE_RULE", "whitespace", False),
        ("TOO_LONG_SENTENCE", "style", False),
        ("INFORMAL", "register", False),
        ("EN_GB_SIMPLE_REPLACE", "locale-violation", False),
        ("DATE_SPACING", "formatting", False),
    ],
)
def test_every_rule_counts_but_the_spellers_and_those_of_other_types(rule: str, issue: str, counts: bool) -> None:
    assert GrammarMatch(rule, "MISC", issue, 0, 1).is_grammar is counts


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("silent", "did not answer within 0.5 s, twice in a row: it is switched off for this job"),
        ("deaf", "did not answer within 0.5 s, twice in a row: it is switched off for this job"),
        ("broken", "answered with an error"),
        ("limited", "limit of requests"),
    ],
)
def test_a_checker_that_is_of_no_use_costs_seconds_and_leaves_unverified(how: str, why: str) -> None:
    limit = 0.5 if "0.5" in why else 20.0
    with languagetool(how) as server:  # which would hold it for ten minutes
        found, agent = made(server, reply(FINE), start=limit)
    assert found.checks["verdict"] == "unverified" and why in found.checks["unverified_why"]
    assert found.text == FINE and len(agent.history) == 1 and found.checks["is_checked"] is False


def test_a_check_that_is_too_slow_is_asked_for_once_more() -> None:
    with languagetool("once") as server:
        assert [match.rule for match in Checker(server, 20.0, 4.0).check("Who did wrote it?", "en")]


def test_after_two_misses_in_a_row_it_is_off_for_the_job() -> None:
    with languagetool("slow") as server:
        looking = Checker(server, 20.0, 0.5)
        for _ in range(3):
            with pytest.raises(Unverified, match=r"within 0.5 s, twice in a row: it is switched off for this job"):
                looking.check("Which play?", "en")
    assert looking.is_off
    with pytest.raises(Unverified, match="off for this job"):
        looking.check("谁？", "zh")  # nobody is asked: the server has ended


def test_the_first_check_of_each_language_is_waited_for_in_words() -> None:
    said: list[str] = []
    with languagetool() as server:
        looking = Checker(server, 20.0, 10.0)
        for language in ("en", "en", "zh", "zh"):
            looking.check("a", language, said.append)
    assert said == [
        f"Waiting for the first check of {code} by LanguageTool, which may take 20 s" for code in ("en-US", "zh-CN")
    ]


def test_a_server_that_refuses_connections_may_still_be_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    address = nobody()
    port = int(address.rpartition(":")[2])
    began: list[Any] = []
    fetch = checker._fetch

    def fetch_and_start(*asked: Any) -> Any:
        try:
            return fetch(*asked)
        except OSError:
            if not began:
                began.append(start_at(port))
            raise

    monkeypatch.setattr(checker, "_fetch", fetch_and_start)
    try:
        assert Checker(address, 60.0, 10.0).check("Who did wrote it?", "en")
    finally:
        for process in began:
            process.kill()
            process.wait()
    assert began


@pytest.mark.parametrize("server", ["", NONE, "refused", "http://127.0.0.1:1/x"])
def test_without_a_checker_the_variant_is_made_and_unverified(server: str) -> None:
    found, _ = made(nobody() if server == "refused" else server, reply(GOOD), start=1.0)
    assert (found.text, found.checks["verdict"], found.checks["verifier"]) == (GOOD, "unverified", None)
    assert found.checks["unverified_why"].endswith(".") and found.checks["is_checked"] is False


def test_what_is_no_server_is_one_sentence() -> None:
    with pytest.raises(BenchError, match=r"'ftp://127.0.0.1' is not the address of a LanguageTool server: give one"):
        made("ftp://127.0.0.1", reply(GOOD))


def test_a_package_that_is_not_installed_leaves_unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "language_tool_python", None)
    with languagetool() as server:
        found, _ = made(server, reply(GOOD))
    assert (found.text, found.checks["verdict"]) == (GOOD, "unverified")
    assert found.checks["unverified_why"].startswith("LanguageTool cannot be used: ")


def test_chinese_is_looked_at_by_servers_that_know_it_and_unverified_by_others() -> None:
    asked = item("云栖湖的水文站是哪一年建成的？", "zh")
    text = reply("云栖湖的水文站被是哪一年建成的？")
    said: list[str] = []
    with languagetool() as server:
        assert made(server, text, of=asked, said=said)[0].checks["verdict"] == "verified"
    assert "next to nothing in Chinese" in said[0] and "first check of zh-CN" in said[1]
    with languagetool("english") as server:
        found = made(server, text, of=asked)[0].checks
    assert found["verdict"] == "unverified" and found["unverified_why"].endswith("does not know zh-CN.")


def test_a_chinese_error_that_is_not_found_is_not_asked_for_again() -> None:
    with languagetool() as server:
        found, agent = made(server, reply("云栖湖的水文站是哪一年建成了的？"), of=item("云栖湖的水文站是哪一年建成的？", "zh"))
    assert len(agent.history) == 1 and "found no new grammatical error in 1 attempt." in found.checks["unverified_why"]


@pytest.mark.parametrize(
    "bad",
    [QUESTION, QUESTION.lower(), "Sure! Which play did they performed?", "Which play?\nAnswer: none", "It was The Mill?"],
)
def test_the_question_itself_a_preamble_several_lines_or_the_answer_are_refused(bad: str) -> None:
    with pytest.raises(VariationFailed, match="does not hold together"):
        made("", *[reply(bad)] * 3)


def test_an_agents_own_no_is_the_reason() -> None:
    no: dict[str, Any] = {"faulty": "", "error": "", "none": "It has no sentence."}
    with pytest.raises(VariationFailed, match="scripted says that it cannot be done: It has no sentence"):
        made("", json.dumps(no))


def test_it_is_a_perturbation_that_asks() -> None:
    assert perturbations()["grammar"].prompt == "vary/grammar"


@pytest.mark.parametrize(
    ("said", "opinion"),
    [
        ('{"has_error": 1, "error": "did performed"}', {"has_error": 1, "error": "did performed"}),
        ('{"has_error": 0, "error": ""}', {"has_error": 0, "error": ""}),
        ("I do not know", {"has_error": None, "error": ""}),
    ],
)
def test_a_judge_says_whether_there_is_an_error_and_which_apart_from_the_verdict(said: str, opinion: dict[str, Any]) -> None:
    agent, judge = ScriptedAgent([reply(GOOD)]), ScriptedAgent([said] * 3)
    voice = VariationAgent(agent.ask, "scripted", judge=VariationAgent(judge.ask, "critic"))
    with languagetool() as server, grammar.PERTURBATION.make({**SETTINGS, "server": server}) as maker:
        found = asyncio.run(maker(item(), 0, voice))
    kept = found.checks["judge"]
    assert found.checks["verdict"] == "verified" and kept["agent"] == "critic"
    assert kept["prompt"].startswith("judge/grammar.en@") and {name: kept[name] for name in opinion} == opinion
    assert judge.history[0].inputs["question"] == GOOD and ("why" in kept) == (opinion["has_error"] is None)


def test_what_no_checker_has_looked_at_is_looked_at_later_without_asking_the_agent() -> None:
    agent, judge = ScriptedAgent([reply(GOOD)]), ScriptedAgent(['{"has_error": 1, "error": "verb"}'])
    voice = VariationAgent(agent.ask, "scripted")
    with grammar.PERTURBATION.make({**SETTINGS, "server": NONE}) as maker:
        before = asyncio.run(maker(item(), 0, voice))
    with languagetool() as server, grammar.PERTURBATION.make({**SETTINGS, "server": server}) as maker:
        assert isinstance(maker, VariantChecker)
        judged = replace(voice, judge=VariationAgent(judge.ask, "critic"))
        after = asyncio.run(maker.check_again(item(), before.text, before.checks, judged))
        again = asyncio.run(maker.check_again(item(), before.text, after, judged))
    assert (before.checks["verdict"], after["verdict"], after["judge"]["has_error"]) == ("unverified", "verified", 1)
    assert "unverified_why" not in after and again == after and (len(agent.history), len(judge.history)) == (1, 1)
