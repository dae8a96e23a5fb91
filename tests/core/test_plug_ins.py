"""Plug-ins of other packages: what declares an entry point is found, and what cannot be used is left out with a sentence."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import catalog
from core.catalog import find_module, list_plug_in_troubles
from core.installation import VERSION
from eval.metric import metrics
from tests.conftest import Bench
from workbench.setup.doctor_check import DoctorCheck
from workbench.upkeep.installation_check import check, check_plug_ins

METRIC = """'''constant: the same value for every answer.'''
from eval.metric import Metric
METRIC = Metric(score=lambda case: {"": 0.25})
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """install("package", {"NAME": "MODULE:OBJECT"}, module="its text", requires="benchwright>=1") puts a package with metrics
    on the path."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def add(package: str, entries: dict[str, str], requires: str = "", **modules: str) -> None:
        for name, text in modules.items():
            (site / f"{name}.py").write_text(text, encoding="utf-8")
        info = site / f"{package}-1.0.dist-info"
        info.mkdir()
        needs = f"Requires-Dist: {requires}\n" if requires else ""
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n{needs}", encoding="utf-8")
        lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[benchwright.metrics]\n{lines}", encoding="utf-8")

    monkeypatch.setattr(catalog, "_troubles", [])
    monkeypatch.setattr(catalog, "_modules", dict(catalog._modules))
    catalog._read_folder.cache_clear()
    yield add
    monkeypatch.undo()
    catalog._read_folder.cache_clear()


def test_a_constant_or_a_module_is_a_plug_in(install: Install, bw: Bench, tmp_path: Path) -> None:
    ours = list(metrics())
    catalog._read_folder.cache_clear()
    entries = {"steady": "plug_in_steady:METRIC", "calm": "plug_in_steady"}
    install("steady-metrics", entries, requires="benchwright<1,>=0.1.0.dev0", plug_in_steady=METRIC)
    assert list(metrics()) == [*ours, "calm", "steady"], "ours come first"
    assert (find_module("eval.metrics", "steady").__doc__ or "").startswith("constant: ")
    (tmp_path / "p.jsonl").write_text('{"id": "a", "prediction": "x", "answers": ["y"]}\n', encoding="utf-8")
    assert bw("score", tmp_path / "p.jsonl", "--metrics", "steady,calm").json["metrics"]["steady"]["mean"] == 0.25
    assert list_plug_in_troubles() == ()


def expect_trouble(sentence: str) -> None:
    """The package `bad` is left out with that sentence, and the package `good` works."""
    assert "good" in metrics() and "token_f1" in metrics()
    [trouble] = list_plug_in_troubles()
    assert trouble == sentence


@pytest.fixture
def good(install: Install) -> None:
    install("good-metrics", {"good": "plug_in_good:METRIC"}, plug_in_good=METRIC)


@pytest.mark.usefixtures("good")
@pytest.mark.fault(58)
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("raise RuntimeError('no licence\\nfile')", "RuntimeError: no licence"),
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("def (", "SyntaxError: invalid syntax (plug_in_bad.py, line 1)"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("", "AttributeError: module 'plug_in_bad' has no attribute 'METRIC'"),
    ],
)
def test_a_plug_in_that_raises_at_import_is_left_out(
    install: Install, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    import sys

    monkeypatch.delitem(sys.modules, "plug_in_bad", raising=False)
    install("bad-metrics", {"bad": "plug_in_bad:METRIC"}, plug_in_bad=text)
    expect_trouble(f"The plug-in bad (benchwright.metrics) of the package bad-metrics is left out: importing it raised {why}.")


@pytest.mark.usefixtures("good")
@pytest.mark.fault(58)
@pytest.mark.parametrize("name", ["token_f1", "good"])
def test_a_plug_in_that_bears_a_taken_name_is_left_out(install: Install, name: str) -> None:
    ours = metrics()["token_f1"]
    catalog._read_folder.cache_clear()
    install("later-metrics", {name: "plug_in_later:METRIC"}, plug_in_later=METRIC.replace("0.25", "0.5"))
    expect_trouble(
        f"The plug-in {name} (benchwright.metrics) of the package later-metrics is left out: that name is taken: rename its "
        "entry point."
    )
    assert metrics()["token_f1"] is ours


@pytest.mark.usefixtures("good")
@pytest.mark.fault(58)
def test_a_plug_in_of_another_version_is_left_out(install: Install) -> None:
    install("old-metrics", {"old": "plug_in_old:METRIC"}, requires="Benchwright (<0.0.9)", plug_in_old="raise SystemExit")
    expect_trouble(
        "The plug-in old (benchwright.metrics) of the package old-metrics is left out: it requires Benchwright<0.0.9 but this "
        f"is version {VERSION}: install a version that fits."
    )


@pytest.mark.usefixtures("good")
@pytest.mark.fault(58)
def test_a_plug_in_that_holds_something_else_is_left_out(install: Install) -> None:
    install("odd-metrics", {"odd": "plug_in_odd:METRIC"}, plug_in_odd="METRIC = 'token_f1'")
    expect_trouble(
        "The plug-in odd (benchwright.metrics) of the package odd-metrics is left out: plug_in_odd:METRIC holds no Metric: "
        "point the entry point to one, or to a module with METRIC."
    )


@pytest.mark.usefixtures("good")
@pytest.mark.fault(58)
def test_a_plug_in_with_a_name_that_no_command_can_say_is_left_out(install: Install) -> None:
    install("loud-metrics", {"Very-Loud": "plug_in_loud:METRIC"}, plug_in_loud=METRIC)
    expect_trouble(
        "The plug-in Very-Loud (benchwright.metrics) of the package loud-metrics is left out: its name must consist of "
        "small letters, digits and underscores: rename its entry point."
    )


@pytest.mark.usefixtures("good")
@pytest.mark.fault(58)
def test_each_trouble_is_told_once_and_the_doctor_names_it(install: Install, caplog: pytest.LogCaptureFixture) -> None:
    install("odd-metrics", {"odd": "plug_in_none:METRIC"}, plug_in_none="METRIC = None")
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            catalog._read_folder.cache_clear()
            metrics()
    told = [record.getMessage() for record in caplog.records if "odd-metrics" in record.getMessage()]
    assert len(told) == 1
    assert check("plug-ins", check_plug_ins) == DoctorCheck("plug-ins", False, told[0])
