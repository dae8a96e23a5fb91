"""Runs the boards of sealed releases: takes submissions, scores them, keeps the record, and opens the seal. The people who
submit see means with their intervals, never the score of a single item or a gold answer."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from core.as_json import Json
from core.errors import BenchError
from core.ids import hash_bytes
from core.installation import COMMAND
from core.nouns import Item, Release
from store.engine.columns import Timestamp
from store.engine.database import Database
from store.formats._folder import OPENED, write_lines
from store.formats.shipped.verify import RECORD, wrong_entries
from store.jobs import jobs
from store.releases import board_entries, releases, seals
from store.releases.board_entries import BoardEntry
from store.releases.seals import Seal
from workbench import actor
from workbench.control import Control
from workbench.release import sealing
from workbench.release.boards.submissions import check_metrics, read_submission, score_submission
from workbench.release.packed_exports import PackedExport
from workbench.release.release_browser import ReleaseBrowser
from workbench.release.releases import ReleaseStage
from workbench.release.upload_limits import UploadLimits
from workbench.roles import requires

__all__ = ["BoardView", "SealedBoardStage", "SubmissionLine", "TakenSubmission"]

KIND = "board"
DEFAULT_METRICS = ("exact_match", "token_f1")
DEFAULT_PER_WEEK = 2
MAX_PER_WEEK = 1_000
WEEK = timedelta(days=7)
MAX_SYSTEM_CHARACTERS = 80


class TakenSubmission(NamedTuple):
    """A submission that is on record."""

    number: int
    """Number of its entry in the record."""
    job: str
    """Id of the job that scores it."""
    hash: str
    """Hash of its entry: a receipt by which a removed entry is found."""
    left: int
    """Number of further submissions that the person may make now."""
    already: bool
    """Whether the same person had submitted the same file before, so that no new place was taken."""

    def record(self) -> dict[str, Json]:
        """Return the submission as JSON values, without the job."""
        return {"submission": self.number, "receipt": self.hash, "left": self.left, "already": self.already}


class BoardRules(NamedTuple):
    """The rules of a board."""

    metrics: Sequence[str]
    per_week: int
    """Maximum number of submissions of one person in any seven days."""


class SubmissionLine(NamedTuple):
    """One submission as the board shows it."""

    number: int
    rank: int | None
    """Rank by the board's first metric; equal means share a rank. None = not scored yet, incomplete, or made after the seal was
    opened."""
    system: str
    person: str
    at: Timestamp
    sealed: bool
    """Whether the seal was closed when the submission was made."""
    counts: Mapping[str, int]
    """Numbers of rows, answered, failed and missing items, and answers that repeat the question."""
    scores: Mapping[str, Mapping[str, Any]]
    """Dict from metric to mean, n, low, high and unscored; empty = not scored yet."""
    file: str
    hash: str

    def describe_score(self, metric: str) -> str:
        """Return the mean of a metric with its interval, its n and, if there are any, the number of unscored answers, as
        text."""
        score = self.scores.get(metric)
        if score is None:
            return "not scored yet"
        unscored = f", {score['unscored']} unscored" if score["unscored"] else ""
        if score["mean"] is None:
            return f"none{unscored}"
        interval = "" if score["low"] is None else f" [{score['low']:.3f}, {score['high']:.3f}]"
        return f"{score['mean']:.3f}{interval} n={score['n']}{unscored}"


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as people see it."""

    release: str
    hash: str
    splits: Sequence[str]
    items: int
    """Number of sealed items."""
    rules: BoardRules
    opened: BoardEntry | None
    """Entry that says who opened the seal, and when; None = it is closed."""
    lines: Sequence[SubmissionLine]
    entries: int
    """Number of entries in the record."""
    head: str
    """Hash of the last entry."""

    def record(self) -> dict[str, Json]:
        """Return the board as JSON values."""
        lines = [{**line._asdict(), "counts": dict(line.counts), "scores": dict(line.scores)} for line in self.lines]
        rules: dict[str, Json] = {"metrics": list(self.rules.metrics), "per_week": self.rules.per_week}
        return {
            "release": self.release,
            "hash": self.hash,
            "splits": list(self.splits),
            "items": self.items,
            "rules": rules,
            "opened": self.opened.record() if self.opened else None,
            "submissions": list(lines),
            "entries": self.entries,
            "head": self.head,
        }


