"""A kind of agent is one file: dropped into agents/kinds/ it is named in the help, made by name and checked like the others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import agents.kinds
from agents.kind import full_names, kinds, needs_no_model
from agents.naming import build, checked
from core import catalog
from core.errors import BenchError

PARROT = """
from agents.kind import AgentKind, AgentOrder, AgentSetting
from agents.scripted.scripted import ScriptedAgent


def make(order: AgentOrder) -> ScriptedAgent:
    return ScriptedAgent([order.what] * order.values.get("times", 1), f"parrot:{order.what}")


KIND = AgentKind(
    label="Says it again",
    make=make,
    takes="WORD",
    takes_label="Word",
    settings=(AgentSetting("times", "Times", "once", is_whole=True),),
)
"""


@pytest.fixture
def parrot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "parrot.py").write_text(PARROT, encoding="utf-8")
    monkeypatch.setattr(agents.kinds, "__path__", [*agents.kinds.__path__, str(tmp_path)])
    catalog._read_folder.cache_clear()
    yield
    monkeypatch.undo()
    catalog._read_folder.cache_clear()


@pytest.mark.usefixtures("parrot")
def test_a_kind_is_added_by_a_file() -> None:
    assert "parrot:WORD" in full_names()
    assert build("parrot:hello", {"times": 2}, {}, [], None).name == "parrot:hello"
    with pytest.raises(BenchError, match="setting times is 0: write a whole number above 0"):
        checked("parrot:hello", {"times": 0})
    with pytest.raises(BenchError, match="there are: times"):
        checked("parrot:hello", {"temperature": 1})


def test_a_stored_name_tells_whether_a_model_was_needed() -> None:
    assert needs_no_model("offline")
    assert not any(map(needs_no_model, ("openai:m", "recorded", "saved-agent", "", None)))
    assert all(kind.about for kind in kinds().values() if not kind.takes), "a card says what it does"
