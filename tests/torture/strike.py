"""The faults: what can go wrong around the app does, one after the other in an order of chance."""

import contextlib
import os
import random
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import BenchError
from store.engine.database import Database
from tests.app_server import Served, free_port, started
from tests.browser.cable import Cable
from tests.torture.compare import Found, held_by_many, kept
from tests.torture.journal import Act, Journal, Jump
from tests.torture.served import HOURS

SERVED = ("-m", "tests.torture.served")
LEAST_PAUSE, MOST_PAUSE = 0.5, 5.0
"""Seconds between two faults."""


class Trouble:
    """The app, and all that befalls it. Annotators talk to it through the cable."""

    def __init__(
        self, workspace: Path, folder: Path, seed: int, journal: Journal, environment: Mapping[str, str] | None = None
    ) -> None:
        self.found = Found()
        """What was seen between two lives of the app."""
        self._workspace, self._folder, self._journal = workspace, folder, journal
        self._environment = environment or {}
        self._chance = random.Random(f"{seed} faults")
        self._clock = folder / "clock"
        self._port = free_port()
        self._lives = 0
        self._set_clock(0.0)
        self.served = self._started()
        self.cable = Cable(self._port)

    def strike(self, until: float) -> None:
        """Each kind once, in any order, then again; afterwards the app is there for everybody's last words."""
        kinds: list[Callable[[], None]] = [self.kill, self.cut, self.fill_the_disk, self.jump]
        turn: list[Callable[[], None]] = []
        while time.monotonic() < until:
            turn = turn or self._chance.sample([*kinds, self.kill], len(kinds) + 1)
            turn.pop()()
            time.sleep(self._chance.uniform(LEAST_PAUSE, MOST_PAUSE))
        self._start_again_if_asked()

    def kill(self) -> None:
        """kill -9, and start again; in between somebody looks into the workspace, or copies it to a disk that damages it."""
        self.served.kill()
        acts = list(self._journal.acts)
        self._journal.struck("kill -9")
        if self._chance.random() < 0.5:
            self._look(acts)
        else:
            self._damage(acts)
        self.served = self._started()

    def cut(self) -> None:
        """Every connection breaks, and for a moment none can be made."""
        self.cable.pull()
        self._journal.struck("cut connections")
        time.sleep(self._chance.uniform(0, 1))
        self.cable.plug()

    def fill_the_disk(self) -> None:
        """No file of the app's may grow (RLIMIT_FSIZE), then there is room again; an app that asks to be started again is."""
        pid = self.served.process.pid
        log = self._workspace.with_name(self._workspace.name + ".wal")
        room = log.stat().st_size if log.exists() else 0
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (room, before[1]))
        self._journal.struck("disk full")
        time.sleep(self._chance.uniform(0.2, 1.5))
        if self.served.process.poll() is None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        self._start_again_if_asked()

    def jump(self) -> None:
        """The server's clock goes forward or back, or is right again."""
        began = self._journal.place()
        self._set_clock(self._chance.choice([-24 * 30, -30, -1, 0, 1, 30, 24 * 30]))
        self._journal.jumps.append(Jump(began, self._journal.place()))
        self._journal.struck("clock jump")

    def end(self) -> None:
        """Everything as it should be, and the app ended as a service manager would."""
        self._set_clock(0.0)
        try:
            self.served.stop()
        except subprocess.TimeoutExpired:
            self.found.stuck.append("the app did not end when it was told to")
            self.served.kill()
        self.cable.close()

    def _start_again_if_asked(self) -> None:
        """What a service manager does when the app's health is bad, or the app has ended."""
        with contextlib.suppress(OSError):
            if self.served.process.poll() is None and self.served.get("/bench/health")[0] == 200:
                return
        self._journal.struck("started again")
        self.served.kill()
        self.served = self._started()

    def _look(self, acts: Sequence[Act]) -> None:
        at = datetime.now(UTC) + timedelta(hours=float(self._clock.read_text()))
        with Database.open(self._workspace) as database:
            self.found.double_assigned += held_by_many(database, at.isoformat(timespec="milliseconds"))
            kept(database, acts, self.found)

    def _damage(self, acts: Sequence[Act]) -> None:
        """Damage a copy of the file or its log: it is refused in a sentence, or opens with all that was acknowledged."""
        copy = Path(shutil.copytree(self._workspace.parent, self._folder / f"damaged-{self._lives}")) / self._workspace.name
        log = copy.with_name(copy.name + ".wal")
        part = log if log.exists() and log.stat().st_size and self._chance.random() < 0.8 else copy
        size = part.stat().st_size
        how = self._chance.choice(["flip in the head", "flip", "cut", "remove"])
        if how == "remove":
            part.unlink()
        elif how == "cut":
            os.truncate(part, self._chance.randrange(size))
        else:
            with part.open("r+b") as file:
                file.seek(self._chance.randrange(min(size, 64) if how == "flip in the head" else size))
                (byte,) = file.read(1)
                file.seek(-1, os.SEEK_CUR)
                file.write(bytes([byte ^ 1 << self._chance.randrange(8)]))
        self._journal.struck(f"{how} of the {'log' if part == log else 'file'}")
        silent = Found()
        try:
            with Database.open(copy) as database:
                kept(database, acts, silent)
        except BenchError:
            pass
        self.found.lost += [f"{how} of {part.name}, and silently {sentence}" for sentence in silent.lost[:1]]
        shutil.rmtree(copy.parent)

    def _started(self) -> Served:
        self._lives += 1
        # On a full disk Python leaves compiled files cut off, which no later process of the checkout can load.
        env = {**self._environment, HOURS: str(self._clock), "PYTHONDONTWRITEBYTECODE": "1"}
        return started(self._workspace, self._folder / f"app-{self._lives}.log", self._port, env, SERVED)

    def _set_clock(self, hours: float) -> None:
        new = self._clock.with_suffix(".new")
        new.write_text(str(hours), encoding="ascii")
        os.replace(new, self._clock)
