"""LanguageTool started here: from its own files, once for a process, ended with the process however that ends, downloaded when
it is asked for. The whole way is gone with a stand-in, and with a real LanguageTool where LTP_PATH names one."""

import ast
import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from builders.languagetool import server
from builders.languagetool.checker import Checker, Unverified, limit_listening
from builders.languagetool.server import FOLDER, HERE, NONE, LocalServer, choose_server, explain_missing
from builders.perturbations.grammar import KINDS
from core.errors import BenchError
from tests.languagetool_server import real_server, stand_in
from tests.waiting import until

ROOT = Path(__file__).parents[2]
ERROR, RIGHT = "Who did wrote the letter to the council?", "Who wrote the letter to the council?"
OF_EACH_KIND = (
    "Who did wrote the letter?",
    "How many mayor did the town have?",
    "Who wrote a essay on tides?",
    "Which bridge is more longer?",
    "Which states did not sign nothing?",
    "Who wanted to built the bridge?",
    "Who could of known the code?",
)
"""An error of each English kind, in the order of KINDS."""
START = 300.0
"""Seconds for a real LanguageTool on a machine that is busy with other tests."""
OLD_JAVA, JAVA_17 = """echo 'openjdk version "11.0.2" 2019-01-15'""", """echo 'openjdk version "17.0.1" 2021-10-19'"""
CHECK_HERE = f"""
import time
from builders.languagetool.checker import Checker
assert Checker("here", {START}).check({ERROR!r}, "en")
print("checked", flush=True)
time.sleep(600)
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """This machine seems to have Java and LanguageTool's files; what is started of them ends with the test."""
    for name, value in stand_in(tmp_path).items():
        monkeypatch.setenv(name, value)
    yield tmp_path
    server.local_server.stop()


@pytest.fixture(params=["stand-in", "real"])
def surroundings(request: pytest.FixtureRequest, tmp_path: Path) -> Mapping[str, str]:
    """The environment of a process that can start LanguageTool."""
    if request.param == "stand-in":
        return {**os.environ, **stand_in(tmp_path)}
    folder = request.getfixturevalue("real_languagetool")
    return {**os.environ, "LTP_PATH": str(folder)}


