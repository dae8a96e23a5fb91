"""The units of deploy/systemd: systemd takes them, and what they start is what this checkout has."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import cli
from store.engine.database import Database
from store.items import items
from tests.app_server import ROOT
from workbench import Workbench

UNITS = ROOT / "deploy" / "systemd"
NAMES = ["benchwright@.service", "benchwright-backup@.service", "benchwright-backup@.timer"]
HOME = "/opt/benchwright"


def read_settings(name: str) -> dict[str, list[str]]:
    """Setting -> its values, without the sections."""
    found: dict[str, list[str]] = {}
    for line in (UNITS / name).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not on PATH: it checks the units of deploy/systemd")
    for name in NAMES:
        text = (UNITS / name).read_text()
        (tmp_path / name).write_text(text.replace(f"{HOME}/.venv", sys.prefix).replace(HOME, str(ROOT)))
    environment = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}
    for name in NAMES:
        done = subprocess.run(
            [analyze, "verify", tmp_path / name], capture_output=True, text=True, env=environment, check=False
        )
        ours = [line for line in done.stderr.splitlines() if "benchwright" in line]
        assert done.returncode == 0 and not ours, done.stderr


@pytest.mark.parametrize("name", NAMES[:2])
def test_services_run_as_nobody_special_and_write_where_the_workspace_and_its_copies_are(name: str) -> None:
    unit = read_settings(name)
    assert unit["User"] == ["benchwright"] and unit["WorkingDirectory"] == [HOME]
    assert unit["ProtectSystem"] == ["strict"] and unit["NoNewPrivileges"] == ["yes"] and unit["CapabilityBoundingSet"] == [""]
    assert unit["EnvironmentFile"] == ["/etc/benchwright/%i.env"] and unit["StateDirectory"] == ["benchwright"]
    assert unit["ReadWritePaths"][0].removeprefix("-") == "/var/backups/benchwright"
    example = (ROOT / "deploy" / "benchwright.env.example").read_text()
    assert re.search(r"^BENCHWRIGHT_WORKSPACE=/var/lib/benchwright/", example, flags=re.MULTILINE)


@pytest.mark.fault(35)
def test_the_app_has_the_tmp_of_the_machine_to_read_alone_and_its_own_for_temporary_files() -> None:
    """In a /tmp of the service's own, `cli.py backup /tmp/copy.duckdb` ends well, and the copy is gone at the next stop."""
    unit = read_settings(NAMES[0])
    assert unit.get("PrivateTmp", ["no"]) == ["no"] and unit["ProtectSystem"] == ["strict"]
    assert not any("tmp" in path for path in unit["ReadWritePaths"])
    assert unit["CacheDirectory"] == ["benchwright/%i"] and unit["Environment"] == ["TMPDIR=%C/benchwright/%i"]
    assert unit["ExecStartPre"] == ["/usr/bin/find %C/benchwright/%i -mindepth 1 -delete"], "what a kill has left"


def test_the_service_starts_what_make_app_starts() -> None:
    makefile = (ROOT / "Makefile").read_text()
    command = re.search(r"^app:.*\n\t@\$\(VENV\)/bin/(streamlit run app\.py)", makefile, flags=re.MULTILINE)
    assert command and read_settings(NAMES[0])["ExecStart"] == [f"{HOME}/.venv/bin/{command[1]}"]


def test_the_backup_service_makes_a_copy_that_opens(workspace: Path, tmp_path: Path) -> None:
    [start] = read_settings(NAMES[1])["ExecStart"]
    shell, option, script = shlex.split(start.replace("%i", "arts").replace("%%", "%").replace("$$", "$"))
    words = re.search(r"cli\.py (.+)", script)
    assert words
    cli.parser().parse_args(shlex.split(words[1]))
    here = script.replace(".venv/bin/python", sys.executable).replace("/var/backups", str(tmp_path))
    environment = {**os.environ, "BENCHWRIGHT_WORKSPACE": str(workspace)}
    done = subprocess.run([shell, option, here], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [copy] = (tmp_path / "benchwright").iterdir()
    assert re.fullmatch(r"arts-\d{4}-\d\d-\d\d\.duckdb", copy.name)
    with Database.open(copy) as database:
        assert database.rows("SELECT count(*) FROM state")[0][0] > 0
    old, other = copy.with_name("arts-2020-01-01.duckdb"), copy.with_name("arts-two-2020-01-01.duckdb")
    for file in (old, other):
        file.write_bytes(b"")
        os.utime(file, (1.6e9, 1.6e9))
    [end] = read_settings(NAMES[1])["ExecStartPost"]
    subprocess.run(shlex.split(end.replace("%i", "arts").replace("/var/backups", str(tmp_path))), check=True)
    assert not old.exists() and copy.exists() and other.exists(), "only old copies of this workspace are deleted"


def test_the_steps_of_the_docs_restore_a_backup(samples: Path, tmp_path: Path) -> None:
    home, backups = tmp_path / "lib", tmp_path / "backups"
    home.mkdir()
    path = Path(shutil.copy(samples, home / "bench.duckdb"))
    with Workbench.open(path) as bench:
        before = {item.id: item.status for item in bench.reviews.items()}
        bench.upkeep.backup(backups / "bench-2026-11-28.duckdb")
        items.add(bench.database, [replace(items.get(bench.database, min(before)), id="later")])
    for stale in (".wal", ".commits", ".cookie-secret"):
        path.with_name(path.name + stale).write_bytes(b"of the old file")
    text = (ROOT / "docs" / "how-to" / "deploy.md").read_text()
    block = re.search(r"## Restore\n.*?```text\n(.*?)```", text, flags=re.DOTALL)
    assert block
    steps = block[1].replace("/var/lib/benchwright", str(home)).replace("/var/backups/benchwright", str(backups))
    steps = steps.replace("/opt/benchwright", str(ROOT))
    steps = steps.replace("--owner benchwright --group benchwright ", "").replace(
        "runuser -u benchwright -- .venv/bin/python", sys.executable
    )
    steps = "\n".join(line for line in steps.splitlines() if not line.startswith("systemctl"))
    done = subprocess.run(["/bin/sh", "-ec", steps], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every state row equals its history" in done.stdout
    with Workbench.open(path) as bench:
        assert {item.id: item.status for item in bench.reviews.items()} == before
    assert not path.with_name("bench.duckdb.cookie-secret").exists(), "ended sessions do not come back"
