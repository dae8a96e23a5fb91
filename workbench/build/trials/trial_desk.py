"""Show the pairs of a prompt trial: two drafts from the same piece of a document (window), side by side. The seed determines
which draft is on the left, and the screen hides which prompt or agent made which draft."""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Span
from core.records import item_from_record
from store.drafting import trials
from store.drafting.trials import SIDES, PairOpinion, Side, Trial, TrialPair
from store.engine.database import Database
from workbench.annotate.desk.decisions import (
    MAX_CHARACTERS,
    check_acceptable,
    check_text,
    first_answer,
    frame_words,
    with_words,
)
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.reasons import reasons
from workbench.roles import requires

HOLD_SECONDS = 900.0
"""Number of seconds for which a pair on a person's screen is reserved for the person."""
MAX_SENTENCES = 400
"""Maximum number of sentences of the window that the screen shows beside a pair."""
PREFERENCES = ("left", "right", "same", "")


class PairLine(NamedTuple):
    """One sentence of the window (piece of a document), shown beside a pair of drafts."""

    title: str
    """Title of the document at its first sentence; "" at the other sentences."""
    text: str
    marks: Sequence[int]
    """The drafts that cite the sentence as evidence: 1 = left, 2 = right."""
    n: int
    """Number of the sentence in its document; the first is 1."""


class BlindDraft(NamedTuple):
    """A draft in a pair as the screen shows it, without the agent and prompt that made it."""

    question: str
    answer: str
    inputs: Mapping[str, str]
    evidence: Sequence[Mapping[str, str]]
    """For each span of evidence, (title of its document, its text)."""
    frame: bool
    """Whether the answer is a frame, which a person must still replace with an answer."""


class PairAnswer(NamedTuple):
    """A person's decisions on the two drafts of a pair."""

    preference: str
    left: Mapping[str, Any] | None
    """The decision on the left draft, {"decision", "question", "answer", "reason"}, or None if there is none."""
    right: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair of drafts as the screen shows it."""

    pair: str
    number: int
    """Number of this pair in the trial; the first is 1."""
    of: int
    decided: int
    """Number of the trial's pairs with a decision."""
    language: str
    text: Sequence[PairLine]
    reasons: Sequence[str]
    """Reasons for discarding a draft, from which a person can choose."""
    by: str
    """Name of another person who has decided on this pair; "" if nobody else has."""
    left: BlindDraft | None
    right: BlindDraft | None
    standing: PairAnswer | None


