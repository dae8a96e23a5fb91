"""Builds the package `benchwright`. The checkout has its modules and folders at the top level (`core`, `store`); the package
has them inside `benchwright`. The build therefore rewrites the import statements of the copied files, without changing their
line numbers. The dependencies are the lines of requirements.txt."""

import ast
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "benchwright"
MODULES = ("app", "cli", "jobs")
FOLDERS = ("agents", "builders", "core", "eval", "pages", "prompts", "serving", "store", "terminal", "workbench")
DATA = ("samples", ".streamlit/config.toml")
OURS = {*MODULES, *FOLDERS}
COMMIT_FILE = "commit.txt"
_SKIPPED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "*.duckdb*")
_FROM = re.compile(rb"from(?:\s|\\\r?\n)+")


def rewrite_imports(source: str, where: str) -> str:
    """Return the source with "benchwright." before the name of each imported module of this project. Raises ValueError for an
    import statement that would then bind another name."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    places: list[tuple[int, int, bytes]] = []
    for node in ast.walk(ast.parse(source, where)):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_ours(node.module or ""):
            found = _FROM.match(b"".join(lines[node.lineno - 1 :]), node.col_offset)
            if found is None or b"\n" in found[0]:
                raise ValueError(f"{where}:{node.lineno}: write `from` and the module on one line")
            places.append((node.lineno, found.end(), f"{PACKAGE}.".encode()))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if not _is_ours(alias.name):
                    continue
                if alias.asname is None and "." in alias.name:
                    raise ValueError(f"{where}:{node.lineno}: write `from ... import ...` instead of `import {alias.name}`")
                places.append((alias.lineno, alias.col_offset, f"{PACKAGE}.".encode()))
                if alias.asname is None:
                    end = (alias.end_lineno or alias.lineno, alias.end_col_offset or 0)
                    places.append((*end, f" as {alias.name}".encode()))
    for line, column, text in sorted(places, reverse=True):
        lines[line - 1] = lines[line - 1][:column] + text + lines[line - 1][column:]
    return b"".join(lines).decode()


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in OURS


def read_requirements(root: Path) -> list[str]:
    """Return the requirements of the package: the lines of requirements.txt without comments."""
    lines = (line.partition("#")[0].strip() for line in (root / "requirements.txt").read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def find_commit(root: Path) -> str:
    """Return the hash of the commit from which the checkout or the source distribution was made; "" if it is unknown."""
    written = root / COMMIT_FILE
    if written.exists():
        return written.read_text(encoding="utf-8").strip()
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 and (root / ".git").exists() else ""


def write_package(root: Path, target: Path) -> None:
    """Write the package to the new folder `target`."""
    shutil.copytree(root / PACKAGE, target, ignore=_SKIPPED)
    for name in FOLDERS:
        shutil.copytree(root / name, target / name, ignore=_SKIPPED)
    for name in MODULES:
        shutil.copy(root / f"{name}.py", target)
    for name in DATA:
        source = root / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target / name, ignore=_SKIPPED) if source.is_dir() else shutil.copy(source, target / name)
    for path in target.rglob("*.py"):
        if "shipped" not in path.parts:  # scripts that exports carry, without imports of ours
            text = path.read_text(encoding="utf-8")
            path.write_text(rewrite_imports(text, str(path.relative_to(target))), encoding="utf-8")
    (target / COMMIT_FILE).write_text(f"{find_commit(root)}\n", encoding="utf-8")


class CustomMetadataHook(MetadataHookInterface):
    """Sets the project's dependencies in its metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["dependencies"] = read_requirements(Path(self.root))


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the rewritten files to a wheel, and a file with the commit's hash to a source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self._folder = Path(tempfile.mkdtemp())
        if self.target_name == "wheel":
            write_package(Path(self.root), self._folder / PACKAGE)
            build_data["force_include"][str(self._folder / PACKAGE)] = PACKAGE
        else:
            (self._folder / COMMIT_FILE).write_text(f"{find_commit(Path(self.root))}\n", encoding="utf-8")
            build_data["force_include"][str(self._folder / COMMIT_FILE)] = COMMIT_FILE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            shutil.rmtree(self._folder)
