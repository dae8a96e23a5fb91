"""Variants as a job: every item in every kind ends made, refused with a sentence, or there already; a budget stops it, a kill
loses nothing, and nothing is paid twice by the server's own count."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from psutil import Process

import jobs
from builders.languagetool.server import HERE, NONE
from builders.variation.guards import NOT_MEASURED, guards
from core.errors import BenchError
from core.nouns import Item
from store.items import items
from store.jobs import jobs as stored_jobs
from store.variants import variants
from store.variants.variant_pages import ANY_FLAG, NO_FLAG, VariantFilter
from tests.app_server import Serve
from tests.as_process import terminal
from tests.conftest import Bench
from tests.languagetool_server import languagetool, real_server, stand_in
from tests.openai_server import Running, running
from tests.waiting import until
from workbench import Workbench
from workbench.build.varying import variant_factory
from workbench.build.varying.variant_factory import VariantFactory
from workbench.build.varying.varying import VaryRequest

ROOT = Path(__file__).parents[2]
QUIET = {"embedding_model": "none"}
PRICES = {"agent.price_in": 100.0, "agent.price_out": 1000.0, "agent.concurrency": 2}
ALL = ("declarative", "formality", "grammar", "imperative", "keyboard", "ocr", "readability", "spelling")
QUESTIONS = {
    "en": (
        "Who believes that the first director founded the theatre?",
        "Which brother of the mayor received the letter?",
        "Where was the oldest bridge of the town destroyed?",
    ),
    "zh": ("谁认为这位导演创办了剧院，后来又做了什么？", "那座桥是在哪一年建成的，由谁负责？"),
}


def stock(bench: Workbench, *more: Item) -> None:
    """Five accepted items in two languages, and a draft."""
    made = [
        Item(f"{language}{n}", "explicit_factoid", question, ("nobody",), (), 1, "arts", language, status="accepted")
        for language, questions in QUESTIONS.items()
        for n, question in enumerate(questions)
    ]
    items.add(bench.database, [*made, Item("draft", "explicit_factoid", "Is it so?", ("yes",), (), 1, "law", "en"), *more])


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        stock(bench)
        yield bench
        jobs.stop(bench)


@pytest.fixture
def server(server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    return server


def done(bench: Workbench, **wanted: Any) -> dict[str, Any]:
    """The job's result with what it told."""
    given = VaryRequest(**{"settings": QUIET, **wanted})
    job = bench.vary.plan(given)
    result = jobs.start(bench).submit(job).result()
    return {"job": job, **result, **bench.vary.list_made(job)._asdict()}


def test_every_item_in_every_kind_ends_made_or_refused_with_a_sentence(bench: Workbench) -> None:
    found = done(bench, kinds=ALL, agent="offline")
    assert (found["asked"], found["n_made"], found["n_refused"], found["stopped"]) == (40, 38, 2, None)
    assert {(one.item, one.kind) for one in found["refused"]} == {("zh0", "keyboard"), ("zh1", "keyboard")}
    assert found["refused"][0].message.startswith("Keyboard is not available for zh: ")
    assert Counter(one.kind for one in found["made"]) == Counter(dict.fromkeys(ALL, 5) | {"keyboard": 3})
    for one in found["made"]:
        original = items.get(bench.database, one.item)
        assert one.text != original.question and (one.status, one.seed) == ("drafted", 0)
        assert {"edit", "words_ratio", "flags", "questions", "same_as"} <= one.checks.keys()
        by_agent = one.kind not in ("keyboard", "ocr", "spelling")
        assert one.generator == "offline" if by_agent else one.generator.startswith(("nlpaug 1.", "benchwright's"))
        assert by_agent == ("prompt" in one.checks) == (one.checks.get("offline") is True)
    assert all(one.checks["verdict"] == "unverified" for one in found["made"] if one.kind == "grammar")


