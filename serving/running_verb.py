"""A verb (command) that the app runs for a command line, and whose output the app streams line by line. For the owner of the
workspace, the verb resolves relative paths from the command line's folder, and uses the command line's endpoint and key; verbs
for other people do not use them. For the person of an access token, the verb has that person's permissions and no access to
files."""

import asyncio
import logging
import os
import threading
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jobs
from core.errors import BenchError
from core.person_name import is_same_person
from terminal.output import run_verb
from terminal.session import STOPPING
from terminal.word_parser import parse_words
from workbench import Workbench, open_workbench
from workbench.actor import act_as
from workbench.setup.agents import ENVIRONMENT

CHARACTERS_PER_LINE = 1 << 16
"""Maximum number of characters in one line of the stream of output."""
QUIET_SECONDS = 20.0
"""Seconds without output after which an empty line is sent, because proxies cut connections that are silent."""
MAX_LOGGED_CHARACTERS = 200
"""Maximum number of characters of a parser's error that the app's log quotes."""
OTHER_VERSION = "If this command line has another version than the app, restart the app."
Line = Mapping[str, str | int]


PAIRS = (("OPENAI_BASE_URL", "OPENAI_API_KEY"), ("HF_ENDPOINT", "HF_TOKEN"))
"""Pairs of environment variables: an address and the secret for it. Both come from the app or both from the command line, so
that no secret of one is sent to an address of the other."""


def merge_environment(own: Mapping[str, str], sent: Mapping[str, str]) -> Mapping[str, str]:
    """Return the app's environment variables, overridden by the variables that the command line sends. If the command line
    sends only one variable of a pair in PAIRS, the other variable of the pair is ""."""
    blank = {name: "" for pair in PAIRS if not sent.keys().isdisjoint(pair) for name in pair}
    return {**own, **blank, **sent}


class RunningVerb:
    """The session of a verb that runs in a separate thread; the lines of its output can be read only once."""

    def __init__(
        self,
        words: Sequence[str],
        is_plain: bool,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        person: str | None = None,
    ) -> None:
        """Create the verb. `person` is the person of an access token; None = the owner of the workspace, for whom `folder` and
        `environment` are those of the command line."""
        self.folder, self.person, self.is_plain = folder, person, is_plain
        self._words, self._environment = list(words), dict(environment or {})
        self._lines: asyncio.Queue[Line | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._running: jobs.RunningJob | None = None
        self._is_stopping = False
        self._thread = threading.Thread(target=self._work, name="verb", daemon=True)

    async def lines(self) -> AsyncIterator[Line]:
        """Start the verb and yield its lines of output, with the exit code last. The verb continues even if nobody reads the
        lines any more."""
        self._thread.start()
        while True:
            try:
                line = await asyncio.wait_for(self._lines.get(), QUIET_SECONDS)
            except TimeoutError:
                line = {}
            if line is None:
                return
            yield line

    def write_out(self, text: str) -> None:
        for start in range(0, len(text), CHARACTERS_PER_LINE):
            self._put({"out": text[start : start + CHARACTERS_PER_LINE]})

    def say(self, message: str) -> None:
        if self._is_stopping and self._running is None and threading.current_thread() is self._thread:
            raise KeyboardInterrupt  # a verb without a job stops at its next message
        self._put({"err": message})

    @contextmanager
    def bench(self, options: Namespace, fresh: bool = False, is_expected: bool = True) -> Iterator[Workbench]:
        """Yield the workspace that the app has open; it stays open after the verb has ended."""
        if fresh:
            raise BenchError(
                f"{options.workspace} is open in the app and cannot be created again: close the app, or give another "
                "--workspace."
            )
        yield open_workbench()

    def finish(self, bench: Workbench, job: str) -> dict[str, Any]:
        with self._lock:
            if self._is_stopping:
                raise KeyboardInterrupt
            self._running = jobs.start(bench).submit(job, self.say, by="terminal")
        return self._running.result()

    def stop(self) -> bool:
        """Stop the verb as Ctrl-C does, and return whether the verb had a running job, which is now stopping."""
        with self._lock:
            self._is_stopping = True
            if self._running is None or self._running.future.done():
                return False
            self._running.cancel()
        self.say(STOPPING)
        return True

    def cut(self, why: str) -> None:
        """End the stream of output at once with the message `why`; the thread of the verb ends with the process."""
        for line in ({"err": why}, {"exit": 1}, None):
            self._put(line)

    def _work(self) -> None:
        if self._environment:
            ENVIRONMENT.set(merge_environment(os.environ, self._environment))
        try:
            options = self._parse()
            code = 2
            if options is not None:
                with act_as(self.person):
                    code = run_verb(self, options, lambda: self._run(options))
        except (Exception, SystemExit):
            logging.getLogger(__name__).exception("A verb for a command line failed: %s", self._words[0])
            self._put({"err": "This is a fault of the program: its traceback is in the app's log."})
            code = 1
        self._put({"exit": code})
        self._put(None)

    def _parse(self) -> Namespace | None:
        """Parse the command-line arguments of the verb. If they cannot be parsed, write a message that says why and return
        None."""
        try:
            return parse_words(self._words)
        except BenchError as error:
            by, why = self.person or "the owner", str(error)[:MAX_LOGGED_CHARACTERS]
            logging.getLogger(__name__).warning("A command of %r cannot be parsed: %r", by, why)
            self._put({"err": f"The app does not know this command: {error} {OTHER_VERSION}"})
            return None

    def _run(self, options: Namespace) -> int:
        """Run the verb. Raises BenchError if the verb would act for a person other than the person of the access token."""
        is_named = any(word == "--as" or word.startswith("--as=") for word in self._words)
        # verbs that manage tokens check themselves for whom they may act
        is_own = self.person is None or self._words[0] == "tokens"
        if is_named and not is_own and not is_same_person(options.person, self.person or ""):
            raise BenchError(f"The access token belongs to {self.person}: give --as {self.person}.")
        if self.person is not None and self._words[:2] == ["tokens", "create"]:
            raise BenchError(
                "An access token cannot create another access token: create tokens on the page People, under Your access."
            )
        return int(options.verb(self, options))

    def _put(self, line: Line | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
