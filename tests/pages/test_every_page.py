"""Every page of the menu opens, on an empty workspace and on the samples."""

from pathlib import Path

import pytest

from tests.pages.conftest import ROOT, Show
from workbench import Workbench

PAGES = sorted(str(p.relative_to(ROOT / "pages").with_suffix("")) for p in Path(ROOT / "pages").glob("*/*.py")
               if p.parent.name != "parts")  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_page_opens_on_an_empty_workspace(page: str, empty_bench: Workbench, show: Show) -> None:
    assert show(page).header


@pytest.mark.parametrize("page", PAGES)
def test_page_opens_on_the_samples(page: str, bench: Workbench, show: Show) -> None:
    assert show(page).header