def test_the_same_again_is_there_already_and_another_seed_or_setting_is_another_variant(bench: Workbench) -> None:
    first = done(bench, kinds=("spelling", "formality"), agent="offline")
    again = done(bench, kinds=("spelling", "formality"), agent="offline")
    assert again["made"] == again["refused"] == [] and again["job"] != first["job"]
    assert set(again["already"]) == {one.id for one in first["made"]} and again["calls"] == 0
    other = done(bench, kinds=("spelling",), seed=1)
    assert other["n_made"] + other["n_already"] == 5 and other["n_made"] > 3
    paper = done(bench, kinds=("spelling",), settings={**QUIET, "spelling.mode": "paper"})
    assert {one.item for one in paper["refused"]} == {"zh0", "zh1"} and paper["n_made"] == 3


def test_which_items_are_meant_by_task_domain_status_and_release(bench: Workbench) -> None:
    def meant(**wanted: Any) -> int:
        return sum(bench.vary.count_languages(VaryRequest(kinds=(), **wanted)).values())

    bench.releases.freeze("v1")
    assert (meant(), meant(status=None), meant(domain="law"), meant(domain="law", status="drafted")) == (5, 6, 0, 1)
    assert (meant(task="explicit_factoid"), meant(task="summary"), meant(release="v1")) == (5, 0, 5)
    items.add(bench.database, [Item("new", "explicit_factoid", "Who left?", ("Maud",), (), 1, "arts", "en", status="accepted")])
    assert (meant(), meant(release="v1")) == (6, 5)
    assert bench.vary.count_languages(VaryRequest(kinds=())) == {"en": 4, "zh": 2}


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"kinds": ()}, "No kind is chosen"),
        ({"kinds": ("slang",)}, "No kind named 'slang'; there are: declarative"),
        ({"kinds": ("formality",)}, "formality asks an agent"),
        ({"kinds": ("ocr",), "task": "summary"}, "No item with status"),
        ({"kinds": ("ocr",), "settings": {"mode": "wild"}}, "The setting ocr.mode is 'wild': give protected or paper"),
        ({"kinds": ("ocr",), "settings": {"keyboard.mode": "paper"}}, "has no setting 'keyboard.mode'"),
        ({"kinds": ("ocr",), "settings": {"embedding_model": "lexical_vectors"}}, "compares letters, not meaning"),
        ({"kinds": ("ocr",), "settings": {"embedding_model": "/nowhere"}}, "No embedding model '/nowhere'"),
        ({"kinds": ("ocr",), "release": "v9"}, "v9"),
        ({"kinds": ("formality",), "agent": "openai:m", "budget": 1.0}, "needs prices"),
        ({"kinds": ("formality",), "agent": "offline", "settings": {"temperature": "hot"}}, "give a number"),
        ({"kinds": ("grammar",), "agent": "offline", "settings": {"grammar.start": 0}}, "give a number above 0"),
        (
            {"kinds": ("grammar",), "agent": "offline", "settings": {"grammar.server": "ftp://x"}},
            "is not the address of a LanguageTool server",
        ),
        ({"kinds": ("grammar",), "agent": "offline", "settings": {"judge.temperature": 0.1}}, "belongs to a --judge"),
    ],
)
def test_what_cannot_be_made_is_one_sentence(bench: Workbench, wanted: dict[str, Any], why: str) -> None:
    with pytest.raises(BenchError, match=why):
        bench.vary.plan(VaryRequest(**{"settings": QUIET, **wanted}))
    assert stored_jobs.list_jobs(bench.database) == []


