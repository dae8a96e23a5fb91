"""`make torture`: twenty annotators work through the real app on this machine while faults strike it; then the workspace is
held against what they were told. Exits 0 only when nothing was lost, doubled, given twice or left behind."""

import argparse
import random
import secrets
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from argon2 import PasswordHasher

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from builders.drafting.samples import sample_documents, sample_items
from core.as_json import as_json
from core.nouns import Item
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from tests.torture.annotator import MAX_ACT_SECONDS, Annotator, Card, Queue
from tests.torture.badges import HOME, AccountBadge, session_of, token_of
from tests.torture.command_line import LONG, CommandLine
from tests.torture.compare import Found, compared, leaked, untried
from tests.torture.intruders import Admin, Intruder, Thief
from tests.torture.journal import Journal
from tests.torture.lead import NAME as LEAD
from tests.torture.lead import Lead, left_behind
from tests.torture.strike import Trouble
from workbench import Workbench
from workbench.roles import Role
from workbench.setup.access.access_tokens import Token
from workbench.setup.accounts import Accounts

PEOPLE = 20
ITEMS_A_MINUTE = 1_500
LEAST_ITEMS = 600
TWICE = 0.3
"""The share of the items on which two people's opinions are wanted."""
SHOWN = 10
"""Sentences of each kind, at most."""
LAST_SECONDS = MAX_ACT_SECONDS + LONG
"""Seconds after the last fault in which everybody has ended what they began."""


class Person(Protocol):
    """Whoever does something to the app."""

    name: str

    @property
    def request(self) -> str:
        """What waits for its answer just now."""

    def work(self, until: float) -> None: ...


class Worker(threading.Thread):
    """One person at work. What ends the work too early, or never lets it end, is a finding."""

    def __init__(self, person: Person, until: float) -> None:
        super().__init__(name=person.name, daemon=True)
        self._person, self._until = person, until
        self._trouble = ""

    def run(self) -> None:
        try:
            self._person.work(self._until)
        except Exception:  # noqa: BLE001 - whatever it is: a person who stops working finds nothing more
            self._trouble = traceback.format_exc(limit=-3)

    def end(self, by: float) -> str:
        """Wait until that time, no longer; why the work did not end as it should, or ""."""
        self.join(max(0.0, by - time.monotonic()))
        if self._trouble:
            return f"{self.name} gave up: {self._trouble}"
        if self.is_alive() and self.ident is not None and (frame := sys._current_frames().get(self.ident)) is not None:
            stack = [one for one in traceback.extract_stack(frame) if "torture" in one.filename]
            where = " < ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in stack[::-1])
            return f"{self.name} has not ended: {self._person.request or 'no request under way'}, at {where}"
        return ""


def fill(path: Path, size: int) -> list[Card]:
    """A workspace of so many drafts over the sample documents, as cards; some want two people."""
    with Workbench.open(path) as bench:
        found = sample_documents()
        documents.add(bench.database, found)
        models = sample_items(found)
        made: list[Item] = []
        for n in range(size):
            model = models[n % len(models)]
            made.append(replace(model, id=f"item-{n}", question=f"{model.question} ({n})", status="drafted"))
        items.add(bench.database, made)
        bench.reviews.holds.set_minutes(24 * 60)
        opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2, TWICE)]), "the lead")
        twice = {row[0] for row in bench.database.rows("SELECT item FROM state WHERE wanted = 2")}
    return [Card(one.id, one.revision, one.question, one.answers[0], as_json(one.evidence), one.id in twice) for one in made]


def sign_up(path: Path, names: Sequence[str], robbed: str, journal: Journal) -> tuple[dict[str, str], Token]:
    """An account for each name and for the lead; name -> password, and the token of the one who will be robbed. The hashes are
    cheap ones: what a guess costs is not what is tried."""
    passwords = {name: secrets.token_urlsafe(16) for name in ("The admin", *names, LEAD)}
    with Workbench.open(path) as bench:
        accounts = Accounts(bench.database, PasswordHasher(1, 8, 1))
        for name, password in passwords.items():
            role: Role = "lead" if name == LEAD else "annotator"
            invite = accounts.create_invite(role, person=name).secret if accounts.has_owner() else accounts.create_first_link()
            accounts.accept_invite(invite, name, password, HOME)
            journal.keep_secret(f"password of {name}", password)
            journal.keep_secret(f"invite of {name}", invite)
        token = bench.access_tokens.create(robbed, "nightly")
    journal.keep_secret(token_of(robbed), token.secret)
    return passwords, token


