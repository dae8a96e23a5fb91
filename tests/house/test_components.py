"""The committed bundles of pages/components are what their sources build to, byte for byte; no folder of theirs is a heap."""

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.house.test_floors import MODULES_IN_A_FOLDER

ROOT = Path(__file__).parents[2]
COMPONENTS = ROOT / "pages" / "components"


@pytest.mark.skipif(
    not (shutil.which("node") and (ROOT / "node_modules").is_dir()), reason="needs node and what `make check` installs for it"
)
def test_bundles_are_built_from_the_sources() -> None:
    check = subprocess.run(
        ["node", "pages/components/build.mjs", "--check"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert check.returncode == 0, check.stderr


def test_every_component_has_its_bundle() -> None:
    folders = {html.parent.name for html in COMPONENTS.glob("*/*.html")}
    assert folders
    for ending in ("js", "css"):
        assert {bundle.stem for bundle in (COMPONENTS / "built").glob(f"*.{ending}")} == folders


def test_no_folder_of_scripts_is_a_heap() -> None:
    scripts = Counter(script.parent for script in COMPONENTS.rglob("*.js") if script.parent.name != "built")
    assert max(scripts.values()) <= MODULES_IN_A_FOLDER
