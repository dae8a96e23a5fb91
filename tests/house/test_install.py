"""install.sh sets up an environment with uv: it uses the settings of pip, says what it installs, and installs nothing twice.
The tests make the wheels and their index; a proxy that nobody listens at stands for an index that cannot be reached."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.prefix, "bin", "uv")


def add_wheel(index: Path, name: str, version: str) -> None:
    """A wheel with one empty module, in a package index that is a folder."""
    folder = index / name
    folder.mkdir(parents=True)
    wheel_name = f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / wheel_name, "w") as wheel:
        wheel.writestr(f"{name}.py", "")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    link = f'<a href="{wheel_name.replace("+", "%2B")}">{wheel_name}</a>'
    (folder / "index.html").write_text(f"<!DOCTYPE html><html><body>{link}</body></html>", encoding="utf-8")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new virtual environment into which pip has put uv already."""
    folder = tmp_path_factory.mktemp("install") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    (folder / "bin" / "uv").symlink_to(UV)
    return folder


def install(environment: Path, index: Path, requirement: str) -> subprocess.CompletedProcess[str]:
    path = index / "requirements.txt"
    path.write_text(requirement + "\n", encoding="utf-8")
    nobody = "http://127.0.0.1:9"
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("UV_", "PIP_"))}
    variables |= {"PIP_INDEX_URL": index.as_uri(), "HTTPS_PROXY": nobody, "ALL_PROXY": nobody, "UV_HTTP_RETRIES": "0"}
    command = [ROOT / "install.sh", environment, path]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_a_package_is_installed_once_from_the_index_that_pip_is_set_to(environment: Path, tmp_path: Path) -> None:
    add_wheel(tmp_path, "benchling", "1.0")
    first = install(environment, tmp_path, "benchling==1.0")
    assert first.returncode == 0, first.stderr
    assert "Installing 1 package into " in first.stdout and "Installed in " in first.stdout
    again = install(environment, tmp_path, "benchling==1.0")
    assert again.returncode == 0 and again.stdout.endswith(" already.\n"), again.stdout + again.stderr
    assert "Installing" not in again.stdout


@pytest.mark.parametrize(("is_runnable", "status"), [(False, 1), (True, 0)])
def test_a_python_that_the_account_of_the_service_cannot_run_is_refused(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_runnable: bool, status: int
) -> None:
    """`id` and `runuser` stand for a machine with the account; the Python's own home is here that of this test's Python."""
    commands = {"id": "echo 0", "runuser": f'echo "$@" >> {tmp_path}/tried; exit {int(not is_runnable)}'}
    for name, does in commands.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    add_wheel(tmp_path, "benchling", "1.0")
    done = install(environment, tmp_path, "benchling==1.0")
    if Path(sys.base_prefix).is_relative_to("/home") or Path(sys.base_prefix).is_relative_to("/root"):
        status = 1  # systemd hides home folders
    else:
        assert (tmp_path / "tried").read_text().startswith("-u benchwright -- /")
    assert done.returncode == status, done.stderr
    assert ("The account benchwright cannot run the Python in" in done.stderr) == bool(status)


def test_torch_comes_from_the_plain_index_where_its_own_cannot_be_reached(environment: Path, tmp_path: Path) -> None:
    add_wheel(tmp_path, "torch", "2.13.0+cpu")
    installed = install(environment, tmp_path, "torch==2.13.0")
    assert installed.returncode == 0, installed.stderr
    assert "PyTorch's own index cannot be reached. The plain index has a build of torch without CUDA" in installed.stdout


def test_nothing_is_said_of_torch_where_it_is_there_already(environment: Path, tmp_path: Path) -> None:
    add_wheel(tmp_path, "torch", "2.13.0+cpu")
    assert install(environment, tmp_path, "torch==2.13.0").returncode == 0
    add_wheel(tmp_path, "benchwork", "1.0")
    installed = install(environment, tmp_path, "torch==2.13.0\nbenchwork==1.0")
    assert installed.returncode == 0, installed.stderr
    assert "Installing 1 package into " in installed.stdout and "torch" not in installed.stdout.lower()


def test_a_requirement_that_does_not_exist_stops_the_set_up(environment: Path, tmp_path: Path) -> None:
    add_wheel(tmp_path, "benchling", "1.0")
    refused = install(environment, tmp_path, "benchling==3.0")
    assert refused.returncode == 1 and "benchling" in refused.stderr and "Installing" not in refused.stdout