def test_odd_questions_end_in_a_sentence_each_and_stop_nothing(bench: Workbench) -> None:
    odd = {"empty": " ", "one": "Harbour?", "emoji": "🙂🙂", "long": " ".join(["their brother should believe"] * 500)}
    items.add(
        bench.database,
        [Item(name, "explicit_factoid", words, ("x",), (), 1, "odd", "en", status="accepted") for name, words in odd.items()],
    )
    found = done(bench, kinds=ALL, agent="offline", domain="odd")
    made, refused = Counter(one.item for one in found["made"]), Counter(one.item for one in found["refused"])
    assert (made["empty"], refused["empty"], made["emoji"], refused["emoji"]) == (0, 8, 0, 8)
    assert made["one"] + refused["one"] == 8 and made["long"] == 8
    assert all(one.message.endswith(".") and "\n" not in one.message for one in found["refused"])


def test_each_variant_is_a_call_in_the_ledger_and_none_is_paid_twice(bench: Workbench, server: Running) -> None:
    wanted = {"kinds": ("declarative", "formality", "readability"), "agent": "openai:m", "settings": {**QUIET, **PRICES}}
    found = done(bench, **wanted)
    assert (found["n_made"], found["calls"], server.count()["requests"]) == (15, 15, 15) and found["cost_usd"] > 0
    for one in found["made"]:
        assert len(one.checks["calls"]) == 1 and bench.agents.ledger.get(one.checks["calls"][0]).completion is not None
    again = done(bench, **wanted)
    assert (again["n_already"], server.count()["requests"]) == (15, 15)


def test_a_reply_that_is_no_wording_of_its_own_is_asked_for_again_and_refused_in_the_end(
    bench: Workbench, server: Running
) -> None:
    bad = ["Sure! " + QUESTIONS["en"][0], QUESTIONS["en"][0], "It was nobody?"]
    server.script([{"requests": [n, n], "fault": "text", "text": f'{{"casual": "{text}"}}'} for n, text in enumerate(bad, 1)])
    found = done(bench, kinds=("formality",), agent="openai:m", domain="arts", settings={**QUIET, "agent.concurrency": 1})
    [refused] = found["refused"]
    assert refused.item == "en0" and "it gives away the answer (nobody)" in refused.message and found["n_made"] == 4


def test_a_budget_stops_it_at_the_cap_and_it_goes_on_from_there(bench: Workbench, server: Running) -> None:
    wanted = {"kinds": ("formality", "spelling"), "agent": "openai:m", "settings": {**QUIET, **PRICES}}
    first = done(bench, budget=0.6, **wanted)
    assert first["stopped"] == "budget" and first["cost_usd"] <= 0.6 and first["n_made"] >= 5
    asked = server.count()["requests"]
    last = done(bench, budget=100.0, **wanted)
    assert (last["job"], last["stopped"], last["n_made"]) == (first["job"], None, 10)
    assert server.count()["requests"] == 5 and asked < 5


def test_an_endpoint_that_refuses_the_key_stops_it_with_its_sentence(bench: Workbench, server: Running) -> None:
    server.script([{"fault": "status", "status": 401}])
    found = done(bench, kinds=("formality",), agent="openai:m")
    assert found["stopped"] == "endpoint" and found["n_made"] == 0 and "Stopped (endpoint)" in found["message"]


def test_grammar_is_looked_at_by_the_workspaces_server_which_may_be_changed_for_a_job(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="begins with http"):
        bench.grammar_checker.choose("localhost:8081")
    assert bench.grammar_checker.find_server() == NONE
    with languagetool() as server:
        bench.grammar_checker.choose(f" {server}/ ")
        assert bench.grammar_checker.find_server() == server
        found = done(bench, kinds=("grammar",), agent="offline", domain="arts")
        assert {one.checks["verifier_version"] for one in found["made"]} == {"6.8-stub"}
        assert {one.checks["verdict"] for one in found["made"]} == {"verified", "unverified"}
        assert "not looked at" not in found["message"]
    settings = {**QUIET, "grammar.start": 1.0}
    gone = done(bench, kinds=("grammar",), agent="offline", seed=2, settings=settings)
    assert {one.checks["verdict"] for one in gone["made"]} == {"unverified"}
    why = f"No LanguageTool answers at {server}: Connection refused."
    said = "variants were not checked by LanguageTool and are flagged as unverified"
    assert gone["message"].endswith(f"{gone['n_made']} {said}: {why}")


