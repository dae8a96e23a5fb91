"""Check texts with LanguageTool within time limits that suit a job. The first check in a language may take a minute, because
the server loads its rules; later checks take about 50 ms. A check that takes too long is repeated once; if it again takes too
long, the checker is switched off for the job."""

import json
import queue
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from builders.languagetool.server import HERE, NONE, POLL_SECONDS, describe_package, first_line, local_server, open_tool
from core.errors import BenchError
from core.inner_network import guard_connections

START_SECONDS, TIMEOUT_SECONDS = 60.0, 10.0
LISTEN_SECONDS = 15.0
"""Seconds in which a started server may refuse connections, if START_SECONDS is unchanged; LanguageTool listens after 4 s on an
idle machine."""
CODES = {"en": "en-US", "zh": "zh-CN"}
"""A dict from a supported language to LanguageTool's code for it."""
WEAK = {"zh": "LanguageTool finds next to nothing in Chinese: nearly all of these variants will be marked unverified."}
"""A dict from a language in which LanguageTool finds few errors to a warning shown before an agent is called."""
SPELLER = re.compile(r"MORFOLOGIK_|HUNSPELL_|.*_SPELLER_")
OTHER_TYPES = frozenset(("whitespace", "typographical", "style", "register", "locale-violation", "formatting"))
"""LanguageTool's issue types that contain no rules of grammar. Rules of grammar have many types; for example, EN_A_VS_AN has
the type "misspelling"."""
T = TypeVar("T")


class GrammarMatch(NamedTuple):
    """A position in a text at which a LanguageTool rule reports an error."""

    rule: str
    category: str
    issue: str
    offset: int
    length: int

    @property
    def is_grammar(self) -> bool:
        """Check whether the rule is about grammar, not about spelling, typography, style or the like."""
        return not SPELLER.match(self.rule) and self.issue not in OTHER_TYPES


class Unverified(BenchError):
    """Raised if LanguageTool could not check a text; the message says why, in one sentence."""