def torture(folder: Path, minutes: float, people: int, seed: int, is_signed_in: bool = False) -> tuple[Found, Journal]:
    """One run in an empty folder; the journal is beside the workspace's own folder."""
    home = folder / "workspace"
    home.mkdir(parents=True)
    workspace = home / "w.duckdb"
    queue = Queue(fill(workspace, max(LEAST_ITEMS, round(ITEMS_A_MINUTE * minutes))))
    journal = Journal(folder / "journal.jsonl")
    names = [f"Annotator {n}" for n in range(1, people + 1)]
    people_at_work: list[Person]
    if is_signed_in:
        revoked, robbed = names[:2]
        passwords, token = sign_up(workspace, names, robbed, journal)
        trouble = Trouble(workspace, folder, seed, journal, {"BENCHWRIGHT_SIGN_IN": "local"})
        port = trouble.cable.port
        badges = [
            AccountBadge(port, name, passwords[name], f"127.0.1.{n}", names, journal, token.secret if name == robbed else "")
            for n, name in enumerate([*names, LEAD], 1)
        ]
        annotators = [Annotator(one.person, port, seed, queue, journal, one) for one in badges[:-1]]
        annotators[0].stays_for = session_of(revoked)
        people_at_work = [
            *annotators,
            Lead(port, seed, workspace, folder, journal, badges[-1]),
            Thief(robbed, token.secret, port, seed, queue, journal),
            Intruder(port, seed, queue, journal, badges, workspace, robbed, token.secret),
            Admin(CommandLine(port, workspace, folder, journal), journal, revoked, robbed, token.row.id),
        ]
    else:
        trouble, badges, revoked = Trouble(workspace, folder, seed, journal), [], ""
        port = trouble.cable.port
        lead = Lead(port, seed, workspace, folder, journal)
        people_at_work = [*(Annotator(name, port, seed, queue, journal) for name in names), lead]
    until = time.monotonic() + 60 * minutes
    stuck = work_together(people_at_work, until, trouble.strike, trouble.end)
    if stuck:  # who still asks would alter what is compared
        return Found(stuck=stuck + trouble.found.stuck), journal
    journal.close()
    with Database.open(workspace) as database:
        found = compared(database, journal.acts, journal.jumps, journal.ends)
        leaked(database, folder.glob("app-*.log"), journal.secrets, found)
    untried(journal.acts, journal.ends, found)
    found.stuck += [f"{one.person} was not let in again" for one in badges if one.is_out and one.person != revoked]
    left_behind(workspace, folder, journal.acts, found)
    found.add(trouble.found)
    return found, journal


def work_together(
    people: Sequence[Person],
    until: float,
    strike: Callable[[float], None],
    end: Callable[[], None],
    last_seconds: float = LAST_SECONDS,
) -> list[str]:
    """Everybody's work under the faults, until that time and to the end of what was begun; a sentence on everyone who did not
    come to an end."""
    workers = [Worker(person, until) for person in people]
    try:
        for worker in workers:
            worker.start()
        strike(until)
        by = time.monotonic() + last_seconds
        return [why for worker in workers if (why := worker.end(by))]
    finally:
        end()


def told(found: Found, journal: Journal) -> str:
    """What was done and what was found."""
    stored = Counter(act.what for act in journal.acts if act.outcome == "stored")
    other = Counter(act.outcome for act in journal.acts)
    lines = [
        f"acts acknowledged {other['stored']:,}: " + ", ".join(f"{n:,} {what}" for what, n in stored.most_common()),
        f"     refused {other['refused']:,}, without an answer {other['unknown']:,}",
        f"faults {sum(journal.faults.values()):,}: " + ", ".join(f"{n:,} {kind}" for kind, n in journal.faults.most_common()),
    ]
    for name, sentences in vars(found).items():
        lines.append(f"{name.replace('_', '-'):<16}{len(sentences):>4}")
        lines += [f"    {sentence}" for sentence in sentences[:SHOWN]]
    return "\n".join(lines)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seed", type=int, default=None, help="what chance decides; by default another each time")
    parser.add_argument("--keep", type=Path, help="an empty folder, to keep workspace, journal and the app's words in")
    parser.add_argument(
        "--sign-in",
        action="store_true",
        help="people sign in; one account is removed and one token is stolen in the middle, and somebody tries forged cookies",
    )
    given = parser.parse_args(words)
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    how = ", who sign in" if given.sign_in else ""
    print(f"seed {seed}: {given.people} annotators{how}, {given.minutes:g} minutes", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found, journal = torture(given.keep or Path(folder), given.minutes, given.people, seed, given.sign_in)
    print(told(found, journal))
    return 0 if found.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
