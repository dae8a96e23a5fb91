"""Nobody outside agents/ asks for an agent by its name to decide what to do: its declaration says what it can."""

import ast
from collections.abc import Iterator
from pathlib import Path

from agents.kind import kinds
from tests.house.test_floors import ROOT, modules

OTHER = {
    "eval/systems/endpoint.py": "form",
    "workbench/evaluate/running/run_estimate.py": "request.system",
    "workbench/evaluate/scoring/scores.py": "params['system']",
    "pages/parts/release/export.py": "",
    "workbench/home/demo.py": "",
    "workbench/home/demo_page.py": "",
}
"""Where such a word names something else (a form of request, a system, a format, a section of the demo), and what is compared;
empty = the keys of a mapping."""


def named(node: ast.AST) -> set[str]:
    """The words of a node that are agents' names, also in front of a colon."""
    words = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return {word for word in words if word.partition(":")[0] in kinds()}


def decided(path: Path) -> Iterator[str]:
    """Comparisons with an agent's name, and mappings whose keys are all agents' names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare) and named(node):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            if any(named(one) for one in node.args):
                yield ast.unparse(node)
        elif isinstance(node, ast.Dict) and len(node.keys) > 1 and all(key is not None and named(key) for key in node.keys):
            yield ast.unparse(node)


def test_no_name_of_an_agent_decides() -> None:
    wrong = []
    for path in modules():
        name = str(path.relative_to(ROOT))
        other = OTHER.get(name)
        if not name.startswith("agents/"):
            wrong += [f"{name}: {one}" for one in decided(path) if other is None or other not in one]
    assert not wrong, (
        f"{wrong}: ask the kind's declaration (agents/kind.py); where the word names something else, such as a system or a "
        "setting, give the kind another name, or add the file to OTHER"
    )
