"""The example programs for LangChain, LlamaIndex and Haystack: each is a program of the system `program`, and answers a release
where its package is installed."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import Bench

FOLDER = Path(__file__).parents[3] / "docs" / "examples" / "systems"
PACKAGES = {"langchain_rag": "langchain_core", "llama_index_rag": "llama_index", "haystack_rag": "haystack"}


def test_there_is_a_program_for_each_package() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_program_compiles_and_has_its_function(name: str) -> None:
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    compile(tree, name, "exec")
    [function] = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert function.name == "answer" and [one.arg for one in function.args.args] == ["question", "retrieve", "ask"]
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.module}
    assert any(module.split(".")[0] == PACKAGES[name] for module in imported)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_program_answers_a_release(name: str, bw: Bench, world: dict[str, str]) -> None:
    if find_spec(PACKAGES[name]) is None:
        pytest.skip(f"{PACKAGES[name]} is not installed")
    words = ("--system", "program", "--set", f"program={FOLDER / name}.py", "--retriever", "bm25", "--agent", "offline")
    made = bw("run", "v1", *words, "--set", "processes=1", "--metrics", "token_f1").json
    assert (made["answered"], made["failed"]) == (2, 0), made
    for trace in bw("traces", made["run"]).json:
        assert trace["answer"] and trace["retrieved"] and trace["item"] in world.values()
