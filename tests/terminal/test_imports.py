"""A verb imports what it does: what stands on the way to `--help` and `items` is counted in modules, not in seconds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEVER = {"pandas", "openai", "jieba", "streamlit", "sklearn", "scipy", "torch", "nltk", "pydantic", "bm25s", "sacrebleu"}


def imported(*words: str) -> set[str]:
    """The modules that are loaded when that command line is over."""
    code = (
        "import json, sys, cli\n"
        f"try: cli.main({list(words)!r})\n"
        "except SystemExit: pass\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_help_imports_neither_the_store_nor_a_stage() -> None:
    found = imported("--help")
    assert not {"duckdb", "numpy", "asyncio", *NEVER} & found
    assert {name.split(".")[0] for name in found} & {"workbench", "store", "builders", "eval", "prompts", "jobs"} == set()


@pytest.mark.parametrize("verb", [("items",), ("jobs",), ("tables",)])
def test_a_verb_that_lists_imports_no_stage_that_drafts_runs_or_draws(verb: tuple[str, ...]) -> None:
    found = imported(*verb, "--workspace", ":memory:", "--json")
    assert not NEVER & found
    apart = (
        "workbench.evaluate.running.runs",
        "workbench.build.gating.gating",
        "eval.systems.",
        "eval.metrics.",
        "eval.papers.presets.",
        "agents.offline.english.drafter",
    )
    assert [name for name in sorted(found) if name.startswith(apart)] == []


def test_the_list_of_items_imports_neither_a_desk_nor_what_builds_items() -> None:
    found = imported("items", "--workspace", ":memory:", "--json")
    apart = (
        "builders",
        "agents.offline",
        "core.readers",
        "core.tables",
        "workbench.build",
        "workbench.annotate.desk.desk",
        "workbench.annotate.reviewing.reviews",
    )
    assert (
        "workbench.annotate.reviewing.item_list" in found and [name for name in sorted(found) if name.startswith(apart)] == []
    )


def test_scores_that_need_no_model_import_none(tmp_path: Path) -> None:
    file = tmp_path / "predictions.jsonl"
    file.write_text('{"id": "a", "prediction": "Marta Quill", "answers": ["Marta Quill"]}\n', encoding="utf-8")
    found = imported("score", str(file), "--metrics", "exact_match,token_f1,rouge_l", "--json")
    assert "workbench.evaluate.scoring.scores" in found
    assert not ({"transformers", "sentence_transformers", *NEVER} & found)
