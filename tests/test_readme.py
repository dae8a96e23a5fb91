"""The README tells the truth: its commands exist, and its transcript is what they print."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)", README))
    assert named and named <= targets


@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines() if "cli.py" in line])
def test_commands_are_understood(line: str) -> None:
    words = shlex.split(line, comments=True)
    cli.parser().parse_args(words[words.index(".venv/bin/python") + 2 :])


def test_folders_and_files_named_exist() -> None:
    named = re.findall(r"`((?:[\w.]+/)+|[\w/.]+\.(?:py|md))`", README)
    assert named
    for name in named:
        assert (ROOT / name).exists() or name in ("cli.py VERB",) or (ROOT / "store/formats/shipped" / name).exists(), name


def test_transcript_is_what_the_commands_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [transcript] = blocks("console")
    steps = re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]
    assert len(steps) >= 5
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    for step in steps:
        command, _, wanted = step.partition("\n")
        words = [sys.executable if word == ".venv/bin/python" else word for word in shlex.split(command)]
        words = [word.replace("OUT", str(tmp_path / "out")) for word in words]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed = done.stdout.replace(str(tmp_path / "out"), "OUT")
        assert untimed(printed) == untimed(wanted), command


def untimed(text: str) -> str:
    """Without what a clock measured: the seconds in the lines of the table Time."""
    return re.sub(r"^.* under load, .*$", lambda line: re.sub(r"\d+\.\d+", "0", line[0]), text.rstrip(), flags=re.MULTILINE)
