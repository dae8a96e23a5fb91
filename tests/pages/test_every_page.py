"""Every page of the menu opens, on an empty workspace and on the samples."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.pages.conftest import ROOT, Show
from workbench import Workbench

PAGES = sorted(
    str(p.relative_to(ROOT / "pages").with_suffix(""))
    for p in Path(ROOT / "pages").glob("*/*.py")
    if p.parent.name not in ("parts", "components")
)
COMPUTING = ("torch", "transformers", "sentence_transformers", "scipy", "sklearn", "nltk", "trafilatura", "bm25s", "sacrebleu")


def test_every_page_opens_on_an_empty_workspace(empty_bench: Workbench, show: Show) -> None:
    assert [page for page in PAGES if not show(page).header] == []


def test_every_page_opens_on_the_samples(bench: Workbench, show: Show) -> None:
    assert [page for page in PAGES if not show(page).header] == []


def test_no_page_imports_what_only_computing_needs(samples: Path, tmp_path: Path) -> None:
    path = shutil.copy(samples, tmp_path / "w.duckdb")
    code = f"""
import json, sys
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("app.py", default_timeout=120)
at.session_state["person_name"] = "Ada"
at.run()
for page in {PAGES!r}:
    at.switch_page(f"pages/{{page}}.py").run()
    assert not at.exception, (page, at.exception)
print(json.dumps(sorted({{name.split(".")[0] for name in sys.modules}} & set({sorted(COMPUTING)!r}))))
import jobs, workbench
jobs.stop(workbench.open_workbench())
workbench.close_workbench()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"BENCHWRIGHT_WORKSPACE": str(path)},
    )
    assert json.loads(done.stdout) == []
