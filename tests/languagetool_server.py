"""A server that speaks LanguageTool's /v2/languages and /v2/check, with a few rules of its own. Run as a script it is a process
of its own: it prints its port, and answers as its first argument says, at the port of its second one, until it is ended. A
folder and a `java` that start it stand in for LanguageTool's own files."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

RULES = (
    (r"\bdid \w+ed\b", "DID_BASEFORM", "GRAMMAR", "grammar"),
    (
        r"\b(?:What|Which \w+) (?:are|have) the\b|\bWhere were the\b|\bwhich have\b",
        "SUBJECT_VERB_AGREEMENT",
        "GRAMMAR",
        "grammar",
    ),
    (r"\ba (?=[aeiou])", "EN_A_VS_AN", "MISC", "misspelling"),
    (r"\bEllery\b|\bTreskow\b", "MORFOLOGIK_RULE_EN_US", "TYPOS", "misspelling"),
    (r"被是", "ZH_BEI", "GRAMMAR", "uncategorized"),
    (r"\bwoke\b", "TIRED_STYLE", "STYLE", "style"),
    (r"\bdid wrote\b", "AUXILIARY_DO_WITH_INCORRECT_VERB_FORM", "GRAMMAR", "grammar"),
)
"""Pattern, rule, category, issue type."""
LANGUAGES = [{"name": code, "code": code[:2], "longCode": code} for code in ("en-US", "zh-CN")]


class Handler(BaseHTTPRequestHandler):
    """well; english: no Chinese; deaf: never looks at a text; slow: looks at a single letter alone; once: is too slow for the
    first text, and looks at it when it is asked again; broken: answers 500 to texts; limited: answers 426."""

    how = "well"
    seen = 0
    """Texts of more than a letter so far."""

    def do_GET(self) -> None:
        if self.path.endswith("/v2/healthcheck"):
            self._reply(200, "OK")
            return
        known = LANGUAGES[:1] if self.how == "english" else LANGUAGES
        self._reply(200, known if self.path.endswith("/v2/languages") else {"error": self.path})

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        text = form["text"][0]
        if self.how == "deaf" or (self.how == "slow" and len(text) > 1):
            time.sleep(600)
        Handler.seen += len(text) > 1
        if self.how == "once" and len(text) > 1 and self.seen == 1:
            time.sleep(600)
        if len(text) > 1 and self.how in ("broken", "limited"):
            self._reply(*((500, {"message": "no"}) if self.how == "broken" else (426, None)))
            return
        found = [self._match(text, *match.span(), *rule[1:]) for rule in RULES for match in re.finditer(rule[0], text)]
        self._reply(200, {"software": {"name": "LanguageTool", "version": "6.8-stub"}, "matches": found})

    def _match(self, text: str, start: int, end: int, rule: str, category: str, issue: str) -> dict[str, Any]:
        return {
            "message": rule,
            "shortMessage": "",
            "replacements": [],
            "offset": start,
            "length": end - start,
            "sentence": text,
            "context": {"text": text, "offset": start, "length": end - start},
            "type": {"typeName": "Other"},
            "rule": {"id": rule, "description": "", "issueType": issue, "category": {"id": category, "name": category}},
        }

    def _reply(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode() if value is not None else b"Upgrade Required"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


def stand_in(folder: Path, how: str = "well") -> dict[str, str]:
    """The environment in which that folder's LTP_PATH and `java` start this server in the place of LanguageTool."""
    jar = folder / "files" / "LanguageTool-6.8" / "languagetool-server.jar"
    jar.parent.mkdir(parents=True)
    jar.touch()
    java = folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(
        "#!/bin/sh\n"
        """if [ "$1" = -version ]; then echo 'openjdk version "17.0.1" 2021-10-19'; exit; fi\n"""
        f'for port; do :; done\nexec "{sys.executable}" "{__file__}" {how} "$port"\n'
    )
    java.chmod(0o755)
    return {"LTP_PATH": str(folder / "files"), "PATH": f"{java.parent}{os.pathsep}{os.environ['PATH']}"}


def start_at(port: int) -> "subprocess.Popen[bytes]":
    """The server, begun at that port; whoever began it ends it."""
    return subprocess.Popen([sys.executable, __file__, "well", str(port)], stdout=subprocess.DEVNULL)


@contextmanager
def real_server(folder: Path) -> Iterator[str]:
    """The address of a LanguageTool of those files that was begun just now: it does not listen yet."""
    address = nobody()
    jar = folder / "LanguageTool-6.8" / "languagetool-server.jar"
    command = ["java", "-cp", str(jar), "org.languagetool.server.HTTPServer", "--port", address.rpartition(":")[2]]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield address
        finally:
            process.kill()


@contextmanager
def languagetool(how: str = "well") -> Iterator[str]:
    """Its address. `silent` takes connections and never says a word."""
    process = subprocess.Popen([sys.executable, __file__, how], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def main(how: str, port: int = 0) -> None:
    if how == "silent":
        with socket.create_server(("127.0.0.1", 0)) as deaf:
            print(deaf.getsockname()[1], flush=True)
            while True:
                time.sleep(60)
    Handler.how = how
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