class TrialDesk:
    """Methods that show the pairs of a trial and store people's decisions on them."""

    def __init__(self, database: Database) -> None:
        self._db, self._cache = database, DocumentCache(database)
        self._lock = threading.Lock()
        self._holds: dict[str, tuple[str, float]] = {}

    @requires("decide on items", is_logged=False)
    def find_next(self, trial: str, person: str, after: str = "") -> str | None:
        """Return the next pair after `after` without a decision that nobody else has on the screen, or None if there is none.
        The search continues at the beginning when it reaches the end. The pair is reserved for this person for HOLD_SECONDS
        seconds. Raises BenchError if the trial does not exist."""
        decided, pairs = trials.load_answers(self._db, get_trial(self._db, trial).id), self._list_pairs(trial)
        keys = [pair.key for pair in pairs]
        start = keys.index(after) + 1 if after in keys else 0
        with self._lock:
            now = time.monotonic()
            for key in [*keys[start:], *keys[:start]]:
                holder, until = self._holds.get(key, ("", 0.0))
                if key not in decided and key != after and (holder in ("", person) or until < now):
                    self._holds[key] = (person, now + HOLD_SECONDS)
                    return key
        return after if after in keys and after not in decided else None

    @requires("decide on items", is_logged=False)
    def open_pair(self, trial: str, pair: str, person: str) -> PairView:
        """Return the pair as the screen shows it, without the agent and prompt of each draft. Raises BenchError if the pair
        does not exist."""
        pairs, match = self._list_pairs(trial), self._get_pair(trial, pair)
        answers = trials.load_answers(self._db, trial)
        answer = answers.get(pair)
        sides = (match.first, _other_side(match.first))
        drafts = [_load_draft(match, side) for side in sides]
        own = None
        if answer and answer.person == person:
            decisions = answer.decisions or {}
            own = PairAnswer(_place(answer.preference, match.first), *(decisions.get(side) for side in sides))
        left, right = (self._hide_maker(draft) if draft else None for draft in drafts)
        return PairView(
            pair=pair,
            number=[other.key for other in pairs].index(pair) + 1,
            of=len(pairs),
            decided=len(answers),
            language=match.language,
            text=self._mark_text(match, drafts),
            reasons=reasons(self._db, next(draft for draft in drafts if draft is not None)),
            by=answer.person if answer and own is None else "",
            left=left,
            right=right,
            standing=own,
        )

    @requires("decide on items", "pair", is_logged=False)
    def decide(
        self,
        trial: str,
        pair: str,
        person: str,
        key: str,
        *,
        left: Mapping[str, Any] | None,
        right: Mapping[str, Any] | None,
        preference: str = "",
        seconds: float | None = None,
    ) -> None:
        """Store a person's decisions on a pair. `left` and `right` are {"decision": "accept" or "discard", "question",
        "answer", "reason"}.

        Calling `decide` again with the same key stores nothing. Raises BenchError if a decision or the person's name is
        missing, if another person decided first, or if the trial is closed."""
        match = self._check_open_pair(trial, pair, person)
        if preference not in PREFERENCES:
            raise BenchError(f"{preference!r} is not a preference: give left, right, same, or none.")
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise BenchError("The active time is not a number of seconds: load the page again.")
        by_side = {match.first: left, _other_side(match.first): right}
        drafts = {side: _load_draft(match, side) for side in SIDES}
        decisions: dict[str, Mapping[str, Any]] = {
            side: _check_decision(item, by_side[side]) for side, item in drafts.items() if item is not None
        }
        side = {"left": match.first, "right": _other_side(match.first), "same": "same", "": ""}[preference]
        if side and len(decisions) < 2:
            raise BenchError("There is only one draft, so there is nothing to prefer.")
        if not trials.add_answer(self._db, PairOpinion(key, pair, person, decisions, side, seconds)):
            raise BenchError("Somebody else has decided on this pair in the meantime: go on with the next one.")

    @requires("decide on items", "trial", is_logged=False)
    def undo(self, trial: str, person: str, key: str) -> str:
        """Undo this person's last decisions in the trial; return the id of the pair. Raises BenchError if there are none, or if
        the trial is closed."""
        answers = trials.load_answers(self._db, get_trial(self._db, trial).id).values()
        own = [answer.pair for answer in answers if answer.person == person]
        if not own:
            raise BenchError("You have not decided on any pair of this trial: there is nothing to undo.")
        self._check_open_pair(trial, own[-1], person)
        trials.add_answer(self._db, PairOpinion(key, own[-1], person, None, "", None))
        return own[-1]

    def _list_pairs(self, trial: str) -> list[TrialPair]:
        """Return the pairs of the trial in which people can decide on at least one draft."""
        pairs = trials.load_pairs(self._db, trial)
        return [pair for pair in pairs if any(_load_draft(pair, side) is not None for side in SIDES)]

    def _get_pair(self, trial: str, pair: str) -> TrialPair:
        match = next((candidate for candidate in self._list_pairs(trial) if candidate.key == pair), None)
        if match is None:
            raise BenchError("This pair is not in this trial: go on with the next pair.")
        return match

    def _check_open_pair(self, trial: str, pair: str, person: str) -> TrialPair:
        """Return the pair, provided that people can decide on it. Raises BenchError if the pair does not exist, if the person
        gives no name, or if the trial is closed."""
        if not person.strip():
            raise BenchError("A decision needs a name: give yours first.")
        if get_trial(self._db, trial).entered is not None:
            raise BenchError("This trial is closed: its drafts are items now; decide on them on the page Review.")
        return self._get_pair(trial, pair)

    def _hide_maker(self, item: Item) -> BlindDraft:
        evidence = [{"title": self._cache.document(s.document).title, "text": self._cache.text(s)} for s in item.evidence]
        is_frame = bool(item.labels.get("frame"))
        return BlindDraft(item.question, first_answer(item), dict(item.inputs), evidence, is_frame)

    def _mark_text(self, pair: TrialPair, drafts: Sequence[Item | None]) -> list[PairLine]:
        """Return the window's sentences, each with the drafts that cite it. Of a long window, return only sentences around the
        first one that is cited."""
        lines: list[PairLine] = []
        before = ""
        for span in pair.spans:
            document = self._cache.document(span.document)
            for n, (start, end) in enumerate(self._cache.sentences(span.document), 1):
                if start < span.end and span.start < end:
                    here = Span(span.document, start, end)
                    marks = [place for place, item in enumerate(drafts, 1) if item and _has_evidence_in(item, here)]
                    title = document.title if span.document != before else ""
                    lines.append(PairLine(title, " ".join(document.text[start:end].split()), marks, n))
                    before = span.document
        marked = [place for place, line in enumerate(lines) if line.marks]
        begin = max(0, min(marked[0] - MAX_SENTENCES // 4 if marked else 0, len(lines) - MAX_SENTENCES))
        return lines[begin : begin + MAX_SENTENCES]


def get_trial(database: Database, trial: str) -> Trial:
    """Return the trial with this id. Raises BenchError if the trial does not exist."""
    match = trials.find(database, trial)
    if match is None:
        raise BenchError(f"No trial {trial} in this workspace: the page Trials lists them.")
    return match


def _load_draft(pair: TrialPair, side: Side) -> Item | None:
    """Return the pair's draft on this side of the trial, or None if this side has no draft on which people can decide."""
    draft = pair.drafts[side]
    return item_from_record(draft["item"]) if draft["state"] == "drafted" and draft["item"] else None


def _check_decision(item: Item, decision: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the decision in the form in which it is stored: question and answer are None unless they differ from the
    draft's."""
    if decision is None or decision.get("decision") not in ("accept", "discard"):
        raise BenchError("One of the drafts has no decision: accept or discard both.")
    texts = {name: str(decision.get(name) or "") for name in ("question", "answer", "reason")}
    for name, text in texts.items():
        check_text(name, text, MAX_CHARACTERS[name])
    if decision["decision"] == "discard":
        return {"decision": "discard", "question": None, "answer": None, "reason": texts["reason"].strip()}
    new = with_words(item, texts["question"], texts["answer"])
    check_acceptable(new or item, frame_words(item))
    question = new.question if new and new.question != item.question else None
    answer = new.answers[0] if new and new.answers != item.answers else None
    return {"decision": "accept", "question": question, "answer": answer, "reason": ""}


def _has_evidence_in(item: Item, span: Span) -> bool:
    return any(e.overlaps(span) for e in item.evidence)


def _other_side(side: Side) -> Side:
    return "b" if side == "a" else "a"


def _place(preference: str, first: Side) -> str:
    return {"same": "same", "": ""}.get(preference, "left" if preference == first else "right")