def test_what_was_not_looked_at_is_looked_at_when_the_same_is_asked_for_again(bench: Workbench) -> None:
    before = done(bench, kinds=("grammar",), agent="offline", settings={**QUIET, "grammar.server": NONE})
    assert "5 variants were not checked by LanguageTool and are flagged as unverified: No grammar checker" in before["message"]
    with languagetool() as server:
        bench.grammar_checker.choose(server)
        after = done(bench, kinds=("grammar",), agent="offline")
    assert (before["n_made"], after["n_already"], after["calls"]) == (5, 5, 0) and "not looked at" not in after["message"]
    stored = variants.list_variants(bench.database, "grammar")
    assert {one.id for one in stored} == set(after["already"]) and all(one.checks["is_checked"] for one in stored)
    flagged = {one.checks["verdict"]: "unverified" in one.checks["flags"] for one in stored}
    assert flagged == {"verified": False, "unverified": True}


def test_a_judges_opinion_is_a_call_of_its_own_on_the_same_budget(bench: Workbench, server: Running) -> None:
    opinion = '{"has_error": 1, "error": "the verb"}'
    server.script([{"from": 1, "fault": "text", "text": opinion}])
    judge = {"grammar.judge": "openai:j", "judge.price_in": 100.0, "judge.price_out": 1000.0}
    found = done(bench, kinds=("grammar",), agent="offline", budget=10.0, settings={**QUIET, **judge})
    opinions = [one.checks["judge"] for one in found["made"]]
    assert [(one["agent"], one["has_error"], one["error"]) for one in opinions] == [("openai:j", 1, "the verb")] * 5
    assert {one.checks["verdict"] for one in found["made"]} == {"unverified"}
    assert (server.count()["requests"], found["calls"]) == (5, 10) and found["cost_usd"] > 0
    with pytest.raises(BenchError, match="offline has no LLM and cannot judge grammar"):
        bench.vary.plan(VaryRequest(kinds=("grammar",), agent="offline", settings={"grammar.judge": "offline"}))


@pytest.mark.parametrize("way", ["child", "server"])
def test_the_whole_way_with_a_real_languagetool(bench: Workbench, server: Running, real_languagetool: Path, way: str) -> None:
    items.add(
        bench.database,
        [
            Item(
                "real",
                "explicit_factoid",
                "Who wrote the letter to the council?",
                ("Maud",),
                (),
                1,
                "real",
                "en",
                status="accepted",
            )
        ],
    )
    replies = ("Who wrote the letter for the council?", "Who did wrote the letter to the council?")
    texts = [f'{{"faulty": "{text}", "error": "verb form"}}' for text in replies]
    server.script([{"requests": [n, n], "fault": "text", "text": text} for n, text in enumerate(texts, 1)])
    said: list[str] = []
    with real_server(real_languagetool) if way == "server" else nullcontext(HERE) as address:
        bench.grammar_checker.choose(address)
        settings = {**QUIET, "grammar.start": 300.0}
        job = bench.vary.plan(VaryRequest(kinds=("grammar",), agent="openai:m", domain="real", settings=settings))
        message = jobs.start(bench).submit(job, said.append).result()["message"]
        bench.grammar_checker.choose(NONE)  # which ends the child
    [made] = bench.vary.list_made(job).made
    assert (made.text, made.checks["verdict"], made.checks["attempts"]) == (replies[1], "verified", 2)
    assert (
        made.checks["verifier_version"] == "6.8" and made.checks["rules"] and message == "1 made, 0 refused, 0 already there."
    )
    assert said[0] == "Waiting for the first check of en-US by LanguageTool, which may take 300 s"


