"""Pages as a person meets them, without a browser: AppTest on a workspace of the samples."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import jobs
import tests.package_components  # noqa: F401
import workbench
from workbench import Workbench
from workbench.setup.sign_in_session import SignInSession, encode_session
from workbench.setup.sign_in_settings import load_sign_in_sources

ROOT = Path(__file__).parents[2]
Show = Callable[..., AppTest]


@pytest.fixture
def empty_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves an empty workspace."""
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    yield workbench.open_workbench()
    jobs.stop(workbench.open_workbench())
    workbench.close_workbench()


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a copy of the sample workspace."""
    shutil.copy(samples, tmp_path / "w.duckdb")
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    yield workbench.open_workbench()
    jobs.stop(workbench.open_workbench())
    workbench.close_workbench()


@pytest.fixture
def show() -> Show:
    """show("annotate/review", item="...") runs a page inside the app's frame with those query parameters, as Ada, who is signed
    in where people sign in."""

    def run(page: str, person: str = "Ada", **query: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        at.session_state["person_name"] = person
        if sources := load_sign_in_sources():
            last_end = workbench.open_workbench().accounts.find_not_before(person)
            session = SignInSession(person, person, sources[0], time.time(), last_end)
            at.session_state["sign_in_session"] = encode_session(session)
        for name, value in query.items():
            at.query_params[name] = value
        if page != "home/board":
            at.switch_page(f"pages/{page}.py")
        at.run()
        assert not at.exception, (page, at.exception)
        return at

    return run
