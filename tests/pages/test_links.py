"""A page leads to another view of itself by a button that sets the address: a page link to the page itself throws the reader
back at the next press of a widget."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.pages.conftest import ROOT

PAGES = ROOT / "pages"
ELSEWHERE = {"pages/parts/annotate/progress/targets_view.py"}
"""Parts whose link to the page of their folder is drawn on another page: the board shows the targets in brief."""


def own_page(part: Path) -> str:
    """The page that a part, or the page itself, is drawn on: pages/parts/build/vary/*.py belong to pages/build/vary.py."""
    inside = part.relative_to(PAGES).parts
    return f"pages/{inside[1]}/{inside[2]}.py" if inside[0] == "parts" and len(inside) > 3 else f"pages/{'/'.join(inside)}"


def linked_pages(part: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(part.read_text(encoding="utf-8"))):
        name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in ("page_link", "draw_link"):
            pages = [str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)]
            yield from (f"pages/{page}.py" if name == "draw_link" else page for page in pages)


def test_no_page_links_to_itself() -> None:
    found = {part: list(linked_pages(part)) for part in PAGES.rglob("*.py")}
    assert sum(map(len, found.values())) > 30
    to_itself = {part.relative_to(ROOT).as_posix() for part, pages in found.items() if own_page(part) in pages}
    assert to_itself == ELSEWHERE
