"""Imports go down the house, never up; heavy libraries wait until they are used; plug-in folders hold what they promise."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = {
    "core": {"core"},
    "store": {"store", "core"},
    "prompts": {"prompts", "core"},
    "builders": {"builders", "prompts", "core"},
    "eval": {"eval", "prompts", "core"},
    "workbench": {"workbench", "builders", "eval", "store", "prompts", "core"},
    "jobs": {"jobs", "workbench", "store", "core"},
    "terminal": {"terminal", "jobs", "workbench", "core"},
    "cli": {"cli", "terminal", "jobs", "workbench", "core"},
    "pages": {"pages", "jobs", "workbench", "core"},
    "serving": {"serving", "terminal", "jobs", "workbench", "core"},
    "app": {"app", "serving", "pages", "jobs", "workbench", "core"},
}
"""What each of our packages and modules may import of ours."""

HEAVY = {
    "torch", "transformers", "sentence_transformers", "scipy", "sklearn", "nltk", "nlpaug", "language_tool_python", "bm25s",
    "rouge_score", "datasketch", "trafilatura", "jieba", "sacrebleu", "openai", "docx", "pypdfium2", "streamlit", "pandas",
}  # fmt: skip


def modules() -> list[Path]:
    """Every Python file of ours outside tests."""
    found = [ROOT / f"{name}.py" for name in FLOORS] + [p for name in FLOORS for p in sorted((ROOT / name).rglob("*.py"))]
    return [path for path in found if path.exists() and "shipped" not in path.parts]


def imported(path: Path) -> set[str]:
    """First names of all modules that a file imports, those inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_down(path: Path) -> None:
    floor = path.relative_to(ROOT).parts[0].removesuffix(".py")
    ours = imported(path) & set(FLOORS)
    assert ours <= FLOORS[floor], f"{path.name} imports {sorted(ours - FLOORS[floor])}: move the thing, or hand it in"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """As they are loaded: whichever of them comes first must find the others whole."""
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}
    left = {name: {one for one in loaded(path) if one in named} for name, path in named.items()}
    while free := {name for name, wanted in left.items() if not wanted & left.keys()}:
        left = {name: wanted for name, wanted in left.items() if name not in free}
    assert not left, f"a circle among {sorted(left)}: move what two of them share, or hand it in"


def loaded(path: Path) -> set[str]:
    """Full names of the modules that a file imports when it is loaded, and of what it takes from packages."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_eval_is_never_imported_as_a_name() -> None:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(a.name == "eval" or a.name.startswith("eval.") for a in node.names), path


def test_heavy_libraries_are_imported_where_they_are_used() -> None:
    names = [".".join(p.relative_to(ROOT).with_suffix("").parts) for p in modules()]
    names = [n.removesuffix(".__init__") for n in names if not n.startswith(("pages", "app", "serving"))]
    code = (
        f"import importlib, json, sys\nfor n in {names!r}: importlib.import_module(n)\nprint(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert HEAVY & {m.split(".")[0] for m in json.loads(done.stdout)} == set()
