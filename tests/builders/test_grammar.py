"""Grammar errors: an agent puts them in, LanguageTool says whether they are there; a verifier that is silent, slow, broken, or
not there leaves "unverified" in plain sight and never holds the work up."""

import ast
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.perturbations import grammar
from builders.perturbations.grammar import REGENERATIONS, Verifier
from builders.variation.perturbation import PerturbedText, VariationAgent, VariationFailed, perturbations
from core.nouns import Item
from tests.languagetool_server import languagetool, nobody

ROOT = Path(__file__).parents[2]
QUESTION = "Which play did the Lantern Players perform first in Port Ellery?"
GOOD = "Which play did the Lantern Players performed first in Port Ellery, did performed it?"
FINE = "Which play did the Lantern Players perform at first in Port Ellery?"


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


def made(server: str, *replies: str, of: Item | None = None) -> tuple[PerturbedText, ScriptedAgent]:
    agent = ScriptedAgent(list(replies))
    with grammar.PERTURBATION.make({"server": server, "temperature": 0.7}) as maker:
        return asyncio.run(maker(of or item(), 0, VariationAgent(agent.ask, "scripted"))), agent


def test_the_package_is_imported_in_one_file_alone() -> None:
    def imports(path: Path) -> bool:
        text = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(text))) if "language_tool_python" in text else []
        names = [a.name for node in nodes if isinstance(node, ast.Import) for a in node.names]
        names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        return any(name.split(".")[0] == "language_tool_python" for name in names)

    folders = [path for path in ROOT.iterdir() if path.is_dir() and path.name != "tests" and not path.name.startswith(".")]
    ours = [*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    assert [str(path.relative_to(ROOT)) for path in ours if imports(path)] == ["builders/perturbations/grammar.py"]
    assert "GPL-3.0" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_an_error_that_is_found_is_verified_with_rule_offset_verifier_and_version() -> None:
    with languagetool() as server:
        found, _ = made(server, reply(GOOD))
    assert found.text == GOOD and found.generator == "scripted"
    assert found.checks["verdict"] == "verified" and found.checks["attempts"] == 1
    assert found.checks["rules"] == [
        {"rule": "DID_BASEFORM", "category": "GRAMMAR", "issue": "grammar", "offset": GOOD.index("did performed"), "length": 13}
    ]
    assert found.checks["verifier"].startswith("LanguageTool (language-tool-python 3.")
    assert found.checks["verifier_version"] == "6.8-stub" and "unverified_why" not in found.checks


def test_what_is_not_found_is_asked_for_again_with_the_texts_that_were_not_enough() -> None:
    with languagetool() as server:
        found, agent = made(server, reply(FINE), reply(GOOD))
    assert (found.checks["verdict"], found.checks["attempts"]) == ("verified", 2)
    assert FINE in agent.history[1].inputs["reason"] and agent.history[0].inputs["reason"] == ""


def test_after_three_regenerations_it_stays_unverified_and_says_so() -> None:
    texts = [f"{FINE[:-1]} {n}?" for n in range(REGENERATIONS + 1)]
    with languagetool() as server:
        found, agent = made(server, *map(reply, texts))
    assert len(agent.history) == 4 and found.text == texts[-1]
    assert found.checks["verdict"] == "unverified" and "found no new error of grammar in 4" in found.checks["unverified_why"]


def test_a_rule_that_fires_on_the_original_and_misspelt_names_prove_nothing() -> None:
    question = "Which play did acted first, and did the Players of Port Ellery like it?"
    with languagetool() as server:
        found, agent = made(server, *[reply(f"Which play did acted a evening {n}?") for n in range(4)], of=item(question))
    assert found.checks["verdict"] == "unverified" and len(agent.history) == 4


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("silent", "did not say within 3 s"),
        ("deaf", "did not look at a letter within 3 s"),
        ("broken", "answered with an error"),
        ("limited", "limit of requests"),
    ],
)
def test_a_verifier_that_is_of_no_use_costs_seconds_and_leaves_unverified(how: str, why: str) -> None:
    with languagetool(how) as server:  # which would hold it for ten minutes
        found, agent = made(server, reply(FINE))
    assert found.checks["verdict"] == "unverified" and why in found.checks["unverified_why"]
    assert found.text == FINE and len(agent.history) == 1


def test_after_one_time_out_it_is_off_for_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "CHECK", 1.0)
    with languagetool("slow") as server:
        verifier = Verifier(server)
        for _ in range(3):
            with pytest.raises(grammar.Unverified, match="off for this job"):
                verifier.look("Which play?", "en")
    for _ in range(2):
        with pytest.raises(grammar.Unverified, match="off for this job"):
            verifier.look("谁？", "zh")  # nobody is asked: the server has ended


@pytest.mark.parametrize("server", ["", "refused", "ftp://127.0.0.1", "http://127.0.0.1:1/x"])
def test_without_a_verifier_the_variant_is_made_and_unverified(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    found, _ = made(nobody() if server == "refused" else server, reply(GOOD))
    assert (found.text, found.checks["verdict"], found.checks["verifier"]) == (GOOD, "unverified", None)
    assert found.checks["unverified_why"].endswith(".") and list(tmp_path.iterdir()) == []


def test_a_package_that_is_not_installed_leaves_unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "language_tool_python", None)
    with languagetool() as server:
        found, _ = made(server, reply(GOOD))
    assert (found.text, found.checks["verdict"]) == (GOOD, "unverified")
    assert found.checks["unverified_why"].startswith("LanguageTool cannot be used: ")


def test_chinese_is_looked_at_by_servers_that_know_it_and_unverified_by_others() -> None:
    asked = item("云栖湖的水文站是哪一年建成的？", "zh")
    text = reply("云栖湖的水文站被是哪一年建成的？")
    with languagetool() as server:
        assert made(server, text, of=asked)[0].checks["verdict"] == "verified"
    with languagetool("english") as server:
        found = made(server, text, of=asked)[0].checks
    assert found["verdict"] == "unverified" and found["unverified_why"].endswith("does not know zh-CN.")


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