@pytest.mark.parametrize("kind", ["stand-in", "real"])
def test_languagetool_ends_with_the_app_that_is_killed(
    request: pytest.FixtureRequest, serve: Serve, tmp_path: Path, kind: str
) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        stock(bench)
    real = kind == "real"
    files = {"LTP_PATH": str(request.getfixturevalue("real_languagetool"))} if real else stand_in(tmp_path / "lt")
    app = serve(tmp_path / "w.duckdb", env=files)
    words = ("vary", "--kinds", "grammar", "--agent", "offline", "--set", "grammar.server=here", "--set", "grammar.start=300")
    said = terminal(*words, "--set", "embedding_model=none", "--workspace", tmp_path / "w.duckdb", cwd=tmp_path)
    assert said.returncode == 0 and "5 made" in said.stdout and "not looked at" not in said.stdout, said.stderr
    children = [one for one in Process(app.process.pid).children(recursive=True) if "run_until_eof.py" in str(one.cmdline())]
    languagetools = [one for child in children for one in (child, *child.children())]
    assert len(languagetools) == 2
    app.kill()
    until(lambda: not any(one.is_running() for one in languagetools))


def test_likeness_in_meaning_is_measured_by_the_model_and_named(bench: Workbench) -> None:
    found = done(bench, kinds=("spelling",), settings={})
    by_language = {one.item[:2]: one.checks for one in found["made"]}
    assert 0.2 < by_language["en"]["similarity"] < 1 and by_language["en"]["similarity_model"] == "minilm"
    assert by_language["zh"]["similarity"] is None
    assert by_language["zh"]["similarity_why"] == "not available for zh with this model (minilm)"


