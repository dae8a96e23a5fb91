"""Whoever leads, under torture: drafts, imports, freezes and exports by the command line's route, and decides between opinions;
and what of it must be there at the end."""

import json
import random
import time
import uuid
from pathlib import Path

from core.errors import BenchError
from core.ids import derived_id
from tests.torture.annotator import NO_ROOM, PATIENCE, Patience, Tab
from tests.torture.badges import Badge
from tests.torture.command_line import CommandLine
from tests.torture.compare import Found
from tests.torture.journal import Act, Journal, What
from workbench import Workbench
from workbench.release.checking import verify_folder

NAME = "The lead"


class Lead:
    """One person at a terminal and at the page Adjudicate."""

    name = NAME

    def __init__(
        self, port: int, seed: int, workspace: Path, folder: Path, journal: Journal, badge: Badge | None = None
    ) -> None:
        self._line = CommandLine(port, workspace, folder, journal)
        self._folder, self._journal = folder, journal
        self._chance = random.Random(f"{seed} lead")
        self._tab = Tab(port, "left", badge)
        self._between: set[str] = set()
        self._frozen: list[str] = []
        (folder / "exports").mkdir()

    @property
    def request(self) -> str:
        """What waits for its answer just now."""
        return self._line.request or self._tab.request

    def work(self, until: float) -> None:
        """One thing after the other, each kind as often. Raises Unanswered."""
        kinds = (self._draft, self._import, self._freeze, self._export)
        turn = 0
        while time.monotonic() < until:
            kinds[turn % len(kinds)]()
            turn += 1
            for _ in range(2):
                self._adjudicate()
                time.sleep(self._chance.uniform(0, 0.2))

    def _draft(self) -> None:
        self._verb(
            "draft",
            "",
            "draft",
            "--task",
            "explicit_factoid",
            "--domain",
            "humanities",
            "--agent",
            "offline",
            "--count",
            "2",
            "--seed",
            str(self._chance.randrange(10**6)),
        )

    def _import(self) -> None:
        id_ = uuid.uuid4().hex
        question = f"Which word ends the text {id_}?"
        text = f"The text {id_} ends with the word Farewell"
        asked = {"id": id_, "question": question, "answers": [{"text": "Farewell", "answer_start": text.index("Farewell")}]}
        file = self._folder / f"{id_}.json"
        file.write_text(
            json.dumps(
                {
                    "version": "1.1",
                    "data": [
                        {"title": id_, "paragraphs": [{"context": text, "qas": [asked]}]},
                    ],
                }
            ),
            encoding="utf-8",
        )
        self._verb("import", question, "import", str(file), "--format", "squad")

    def _freeze(self) -> None:
        name = f"r{len(self._frozen)}-{uuid.uuid4().hex[:6]}"
        if self._verb("freeze", name, "freeze", name, "--allow-unlicensed", "for the torture") == "stored":
            self._frozen.append(name)

    def _export(self) -> None:
        if self._frozen:
            out = self._folder / "exports" / uuid.uuid4().hex
            self._verb("export", str(out), "export", self._chance.choice(self._frozen), "--format", "jsonl", str(out))

    def _verb(self, what: What, of: str, *words: str) -> str:
        """Have the app work it; what became of it as far as it was told."""
        began = self._journal.place()
        code, _ = self._line.work(*words)
        outcome = "unknown" if code is None else "stored" if code == 0 else "refused"
        self._journal.note(Act(what, NAME, of, began, self._journal.place(), outcome))  # type: ignore[arg-type]
        return outcome

    def _adjudicate(self) -> None:
        """Decide between two different opinions that were acknowledged; an item at most once."""
        opinions: dict[str, dict[str, Act]] = {}
        for act in list(self._journal.acts):
            if act.what == "decide" and act.outcome == "stored" and act.item not in self._between:
                opinions.setdefault(act.item, {})[act.person] = act
            elif act.what == "undo":
                opinions.get(act.item, {}).pop(act.person, None)
        open_ones = [given for given in opinions.values() if len(given) == 2]
        if not open_ones:
            return
        one, other = self._chance.choice(open_ones).values()
        self._between.add(one.item)
        press = f"press {uuid.uuid4().hex}"
        places = [dict(zip(("document", "start", "end"), span, strict=True)) for span in one.evidence]
        patience = Patience(f"adjudicate of {NAME} on {one.item}")
        while True:
            key, began = uuid.uuid4().hex, self._journal.place()
            body = {
                "person": NAME,
                "item": one.item,
                "revision": 1,
                "question": one.question,
                "answer": one.answer,
                "evidence": places,
                "decision": "accept",
                "key": key,
                "comment": press,
                "reason": f"For {press}.",
                "seconds": 3.5,
                "status": "drafted",
                "seen": derived_id("seen", *sorted((one.key, other.key))),
                "tab": "left",
            }
            status, told = self._tab.persist("/bench/adjudicate", body, patience)
            self._journal.note(
                Act(
                    "adjudicate",
                    NAME,
                    one.item,
                    began,
                    self._journal.place(),
                    "stored" if status == 200 else "refused",
                    key,
                    press,
                    "accept",
                    one.question,
                    one.answer,
                    False,
                    "left",
                    f"For {press}.",
                    3.5,
                    one.evidence,
                    by=self._tab.by,
                    status=status,
                )
            )
            if status == 200 or NO_ROOM not in told["message"]:
                return
            patience.check(told["message"])
            time.sleep(PATIENCE / 50)


def left_behind(workspace: Path, folder: Path, acts: list[Act], found: Found) -> None:
    """Releases, exports, drafts and imports that were acknowledged are there and whole; no part of any other export is."""
    with Workbench.open(workspace) as bench:
        stored = [act for act in acts if act.outcome == "stored"]
        asked = {row[0] for row in bench.database.rows("SELECT question FROM revision")}
        for act in stored:
            if act.what in ("freeze", "export") and not is_whole(bench, act):
                found.lost.append(f"the {act.what} {act.item} was acknowledged and is not whole")
            elif act.what == "import" and act.item not in asked:
                found.lost.append(f"the question {act.item!r} was imported and is not there")
        jobs = bench.database.rows("SELECT count(*) FROM job WHERE kind = 'draft' AND state = 'done'")[0][0]
        if jobs < sum(act.what == "draft" for act in stored):
            found.lost.append("a draft was acknowledged and its job is not there")
    for path in (folder / "exports").glob(".*"):
        found.orphaned.append(f"{path} is what a killed export left")


def is_whole(bench: Workbench, act: Act) -> bool:
    try:
        found = bench.releases.verify(act.item) if act.what == "freeze" else verify_folder(Path(act.item))
    except BenchError:
        return False
    return bool(found.ok)