def is_refused(address: str) -> bool:
    """Whether nothing listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) != 0


def test_it_is_started_once_for_all_jobs_of_a_process_and_again_when_it_has_ended(files: Path) -> None:
    checkers = [Checker(HERE, START) for _ in range(2)]
    assert [[match.rule for match in one.check(ERROR, "en")] for one in checkers] == [
        ["AUXILIARY_DO_WITH_INCORRECT_VERB_FORM"]
    ] * 2
    first = server.local_server.start(START)
    assert server.local_server.start(START) == first and server.local_server.is_running
    server.local_server.stop()
    assert is_refused(first) and not server.local_server.is_running
    with pytest.raises(Unverified, match="answered with an error"):
        checkers[0].check(ERROR, "en")
    assert checkers[0].check(ERROR, "en") and not checkers[0].check(RIGHT, "en")


def test_it_is_chosen_where_its_files_are_and_none_elsewhere(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (choose_server(""), choose_server("http://x"), choose_server(NONE)) == (HERE, "http://x", NONE)
    monkeypatch.setenv("LTP_PATH", str(files / "elsewhere"))
    assert choose_server("") == NONE
    why = explain_missing()
    assert why.startswith(f"{FOLDER} is not in {files / 'elsewhere'}: set LTP_PATH") and "LTP_JAR_DIR_PATH" not in why
    monkeypatch.setenv("PATH", "")
    assert explain_missing() == "Java is not installed here: LanguageTool needs Java 17 or later."
    with pytest.raises(Unverified, match="Java is not installed here"):
        Checker(HERE).check(ERROR, "en")
    assert not (files / "elsewhere").exists()


@pytest.mark.parametrize(
    ("java", "seconds", "why"),
    [
        (OLD_JAVA, START, "cannot be started here: "),
        (f"""[ "$1" = -version ] && {JAVA_17}""", START, "was started on this machine but ended at once"),
        (f"""[ "$1" = -version ] && {JAVA_17} || exec sleep 600""", 0.5, "did not listen within 0.5 s"),
    ],
)
def test_one_that_cannot_be_started_is_a_sentence_and_leaves_no_process(
    files: Path, java: str, seconds: float, why: str
) -> None:
    (files / "bin" / "java").write_text(f"#!/bin/sh\n{java}\n")
    with pytest.raises(BenchError, match=why):
        LocalServer().start(seconds)
    assert not [child for child in psutil.Process().children(recursive=True) if "run_until_eof.py" in " ".join(child.cmdline())]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_the_process_that_started_it_however_that_ends(
    surroundings: Mapping[str, str], end: signal.Signals
) -> None:
    command = [sys.executable, "-c", CHECK_HERE]
    with subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"checked\n"
            children = psutil.Process(process.pid).children(recursive=True)
            assert len(children) == 2  # LanguageTool, and what ends it
        finally:
            process.send_signal(end)
    until(lambda: not any(child.is_running() for child in children))


def test_a_slow_machine_has_longer_to_listen() -> None:
    """LanguageTool listened after more than 15 s on a machine that was busy with other work."""
    assert [limit_listening(start) for start in (1.0, 60.0, 300.0)] == [0.5, 15.0, 75.0]


def test_the_download_is_what_the_package_fetches_and_is_needed_once(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTP_PATH", str(files / "new"))
    site = files / "site" / f"{FOLDER}"
    site.mkdir(parents=True)
    archive = site / f"{FOLDER}.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(f"{FOLDER}/languagetool-server.jar", "jar")
    monkeypatch.setenv("LTP_DOWNLOAD_SHA256", hashlib.sha256(archive.read_bytes()).hexdigest())
    fetched: list[str] = []

    class Site(SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(files / "site"))

        def log_request(self, *given: Any) -> None:
            fetched.append(self.path)

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{http.server_address[1]}/LanguageTool-{{version}}/"
        monkeypatch.setattr("language_tool_python.download_lt.BASE_URL_NEW_RELEASES", host)
        server.download()
        assert explain_missing() == "" and len(fetched) == 1
        server.download()
        assert len(fetched) == 1
        http.shutdown()
    monkeypatch.setenv("LTP_PATH", str(files / "other"))
    with pytest.raises(BenchError, match="LanguageTool could not be downloaded: "):
        server.download()


def test_the_package_is_imported_in_one_file_alone_which_readme_and_notice_name() -> None:
    def imports(path: Path) -> bool:
        text = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(text))) if "language_tool_python" in text else []
        names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        return any(name.split(".")[0] == "language_tool_python" for name in names)

    folders = [path for path in ROOT.iterdir() if path.is_dir() and path.name != "tests" and not path.name.startswith(".")]
    ours = [*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    place = "builders/languagetool/server.py"
    assert [str(path.relative_to(ROOT)) for path in ours if imports(path)] == [place]
    for name in ("README.md", "NOTICE"):
        assert place in (ROOT / name).read_text(encoding="utf-8")
    assert "GPL-3.0" in (ROOT / "README.md").read_text(encoding="utf-8")


class TestReal:
    """The whole way with a real LanguageTool."""

    def test_as_a_child(self, real_languagetool: Path) -> None:
        looking = Checker(HERE, START)
        try:
            assert any(match.is_grammar for match in looking.check(ERROR, "en")) and not looking.check(RIGHT, "en")
            assert looking.version == FOLDER.rpartition("-")[2]
            assert not looking.check("谁被把书拿走的？", "zh")  # zh-CN finds next to nothing
        finally:
            server.local_server.stop()

    def test_every_kind_of_error_that_agents_are_asked_for_is_found(self, real_languagetool: Path) -> None:
        looking = Checker(HERE, START)
        try:
            missed = [text for text in OF_EACH_KIND if not any(match.is_grammar for match in looking.check(text, "en"))]
        finally:
            server.local_server.stop()
        assert not missed and len(OF_EACH_KIND) == len(KINDS["en"])

    def test_as_a_server_that_was_just_started(self, real_languagetool: Path) -> None:
        with real_server(real_languagetool) as address:
            looking = Checker(address, START)
            assert any(match.is_grammar for match in looking.check(ERROR, "en")) and not looking.check(RIGHT, "en")
