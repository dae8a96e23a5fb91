"""The demo tells the truth: every reply it shows is recorded, the gates catch the planted flaws and nothing else, and each
figure says how many questions it stands on. A miss names the prompt and its inputs: record a reply for them with
agents.recorded.recorded.make_recording and put the line into samples/recorded/."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.recorded.recorded import RecordedAgent
from core.as_json import as_json
from store.items import items
from terminal.local_session import LocalSession
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from workbench import Workbench
from workbench.home import demo as played
from workbench.home.demo_page import WIDTH, DemoResult, clip, count_columns, render_page, wrap
from workbench.setup.doctor_check import PromptCheck

pytestmark = pytest.mark.slow
RECORDED = ("draft_tech", "draft_science", "doctor", "run_vanilla")


@pytest.fixture(scope="module")
def misses() -> Iterator[list[str]]:
    """What the recorded agent was asked and had no reply to."""
    found: list[str] = []
    ask = RecordedAgent.ask

    async def noting(self: RecordedAgent, *request: Any) -> Any:
        before = len(self.misses)
        try:
            return await ask(self, *request)
        finally:
            for miss in self.misses[before:]:
                found.append(f"{miss['prompt']}: " + "; ".join(f"{n} = {text[-400:]!r}" for n, text in miss["inputs"].items()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RecordedAgent, "ask", noting)
        yield found


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench.open(tmp_path_factory.mktemp("demo") / "demo.duckdb") as made:
        yield made


@pytest.fixture(scope="module")
def shown(bench: Workbench, misses: list[str]) -> DemoResult:
    """The demo without the one retriever whose model takes long to load."""
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(played, "RETRIEVERS", {k: v for k, v in played.RETRIEVERS.items() if k != "dense minilm"})
        return played.demo(bench, lambda job: LocalSession().finish(bench, job), said.append)


def drafts(shown: DemoResult, agent: str) -> list[dict[str, Any]]:
    return list(shown.drafts[agent])


def test_every_reply_of_the_demo_is_recorded(shown: DemoResult, misses: list[str]) -> None:
    assert misses == []
    assert [one["message"] for one in drafts(shown, "recorded") if one["failed"] or one["unreadable"]] == []
    assert shown.answers["failed"] == 0


def test_the_doctor_finds_a_recorded_reply_to_every_prompt(bench: Workbench, shown: DemoResult, misses: list[str]) -> None:
    checks = [
        c for c in bench.upkeep.doctor(agent="recorded", settings={}, say=lambda _: None).checks if isinstance(c, PromptCheck)
    ]
    assert misses == [] and [c for c in checks if not c.ok] == []
    assert {c.name.rpartition(".")[2] for c in checks} == {"en", "zh"} and len(checks) >= 22
    assert next(c.message for c in checks if c.name == "judge/containment.en").endswith(": 0")


def test_no_recording_is_left_unused_by_a_name_that_nobody_reads() -> None:
    files = sorted(path.stem for path in (Path(__file__).parents[2] / "samples" / "recorded").iterdir())
    assert files == sorted(RECORDED)


def test_each_level_is_drafted_in_both_languages(shown: DemoResult) -> None:
    made = {(one["level"], item["language"]) for one in drafts(shown, "recorded") for item in one["items"]}
    assert made == {(level, language) for level in (1, 2, 3, 4) for language in ("en", "zh")}
    assert [one["drafted"] for one in drafts(shown, "recorded")] == [2, 2, 2, 2, 1, 1, 1, 1]


def test_the_gates_catch_the_planted_flaws_and_no_others(shown: DemoResult, bench: Workbench) -> None:
    """A wrong figure, a named referent, cut JSON, and a window with nothing worth asking."""
    turned_down = [item for one in drafts(shown, "recorded") for item in one["turned_down"]]
    found = {
        (i["level"], v["gate"], v["outcome"])
        for i in turned_down
        for v in i["verdicts"]
        if v["outcome"] != "pass" and v["gate"] != "level"  # it measures, and finds no flaw
    }
    assert found == {(1, "evidence", "refuse"), (1, "figures", "flag"), (2, "referent", "refuse")}
    assert [item["answers"][0] for item in turned_down] == ["within 48 hours", "mussels"]
    kept = [item for one in drafts(shown, "recorded") for item in one["items"]]
    assert [
        (i["question"], v["why"]) for i in kept for v in i["verdicts"] if v["outcome"] != "pass" and v["gate"] != "level"
    ] == []
    assert [(one["level"], one["domain"]) for one in drafts(shown, "recorded") if one["none"]] == [(2, "science")]
    assert [(i["level"], i["domain"]) for i in kept if i["cut"]] == [(3, "tech")]
    assert all(bench.agents.ledger.get(call).attempts == 0 for item in kept for call in item["provenance"]["calls"])


def test_the_rag_check_tells_the_easy_drafts_from_the_hard(shown: DemoResult) -> None:
    judged: dict[int, list[int]] = {}
    for one in drafts(shown, "recorded"):
        for item in one["items"]:
            check = next(v["details"] for v in item["verdicts"] if v["gate"] == "rag_check")
            assert None not in (check["recall"], check["judge"], check["f1"]), item["question"]
            judged.setdefault(item["level"], []).append(check["judge"])
    assert min(judged[1] + judged[2]) == 9 and max(judged[3] + judged[4]) < 9


def test_retrieval_says_on_how_many_questions_it_stands_and_how_surely(shown: DemoResult) -> None:
    for run in shown.retrieval["runs"]:
        cells = {(cell["level"], cell["metric"]): cell for cell in run["levels"]}
        for level in (1, 2, 3, 4):
            for cut in (1, 5, 10):
                cell = cells[level, f"evidence_recall@{cut}"]
                assert cell["n"] == 10 and 0 <= cell["low"] <= cell["mean"] <= cell["high"] <= 1
        assert {cell["n"] for cell in run["overall"]} == {40}
    assert all(one["n"] == 40 for one in shown.retrieval["comparisons"])


def test_what_the_offline_agent_drafted_carries_its_mark(shown: DemoResult, bench: Workbench) -> None:
    made = [item for one in drafts(shown, "offline") for item in one["items"]]
    assert made and {item["provenance"]["agent"] for item in made} == {"offline"}
    released = {item.id for item in items.list_items(bench.database, status="accepted")}
    assert len(released) == 40 + 12 + 8 + 16 and not released & {item["id"] for item in made}


def test_a_workflow_asks_the_frozen_tables_and_its_limits_are_shown(shown: DemoResult, bench: Workbench) -> None:
    run = shown.tables
    assert [(cell["level"], cell["n"], cell["mean"]) for cell in run["levels"]] == [("KS", 4, 1), ("KU", 4, 1), ("KA", 4, 0)]
    one = run["shown"]
    assert run["offline"] == ["answer"] and one["answer"] == one["gold"] and one["stop"] == "finished"
    assert {table["name"] for table in run["tables"]} == {"persons", "publications", "coauthors", "interests"}
    assert bench.releases.verify(played.TABLES_RELEASE).ok


def test_the_page_names_the_agents_fits_its_columns_and_ends_with_the_next_step(shown: DemoResult) -> None:
    text = render_page(shown, "demo.duckdb")
    lines = text.splitlines()
    assert max(map(count_columns, lines)) <= WIDTH and len(lines) <= 132
    assert "recorded, no call made" in text and "offline, no LLM" in text and "No LLM is involved" in text
    assert [line for line in lines if line.startswith("   L")] != []
    assert all(("[recorded]" in line) != ("[offline]" in line) for line in lines if line.startswith("   L"))
    assert "items --status drafted --workspace demo.duckdb" in text and lines[-1].startswith("   draft ")


def test_a_contested_answer_is_scored_again_and_nobody_is_asked(shown: DemoResult) -> None:
    made = shown.erratum
    (run,) = made["rescored"]["runs"]
    assert (run["rescored"], run["ask_again"], made["rescored"]["calls"]) == ([played.CONTESTED_ITEM], [], 0)
    (move,) = made["moves"]["in_accuracy"]
    assert move["n_before"] == move["n_after"] == run["copied"] + 1
    assert f"(n={move['n_after']}) after" in shown.text


def test_a_submission_is_scored_on_the_sealed_board_and_the_opened_seal_holds(shown: DemoResult) -> None:
    made = shown.board
    assert made["items"] == 20 and made["verified"] == {"sealed": True, "opened": True} and made["opened"]
    (line,) = made["submissions"]
    assert line["scores"]["token_f1"]["n"] == line["counts"]["answered"] == 20 and made["entries"] == 4
    assert made["commitment"] in shown.text and "sealed: ok and opened: ok" in shown.text


def test_answers_of_a_year_ago_are_checked_by_a_newer_table(shown: DemoResult) -> None:
    made = shown.half_life
    counts = made["outcomes"]
    assert counts["changed"] and made["changed"]["before"] != made["changed"]["after"]
    group = made["group"]
    assert group["n"] == counts["unchanged"] + counts["changed"] + counts["gone"]
    assert group["changed"] == counts["changed"] + counts["gone"]
    assert f"n={group['n']}; at a tolerance of 10 %, refresh by {group['refresh']['date']}" in shown.text


def test_every_other_kind_of_release_and_score_is_in_the_workspace_and_on_the_page(shown: DemoResult, bench: Workbench) -> None:
    made = shown.further
    vital = next(cell for cell in made["nuggets"] if cell["metric"] == "nuggets.offline.vital_strict")
    assert vital["n"] and f"in the answers {vital['mean']:.2f}" in shown.text
    assert made["marks"]["questions"] and "Too few marks for an interval" in shown.text
    rates = {rate["shortcut"]: rate["rate"]["value"] for rate in made["shortcuts"] if rate["rate"]["n"]}
    assert rates["any"] >= rates["top_passage"] > 0 and f"at least one shortcut {rates['any']:.3f} (n=40)" in shown.text
    assert 0 < made["world"]["replaced"] < made["world"]["chosen"] and "gold answers replaced" in shown.text
    assert len(made["tiny"]["tiny"]["weights"]) == played.TINY_SIZE and made["tiny"]["held_out"]["pairs"]
    talks = {run["settings"]["history"]: run["rates"]["learnt"] for run in made["conversations"]}
    assert set(talks) == set(played.HISTORIES) and f"learnt in {talks['own']['n']} conversations" in shown.text
    right = made["languages"]["right"]
    assert sum(right.values()) == 8 and f"the same {sum(right.values())} questions answered right" in shown.text
    frozen = {header.name for header in bench.release_browser.list_releases()}
    assert {
        played.ALL_RELEASE,
        played.TINY_RELEASE,
        played.WORLD_RELEASE,
        played.TALKS_RELEASE,
        played.PAIRS_RELEASE,
    } <= frozen


def test_the_demo_prints_one_json_object_with_its_sections(shown: DemoResult) -> None:
    sections = {
        "documents",
        "release",
        "retrieval",
        "drafts",
        "answers",
        "tables",
        "absence",
        "erratum",
        "board",
        "half_life",
        "further",
        "text",
    }
    assert set(as_json(shown)) == sections
    compare_shapes(find_shown("docs/reference/json-shapes.md", "demo"), as_json(shown), "demo")
    json.dumps(as_json(shown), allow_nan=False)  # raises on NaN and on anything that is not valid JSON
    assert shown.release.items == 40 and len(shown.documents) == 8
    assert set(shown.drafts) == {"recorded", "offline"} and shown.answers["answered"] == played.ANSWERED_QUESTIONS


def test_a_workspace_is_named_as_one_would_type_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert played.shorten_path(tmp_path / "demo.duckdb") == "demo.duckdb"
    assert played.shorten_path(Path("/elsewhere/w.duckdb")) == "/elsewhere/w.duckdb" and played.shorten_path(None) == ""


def test_a_chinese_character_takes_two_columns() -> None:
    assert count_columns("潮位 ab") == 7
    assert clip("潮" * 10, most=9) == "潮潮潮潮…"
    assert list(wrap("潮" * 60, "  ")) == ["  " + "潮" * 59, "    潮"]