@dataclass(frozen=True, slots=True)
class BoardProblem:
    """A fault that the check of a board found."""

    where: str
    message: str


class SealedBoardStage:
    """Methods for the boards of sealed releases."""

    def __init__(self, database: Database, stage: ReleaseStage, browser: ReleaseBrowser) -> None:
        self._db, self._releases, self._browser = database, stage, browser
        self.limits = UploadLimits()

    @requires("see boards")
    def list_boards(self) -> list[str]:
        """Return the names of the sealed releases, newest first, also of those whose seal was opened."""
        return seals.list_sealed(self._db)

    @requires("see boards", "name")
    def is_board(self, name: str) -> bool:
        """Return whether the release is sealed, or was until its seal was opened."""
        return name in seals.list_sealed(self._db)

    @requires("see boards", "name")
    def view(self, name: str) -> BoardView:
        """Return the board with all its submissions, the ranked ones first. Raises BenchError if the release has no board."""
        seal, _ = self._find(name)
        entries = board_entries.list_entries(self._db, seal.release_hash)
        rules = _read_rules(entries)
        return BoardView(
            release=name,
            hash=seal.release_hash,
            splits=seal.splits,
            items=len(seal.public_ids),
            rules=rules,
            opened=next((entry for entry in entries if entry.kind == "opened"), None),
            lines=_rank(entries, rules.metrics[0]),
            entries=len(entries),
            head=entries[-1].hash if entries else "",
        )

    @requires("manage boards", "name")
    def set_rules(self, name: str, metrics: Sequence[str] | None = None, per_week: int | None = None) -> BoardRules:
        """Change the metrics of a board, or the number of submissions of one person in seven days, and return the rules. None
        leaves a rule as it is. The rules of a board with scored submissions keep their metrics. Raises BenchError for a metric
        that needs a judge or a model."""
        seal, _ = self._find(name)
        if per_week is not None and not 0 <= per_week <= MAX_PER_WEEK:
            raise BenchError(f"A person may submit 0 to {MAX_PER_WEEK:,} times a week: {per_week} is outside of this range.")
        chosen = None if metrics is None else check_metrics(metrics)
        entries = board_entries.list_entries(self._db, seal.release_hash)
        old = _read_rules(entries)
        if chosen is not None and chosen != list(old.metrics) and any(entry.kind == "submitted" for entry in entries):
            raise BenchError(f"The board of {name} has submissions, so its metrics stay {', '.join(old.metrics)}.")
        new = BoardRules(chosen or list(old.metrics), old.per_week if per_week is None else per_week)
        if new != old:
            content: dict[str, Json] = {"metrics": list(new.metrics), "per_week": new.per_week}
            board_entries.add(self._db, seal.release_hash, "rules", actor.get_name() or "", content)
        return new

    @requires("submit to boards", "name", notes=["system"])
    def submit(self, name: str, raw: bytes, file: str, system: str, person: str) -> TakenSubmission:
        """Take the predictions of a system, and plan the job that scores them. A file that is refused takes no place. If the
        person had submitted the same file for the same system, the earlier submission is returned. Raises BenchError if the
        file is refused, or if the person has no place left, and UploadsExceeded for too many files within a minute."""
        self.limits.begin_upload(actor.get_name(), len(raw))
        seal, release = self._find(name)
        person, system = person.strip(), " ".join(system.split())
        if not person:
            raise BenchError("A submission needs a name: give yours first.")
        if not 0 < len(system) <= MAX_SYSTEM_CHARACTERS or not system.isprintable():
            raise BenchError(f"A system needs a name of 1 to {MAX_SYSTEM_CHARACTERS} printable characters: give one.")
        read = read_submission(raw, file, self._load_questions(seal, release))
        digest, left, already = hash_bytes(raw), 0, True

        def check(entries: Sequence[BoardEntry], at: Timestamp) -> BoardEntry | BenchError | None:
            nonlocal left, already
            own = [entry for entry in entries if entry.kind == "submitted" and entry.person == person]
            most, since = _read_rules(entries).per_week, _shift(at, -WEEK)
            recent = [entry for entry in own if entry.at > since]
            left = max(0, most - len(recent))
            for entry in own:
                if (entry.content["file"], entry.content["system"]) == (digest, system):
                    return entry
            if not left:
                again = f" You can submit again after {_shift(recent[-most].at, WEEK)[:16]} UTC." if most else ""
                return BenchError(
                    f"The board of {name} takes {most} {'submission' if most == 1 else 'submissions'} of a person in seven "
                    f"days, and {person} has made {len(recent)}.{again}"
                )
            left, already = left - 1, False
            return None

        content: dict[str, Json] = {"system": system, "file": digest, **read.describe()}
        text = raw.decode("utf-8")
        entry = board_entries.add(self._db, seal.release_hash, "submitted", person, content, check, text)
        params = {"release": name, "release_hash": seal.release_hash, "number": entry.number}
        return TakenSubmission(entry.number, jobs.create_once(self._db, KIND, params, total=1), entry.hash, left, already)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Score a submission by the metrics of its board, and add the means to the record."""
        params = (await asyncio.to_thread(jobs.get, self._db, job)).params
        hash_, number = params["release_hash"], params["number"]
        release = await asyncio.to_thread(releases.get, self._db, params["release"], hash_)
        seal, _ = await asyncio.to_thread(self._find, params["release"])
        questions = await asyncio.to_thread(self._load_questions, seal, release)
        entries = await asyncio.to_thread(board_entries.list_entries, self._db, hash_)
        entry = _find_scores(entries).get(number)
        if entry is None:
            raw = (await asyncio.to_thread(board_entries.load_predictions, self._db, hash_, number)).encode("utf-8")
            read = await asyncio.to_thread(read_submission, raw, f"submission {number}", questions)
            scored = await score_submission(read, questions, _read_rules(entries).metrics)
            content: dict[str, Json] = {"submission": number, **scored}
            entry = await asyncio.to_thread(
                board_entries.add, self._db, hash_, "scored", "", content, lambda entries, at: _find_scores(entries).get(number)
            )
        means = ", ".join(
            f"{name} {one['mean']:.3f} (n={one['n']})"
            for name, one in entry.content["metrics"].items()
            if one["mean"] is not None
        )
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(str(number), "done", None)]))
        return {
            "release": params["release"],
            "submission": number,
            "metrics": dict(entry.content["metrics"]),
            "stopped": None,
            "message": f"Submission {number} to the board of {params['release']}: {means or 'no metric gave a value'}.",
        }

    @requires("manage boards", "name")
    def open(self, name: str, out: Path | None = None) -> BoardEntry:
        """Open the seal of a release for everybody, which cannot be undone, and return the entry in the record. From now on
        exports have the gold answers and the salts. If `out` is given, write them there; a folder gets the file opened.jsonl,
        and the record of the board. Submissions that come later are marked. Raises BenchError if the workspace does not have
        what was sealed, or if a file exists."""
        seal, release = self._find(name)
        content = self._releases.members(name, release.hash)
        if problems := sealing.find_problems(self._db, seal, release, content):
            raise BenchError(
                f"{len(problems)} parts of {name} do not match their commitments, for example {problems[0][0]}: restore the "
                "workspace from a backup before you open the seal."
            )
        person = actor.get_name() or ""
        entry = board_entries.add(self._db, seal.release_hash, "opened", person, {}, lambda entries, at: _find_opening(entries))
        if out is not None:
            _write(out / OPENED if out.is_dir() else out, sealing.list_openings(self._db, seal, release, content))
            if out.is_dir():
                _write(out / RECORD, self.list_record(name))
        return entry

    @requires("see boards", "name")
    def list_record(self, name: str) -> list[dict[str, Json]]:
        """Return the entries in the record of a board as JSON values, oldest first."""
        seal, _ = self._find(name)
        return [entry.record() for entry in board_entries.list_entries(self._db, seal.release_hash)]

    @requires("see boards", "name")
    def write_record(self, name: str, out: Path) -> int:
        """Write the record of a board to a new file, one entry per line, and return the number of entries; a folder gets the
        file record.jsonl. Raises BenchError if the file exists or cannot be written."""
        record = self.list_record(name)
        _write(out / RECORD if out.is_dir() else out, record)
        return len(record)

    @requires("see boards", "name")
    def verify(self, name: str, receipts: Sequence[str] = ()) -> list[BoardProblem]:
        """Return the faults of a board: parts of the release that do not match their commitments, entries of the record that
        were changed, removed or reordered, and `receipts` (hashes of entries) that are not in the record."""
        seal, release = self._find(name)
        content = self._releases.members(name, release.hash)
        problems = [BoardProblem(id_, why) for id_, why in sealing.find_problems(self._db, seal, release, content)]
        entries = board_entries.list_entries(self._db, seal.release_hash)
        wrong = wrong_entries((json.dumps(entry.record()) for entry in entries), seal.release_hash)
        problems += [BoardProblem(f"entry {one['line']}", one["message"]) for one in wrong]
        for entry in entries:
            if entry.kind == "submitted":
                try:
                    raw = board_entries.load_predictions(self._db, seal.release_hash, entry.number).encode("utf-8")
                except BenchError as error:
                    problems.append(BoardProblem(f"entry {entry.number}", str(error)))
                    continue
                if hash_bytes(raw) != entry.content.get("file"):
                    problems.append(
                        BoardProblem(f"entry {entry.number}", "has another predictions file than at its submission.")
                    )
        there = {entry.hash for entry in entries}
        problems += [BoardProblem(one, "is no entry of the record.") for one in receipts if one not in there]
        return problems

    @requires("export releases", "name", is_logged=False)
    def pack(self, name: str, form: str = "jsonl") -> PackedExport:
        """Pack the sealed release as a zip file for download. It has the questions, and of the sealed items nothing else."""
        self._find(name)
        return self._browser.pack(name, form)

    def _find(self, name: str) -> tuple[Seal, Release]:
        release = releases.get(self._db, name)
        seal = seals.find(self._db, release.hash)
        if seal is None:
            raise BenchError(
                f"The release {name} is not sealed, so it has no board: freeze one with `{COMMAND} freeze NAME --sealed`."
            )
        return seal, release

    def _load_questions(self, seal: Seal, release: Release) -> dict[str, Item]:
        """Return a dict from public id to sealed item."""
        public = seal.public_ids
        members = releases.load_members(self._db, release, with_texts=False)
        return {public[item.id]: item for item in members.items if item.id in public}


def _read_rules(entries: Sequence[BoardEntry]) -> BoardRules:
    last = next((entry.content for entry in reversed(entries) if entry.kind == "rules"), None)
    return BoardRules(last["metrics"], last["per_week"]) if last else BoardRules(list(DEFAULT_METRICS), DEFAULT_PER_WEEK)


def _find_scores(entries: Sequence[BoardEntry]) -> dict[int, BoardEntry]:
    """Return a dict from the number of a submission to the entry with its scores."""
    return {entry.content["submission"]: entry for entry in reversed(entries) if entry.kind == "scored"}


def _find_opening(entries: Sequence[BoardEntry]) -> BoardEntry | None:
    return next((entry for entry in entries if entry.kind == "opened"), None)


def _rank(entries: Sequence[BoardEntry], metric: str) -> list[SubmissionLine]:
    """Return the submissions, best first by the mean of the metric; those without a rank come last. Only complete submissions
    to a closed seal have a rank, because a mean over chosen questions compares with no other."""
    scores, opening = _find_scores(entries), _find_opening(entries)
    lines = []
    for entry in entries:
        if entry.kind != "submitted":
            continue
        counts = {name: entry.content[name] for name in ("rows", "answered", "failed", "missing", "repeats_question")}
        own = scores[entry.number].content["metrics"] if entry.number in scores else {}
        is_sealed = opening is None or entry.number < opening.number
        facts = (entry.content["system"], entry.person, entry.at, is_sealed, counts, own, entry.content["file"], entry.hash)
        lines.append(SubmissionLine(entry.number, None, *facts))

    def mean(line: SubmissionLine) -> float | None:
        is_whole = line.sealed and not line.counts["failed"] and not line.counts["missing"]
        value: float | None = line.scores.get(metric, {}).get("mean") if is_whole else None
        return value

    means = [value for line in lines if (value := mean(line)) is not None]
    ranked = [
        line if (value := mean(line)) is None else line._replace(rank=1 + sum(other > value for other in means))
        for line in lines
    ]
    return sorted(ranked, key=lambda line: (line.rank is None, line.rank or 0, line.number))


def _shift(at: Timestamp, by: timedelta) -> Timestamp:
    return (datetime.fromisoformat(at) + by).isoformat(timespec="milliseconds")


def _write(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    if path.exists():
        raise BenchError(f"{path} exists already: name a new file.")
    try:
        write_lines(path, records)
    except OSError as error:
        raise BenchError(f"{path} cannot be written ({error.strerror}): choose another place.") from error
