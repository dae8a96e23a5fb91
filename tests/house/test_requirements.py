"""What the product imports is declared in requirements.txt, and what is declared is imported."""

import re
import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import packages_distributions

import pytest

from tests.house.test_floors import FLOORS, ROOT, imported, modules

NOT_DECLARED = {
    "IPython": "a notebook has it; a report that is shown elsewhere is printed",
    "lancedb": "an extra of the package, for a retriever on a search engine (docs/how-to/engines.md)",
    "mlflow": "an extra of the package, which runs are sent to (docs/how-to/traces.md)",
    "opentelemetry": "as mlflow",
    "psycopg": "as lancedb",
    "qdrant_client": "as lancedb",
    "ray": "an extra of the package, for a launcher of shards (docs/how-to/cluster.md)",
    "tantivy": "as lancedb",
    "pythainlp": "installed by those who add a row for Thai; its words are single characters without it",
    "sudachipy": "installed by those who want Japanese cut into words; single characters are its words without it",
    "pytrec_eval": "a peer of the tests; the conformance page leaves out metrics whose peer is missing",
    "rouge_score": "as pytrec_eval",
}
NOT_IMPORTED = {
    "authlib": "Streamlit signs people in by OpenID Connect with it",
    "lxml-html-clean": "trafilatura needs it, see requirements.txt",
    "pillow": "pypdfium2 hands out a page's picture as one of its images",
}
OTHER_DISTRIBUTION = {"pydantic-monty-client": "pydantic-monty"}
"""Distribution that holds the module -> the declared one that installs it."""


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {normalized(line.split("==")[0]) for line in lines if line and not line.startswith("#")}


def distributions_of_imports() -> dict[str, set[str]]:
    """Module that the product imports, inside functions too -> the distributions that hold it."""
    of_module = packages_distributions()
    names = set().union(*(imported(path) for path in modules())) - set(sys.stdlib_module_names) - set(FLOORS)
    holders = {name: {normalized(distribution) for distribution in of_module.get(name, ())} for name in names}
    return {name: {OTHER_DISTRIBUTION.get(holder, holder) for holder in found} for name, found in holders.items()}


def test_what_is_imported_is_declared() -> None:
    undeclared = {name for name, holders in distributions_of_imports().items() if not holders & declared()}
    assert undeclared == set(NOT_DECLARED), f"{undeclared ^ set(NOT_DECLARED)}: declare it in requirements.txt"


def test_what_is_declared_is_imported() -> None:
    unused = declared() - set().union(*distributions_of_imports().values())
    assert unused == set(NOT_IMPORTED), f"{unused ^ set(NOT_IMPORTED)}: take it out of requirements.txt"


def test_extras_are_pinned_as_what_the_tests_and_the_product_install() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    files = (ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt")
    installed = {line for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    assert {line for lines in extras.values() for line in lines} <= installed


def test_pytest_enters_every_folder_with_tests(pytestconfig: pytest.Config) -> None:
    """Its own list of folders to leave out names every "build", and a folder that it leaves out fails nobody's run."""
    patterns = pytestconfig.getini("norecursedirs")
    folders = {part for path in (ROOT / "tests").rglob("test_*.py") for part in path.relative_to(ROOT / "tests").parts[:-1]}
    assert {"build", "browser"} <= folders
    assert not [folder for folder in folders for pattern in patterns if fnmatch(folder, pattern)]