def test_the_guards_model_is_loaded_while_variants_are_made(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    is_loading, is_made, seen = Event(), Event(), []
    make = VariantFactory._make

    def load(model: str, languages: dict[str, int]) -> None:
        is_loading.set()
        seen.append((model, dict(languages), is_made.wait(60)))

    async def one(factory: VariantFactory, *given: Any) -> Any:
        seen.append(is_loading.wait(60))
        outcome = await make(factory, *given)
        is_made.set()
        return outcome

    monkeypatch.setattr(variant_factory, "load_model", load)
    monkeypatch.setattr(variant_factory, "guards", lambda given, model, limits: guards(given, NOT_MEASURED, limits))
    monkeypatch.setattr(VariantFactory, "_make", one)
    assert done(bench, kinds=("spelling",), settings={})["n_made"] == 5
    assert seen[0] is True and ("minilm", {"en": 3, "zh": 2}, True) in seen


def test_a_preview_shows_three_items_and_stores_nothing(bench: Workbench, server: Running) -> None:
    wanted = VaryRequest(kinds=("spelling", "formality"), agent="openai:m", settings=QUIET)
    rows = None
    while rows is None:
        rows = bench.vary.preview(wanted, "turn").value
    assert [(row.item, row.kind) for row in rows] == [
        (item, kind) for item in ("en0", "en1", "en2") for kind in ("spelling", "formality")
    ]
    assert all(row.text and row.checks["edit"] > 0 for row in rows)
    assert variants.list_variants(bench.database) == [] and stored_jobs.list_jobs(bench.database) == []
    done(bench, kinds=("spelling", "formality"), agent="openai:m")
    assert server.count()["requests"] == 5  # what the preview paid is not paid again


def test_an_estimate_asks_nobody_and_counts_the_calls(bench: Workbench, server: Running) -> None:
    bench.grammar_checker.choose("http://127.0.0.1:9")
    wanted = VaryRequest(kinds=("spelling", "grammar"), agent="openai:m", settings={**QUIET, **PRICES})
    found = None
    while found is None:
        found = bench.vary.estimate(wanted, "turn").value
    assert (found.variants, found.least.calls, round(found.most.calls)) == (10, 5, 14) and server.count()["requests"] == 0
    assert 0 < found.least.price < found.most.price
    assert "next to nothing in Chinese" in " ".join(found.notes)
    judged = replace(wanted, settings={**wanted.settings, "grammar.judge": "openai:j"})
    while (found := bench.vary.estimate(judged, "turn").value) is None:
        pass
    assert (found.least.calls, round(found.most.calls)) == (10, 19)


def test_variants_are_shown_by_kind_and_flag_beside_the_words_they_were_made_of(bench: Workbench) -> None:
    found = done(bench, kinds=("grammar", "spelling"), agent="offline")
    every = bench.vary.page(VariantFilter(), 1)
    assert every.total == 10 and every.kinds == {"grammar": 5, "spelling": 5} and every.flags["unverified"] == 5
    assert {row.variant.id for row in every.rows} == {one.id for one in found["made"]}
    assert every.rows[0].question == items.get(bench.database, every.rows[0].variant.item).question
    grammar = bench.vary.page(VariantFilter(kind="grammar", flag="unverified"), 1)
    assert grammar.total == 5 and {row.variant.kind for row in grammar.rows} == {"grammar"}
    either = [bench.vary.page(VariantFilter(flag=flag), 1).total for flag in (ANY_FLAG, NO_FLAG)]
    assert sum(either) == 10 and either[0] >= 5
    assert bench.vary.page(VariantFilter(kind="nothing'; DROP TABLE variant"), 1).total == 0


def test_the_command_prints_what_was_made_and_refused(bw: Bench, tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        stock(bench)
    said = bw("vary", "--kinds", "spelling, keyboard", "--seed", 3, "--set", "embedding_model=none")
    assert said.code == 0 and len(said.json["made"]) == 8
    assert {tuple(one) for one in said.json["refused"]} == {("item", "kind", "message")}
    assert {"id", "item", "revision", "kind", "text", "status", "generator", "seed", "checks"} == set(said.json["made"][0])
    assert said.json["made"][0]["seed"] == 3 and "10 of 10 variants" in said.err
    plain = bw("vary", "--kinds", "spelling", "--set", "embedding_model=none", "--status", "drafted", json_too=False)
    assert plain.out == "1 made, 0 refused, 0 already there.\n"
    assert "asks an agent: name one with --agent" in bw("vary", "--kinds", "grammar").sentence


@pytest.mark.slow
@pytest.mark.fault(34)
def test_a_job_that_is_killed_goes_on_and_pays_nothing_twice(tmp_path: Path) -> None:
    more = [
        Item(
            f"n{n}",
            "explicit_factoid",
            f"Who believes that brother {n} received the letter?",
            ("nobody",),
            (),
            1,
            "many",
            "en",
            status="accepted",
        )
        for n in range(40)
    ]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        stock(bench, *more)
    with running() as server:
        line = [
            sys.executable,
            str(ROOT / "cli.py"),
            "vary",
            "--kinds",
            "formality,spelling",
            "--agent",
            "openai:m",
            "--set",
            "agent.concurrency=4",
            "--set",
            "embedding_model=none",
            "--workspace",
            str(tmp_path / "w.duckdb"),
            "--json",
        ]
        environment = os.environ | {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        for n in range(3):
            server.script([{"from": 12 * n + 9, "fault": "hold"}])  # the job is at work until it is killed
            with subprocess.Popen(
                line, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            ) as child:
                assert child.stderr is not None
                child.stderr.readline()
                until(lambda n=n: server.count()["requests"] >= 12 * (n + 1))
                child.send_signal(signal.SIGKILL)
        server.script([])
        ended = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
        assert '"n_made": 90' in ended.stdout
        asked = server.count()["requests"]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        found = variants.list_variants(bench.database)
        assert len(found) == len({(one.item, one.kind) for one in found}) == 90
        assert asked <= 45 + 3 * 4  # calls in flight at a kill were not answered, and are asked again