class Checker:
    """A client that checks texts with LanguageTool for one job. `server` is the address of a LanguageTool server, HERE (start a
    server on this machine) or NONE (do not check)."""

    def __init__(self, server: str, start: float = START_SECONDS, timeout: float = TIMEOUT_SECONDS) -> None:
        self._server, self._start, self._timeout = server, start, timeout
        self._tools: dict[str, Any] = {}
        self._off = (
            "No grammar checker is chosen: choose one on the page Agents, or by the setting grammar.server."
            if server == NONE
            else ""
        )
        self.name: str | None = None
        """Name and version of the checker, known after its first reply."""
        self.version: str | None = None
        """Version that the LanguageTool server reports, or None if the server reports no version."""

    @property
    def is_off(self) -> bool:
        """Check whether grammar checks are off: no checker is chosen, two checks in a row were too slow, or the server refuses
        further requests."""
        return bool(self._off)

    def check(self, text: str, language: str, say: Callable[[str], None] = lambda message: None) -> list[GrammarMatch]:
        """Return the errors that LanguageTool's rules report in the text. Raises Unverified with the reason if the text cannot
        be checked. Reports a message by the function `say` before the first check in a language, because this check may be
        slow. This method must not be called by two threads at the same time."""
        if self._off:
            raise Unverified(self._off)
        if language not in self._tools:
            say(f"Waiting for the first check of {CODES[language]} by LanguageTool, which may take {self._start:g} s")
            self._tools[language] = self._open_tool(CODES[language])
        tool = self._tools[language]
        if isinstance(tool, str):
            raise Unverified(tool)
        try:
            matches = self._ask_twice(self._timeout, lambda: tool.check(text))
        except Unverified:
            raise
        except BenchError as error:  # the checker's host name leads into the server's network
            self._off = str(error)
            raise Unverified(self._off) from error
        except Exception as error:  # any error of the package: work continues without a verdict
            if type(error).__name__ == "RateLimitError":
                self._off = "LanguageTool's limit of requests is reached: it is switched off for this job."
                raise Unverified(self._off) from error
            if self._server == HERE:
                self._tools.clear()  # the child may have ended: the next question restarts it
            raise Unverified(f"LanguageTool answered with an error: {first_line(error)}.") from error
        return [GrammarMatch(m.rule_id, m.category, m.rule_issue_type, m.offset, m.error_length) for m in matches]

    def _open_tool(self, code: str) -> Any:
        """Return the LanguageTool client for the language code, after a first check with the client, or a sentence that says
        why the client cannot start."""
        try:
            address = local_server.start(self._start) if self._server == HERE else self._server
            known = self._ask_twice(self._start, lambda: _list_languages(address, self._start))
            if code not in {str(entry[key]) for entry in known for key in ("code", "longCode") if key in entry}:
                return f"The LanguageTool at {address} does not know {code}."
            form = {"language": code, "text": "A"}
            reply = self._ask_twice(self._start, lambda: _fetch(f"{address}/v2/check", form, 2 * self._start))
            tool = self._ask_twice(self._start, lambda: open_tool(address, code))
        except Unverified:
            return self._off
        except BenchError as error:
            self._off = str(error)
            return self._off
        except Exception as error:  # noqa: BLE001  # refused, no HTTP, no JSON, no package: work continues without the check
            if isinstance(error, ImportError):
                return f"LanguageTool cannot be used: {first_line(error)}."
            return f"No LanguageTool answers at {address}: {first_line(error)}."
        with suppress(KeyError, TypeError):  # the server may leave the version out
            self.version = str(reply["software"]["version"])
        self.name = describe_package()
        return tool

    def _ask_twice(self, seconds: float, work: Callable[[], T]) -> T:
        """Return the result of `work`, which is repeated once if it takes more than `seconds`. If both attempts take too long,
        switch the checker off and raise Unverified."""
        for _ in range(2):
            with suppress(TimeoutError):
                return run_with_limit(seconds, lambda: self._work_guarded(work))
        self._off = f"LanguageTool did not answer within {seconds:g} s, twice in a row: it is switched off for this job."
        raise Unverified(self._off)

    def _work_guarded(self, work: Callable[[], T]) -> T:
        """Return the result of `work`, which calls the server. Raises InsideNetwork if `work` would connect to an address
        inside the app server's network, unless this process started the LanguageTool server."""
        with nullcontext() if self._server == HERE else guard_connections(self._server):
            return work()


def run_with_limit(seconds: float, work: Callable[[], T]) -> T:
    """Return the result of `work`, or raise its error. Raises TimeoutError after `seconds`, while `work` goes on in its
    thread."""
    came: queue.Queue[tuple[bool, Any]] = queue.Queue()

    def run() -> None:
        try:
            came.put((True, work()))
        except BaseException as error:  # noqa: BLE001  # the error is raised in the calling thread
            came.put((False, error))

    threading.Thread(target=run, name="languagetool", daemon=True).start()
    try:
        is_done, result = came.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if is_done:
        value: T = result
        return value
    raise result


def _list_languages(address: str, start: float) -> Any:
    """Return the languages that the LanguageTool server at the address supports. While a new server may still be starting, a
    refused connection is tried again."""
    end = time.monotonic() + limit_listening(start)
    while True:
        try:
            return _fetch(f"{address}/v2/languages", None, 2 * start)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError) or time.monotonic() > end:
                raise
        time.sleep(POLL_SECONDS)


def limit_listening(start: float) -> float:
    """Return the number of seconds for which a newly started server may refuse connections. The time is longer if the setting
    `start` is increased for a slow machine."""
    return min(start / 2, LISTEN_SECONDS * max(1.0, start / START_SECONDS))


def _fetch(url: str, form: Mapping[str, str] | None, seconds: float) -> Any:
    data = urlencode(form).encode() if form is not None else None
    with urllib.request.urlopen(url, data=data, timeout=seconds) as response:
        return json.load(response)
