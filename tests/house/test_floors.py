"""Imports go down the house, never up; heavy libraries wait until they are used; plug-in folders hold what they promise."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOORS = {
    "core": {"core"},
    "agents": {"agents", "core"},
    "store": {"store", "agents", "core"},
    "prompts": {"prompts", "core"},
    "builders": {"builders", "prompts", "agents", "core"},
    "eval": {"eval", "prompts", "agents", "core"},
    "workbench": {"workbench", "builders", "eval", "store", "prompts", "agents", "core"},
    "jobs": {"jobs", "workbench", "store", "core"},
    "terminal": {"terminal", "jobs", "workbench", "agents", "core"},
    "cli": {"cli", "terminal", "jobs", "workbench", "core"},
    "pages": {"pages", "jobs", "workbench", "agents", "core"},
    "serving": {"serving", "terminal", "jobs", "workbench", "core"},
    "app": {"app", "serving", "pages", "jobs", "workbench", "core"},
    "benchwright": {
        *("benchwright", "cli", "terminal", "jobs", "workbench"),
        *("builders", "eval", "store", "agents", "core"),
    },
}
"""What each of our packages and modules may import of ours."""

ROOMS = {
    "core": ". text wording readers statistics quality retrieval functions tables spans",
    "store": ". engine corpus drafting jobs ledger queue items controls variants reviews people releases runs formats",
    "builders": (
        ". variation gates near_duplicates drafting absence counterfactual parallel splitting templates providers llm_gates "
        "injected_errors languagetool perturbations tasks"
    ),
    "eval": (
        ". figures reports environments running retrievers workflows scoring systems metrics shortcuts half_life robustness "
        "absence counterfactual conversations crosslingual tiny exporting sending papers"
    ),
    "workbench": (
        ". setup/access setup build build/corpus build/drafting annotate annotate/desk annotate/queue annotate/controls "
        "annotate/reviewing annotate/finding annotate/wordings build/gating release/frozen release release/boards "
        "release/pairs release/hub build/templates build/trials build/varying launchers upkeep evaluate evaluate/scoring "
        "evaluate/running evaluate/shards evaluate/shortcuts evaluate/half_life evaluate/results evaluate/grading "
        "evaluate/traces evaluate/sweeps home annotate/progress"
    ),
}
"""The rooms of a floor, each above those that stand before it; "." is the floor's own folder."""

DOORS = {"workbench/__init__.py", "workbench/workbench.py", "workbench/current_workbench.py", "workbench/plug_ins.py"}
"""Modules that collect what every room of their floor has."""

HEAVY = {
    "torch",
    "transformers",
    "sentence_transformers",
    "scipy",
    "sklearn",
    "nltk",
    "nlpaug",
    "language_tool_python",
    "bm25s",
    "rouge_score",
    "datasketch",
    "trafilatura",
    "jieba",
    "sacrebleu",
    "openai",
    "docx",
    "pypdfium2",
    "streamlit",
    "pandas",
    "lancedb",
    "psycopg",
    "qdrant_client",
    "ray",
    "tantivy",
    "mcp",
    "mlflow",
    "opentelemetry",
}


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


def test_imports_go_down() -> None:
    wrong = []
    for path in modules():
        floor = path.relative_to(ROOT).parts[0].removesuffix(".py")
        up = imported(path) & set(FLOORS) - FLOORS[floor]
        wrong += [f"{path.relative_to(ROOT)} imports {sorted(up)}"] if up else []
    assert not wrong, f"{wrong}: move the thing, or hand it in"


def room(path: Path) -> str:
    """The room of a module within its floor, as ROOMS names it."""
    floor, *folders = path.relative_to(ROOT).parts[:-1]
    depth = 2 if floor == "workbench" else 1
    return "/".join(folders[:depth]) or "."


@pytest.mark.parametrize("floor", ROOMS)
def test_imports_between_rooms_go_down(floor: str) -> None:
    order = ROOMS[floor].split()
    paths = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}
    wrong = []
    for path in paths.values():
        name = str(path.relative_to(ROOT))
        if not name.startswith(f"{floor}/") or name in DOORS:
            continue
        assert room(path) in order, f"{name} stands in a room that ROOMS does not name"
        for other in imported_modules(path):
            if other.startswith(f"{floor}.") and other in paths and order.index(room(paths[other])) > order.index(room(path)):
                wrong.append(f"{name} imports {other}")
    assert not wrong, f"{wrong}: move the thing, or hand it in"


MODULES_IN_A_FOLDER = 22
CATALOGS = {
    "eval/metrics",
    "eval/papers/presets",
    "eval/systems",
    "store/formats",
    "agents/offline/english",
    "agents/offline/chinese",
}
"""Folders of a file a thing, and the offline agent's rules."""


def test_no_folder_is_a_heap() -> None:
    folders = Counter(str(path.parent.relative_to(ROOT)) for path in [*modules(), *(ROOT / "tests").rglob("*.py")])
    heaps = {folder: count for folder, count in folders.items() if count > MODULES_IN_A_FOLDER and folder not in CATALOGS}
    assert not heaps, f"{heaps}: each of them is two ideas"


def test_a_public_class_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    doubled = {name: found for name, found in places.items() if len(found) > 1}
    assert not doubled, f"{doubled}: a reader who searches for one finds the other"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """As they are loaded: whichever of them comes first must find the others whole."""
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}
    left = {name: {one for one in loaded(path) if one in named} for name, path in named.items()}
    while free := {name for name, wanted in left.items() if not wanted & left.keys()}:
        left = {name: wanted for name, wanted in left.items() if name not in free}
    assert not left, f"a circle among {sorted(left)}: move what two of them share, or hand it in"


def imported_modules(path: Path) -> set[str]:
    """Full names of all modules that a file imports, those inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


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
