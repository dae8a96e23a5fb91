"""The rules of the queue: how many people are wanted on which items, all of them or a share of each kind, and which come first.
They hold for items that wait; what was decided stays decided."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Level
from store.engine.columns import (
    Fetch,
    current_time,
    fetch_from,
    from_json,
    level_from_text,
    level_to_text,
    replace_surrogates,
    to_json,
)
from store.engine.database import Cursor
from store.queue.kind import ItemKind, build_kind_condition, matches_kind

MAX_WANTED_PEOPLE = 9
"""People that can be wanted on one item."""
Stratum = tuple[str, Level, str, str]
"""Task, level, domain and language."""


@dataclass(frozen=True, slots=True)
class OverlapRule:
    """So many people are wanted on items of a kind."""

    kind: ItemKind
    wanted: int
    share: float = 1.0
    """Of the items of each task, level, domain and language; above 0, at most 1."""


@dataclass(frozen=True, slots=True)
class QueueRules:
    """What holds of the queue."""

    overlaps: Sequence[OverlapRule] = ()
    """Of all that an item falls under, the largest number counts."""
    first: Sequence[ItemKind] = ()
    """What comes before everything else, in this order."""
    seed: int = 0
    """Which items a share falls on."""
    version: int = 0
    by: str = ""
    at: str = ""
    """UTC, ISO format."""


class QueueRuleEffect(NamedTuple):
    """What other rules would make of so many items that wait."""

    wanted: int
    """People wanted now."""
    then: int
    """People wanted by those rules."""
    is_moved: bool
    """Comes earlier or later."""
    items: int


class QueueEntry(NamedTuple):
    """How a new item waits."""

    wanted: int = 1
    place: int = 0


def load_current_rules(fetch: Fetch) -> QueueRules:
    """The rules that hold; no rules before anybody gave some."""
    rows = fetch("SELECT rules, version, made_by, made_at FROM queue_rule ORDER BY version DESC LIMIT 1", [])
    return QueueRules() if not rows else _read(*rows[0])


def load_history(fetch: Fetch) -> list[QueueRules]:
    """All rules that ever held, the newest first."""
    return [_read(*row) for row in fetch("SELECT rules, version, made_by, made_at FROM queue_rule ORDER BY version DESC", [])]


def check_rules(rules: QueueRules) -> None:
    """Raises BenchError on rules that cannot hold."""
    for one in rules.overlaps:
        if not 1 <= one.wanted <= MAX_WANTED_PEOPLE:
            raise BenchError(f"{one.wanted} people cannot be wanted on one item: give 1 to {MAX_WANTED_PEOPLE}.")
        if not 0 < one.share <= 1:
            raise BenchError(f"A share of {one.share:g} is none: give more than 0, at most 1.")


def insert(cursor: Cursor, rules: QueueRules, by: str, at: str | None = None) -> int:
    """Put the rules on record, and on all that waits; returns how many items wait for another number of people now. Items whose
    opinions are enough now are the caller's to settle."""
    fetch = fetch_from(cursor)
    record = to_json(
        {
            "overlaps": [{"kind": list(one.kind), "wanted": one.wanted, "share": one.share} for one in rules.overlaps],
            "first": [list(kind) for kind in rules.first],
            "seed": rules.seed,
        }
    )
    row = [load_current_rules(fetch).version + 1, record, replace_surrogates(by), at or current_time()]
    cursor.execute("INSERT INTO queue_rule (version, rules, made_by, made_at) VALUES (?, ?, ?, ?)", row)
    return apply(cursor, rules)


def apply(cursor: Cursor, rules: QueueRules) -> int:
    """As insert, with nothing put on record: every item's row takes what the rules say, should it wait again."""
    waits, params = _build_waiting_query(fetch_from(cursor), rules)
    changed = cursor.execute(
        f"""
        UPDATE state SET wanted = n.wanted, place = n.place
        FROM ({waits}) n
        WHERE state.item = n.item AND (state.wanted, state.place) IS DISTINCT FROM (n.wanted, n.place)
        RETURNING state.status
        """,
        params,
    ).fetchall()
    return sum(status == "drafted" for (status,) in changed)


def preview_changes(fetch: Fetch, rules: QueueRules) -> list[QueueRuleEffect]:
    """What those rules would change of the items that wait; nothing is written."""
    waits, params = _build_waiting_query(fetch, rules)
    rows = fetch(
        f"""
        SELECT t.wanted, n.wanted, t.place <> n.place, count(*)
        FROM state t JOIN ({waits}) n ON n.item = t.item
        WHERE t.status = 'drafted' AND (t.wanted, t.place) IS DISTINCT FROM (n.wanted, n.place)
        GROUP BY ALL
        ORDER BY ALL
        """,
        params,
    )
    return [QueueRuleEffect(*row) for row in rows]


def list_settled_by(fetch: Fetch, rules: QueueRules) -> list[str]:
    """Items that wait for more opinions now, and would have enough by those rules."""
    waits, params = _build_waiting_query(fetch, rules)
    rows = fetch(
        f"""
        SELECT t.item
        FROM state t JOIN ({waits}) n ON n.item = t.item
        WHERE t.status = 'drafted' AND t.given < t.wanted AND t.given >= n.wanted
        ORDER BY t.number
        """,
        params,
    )
    return [row[0] for row in rows]


def _build_waiting_query(fetch: Fetch, rules: QueueRules) -> tuple[str, list[Any]]:
    """A query of item, wanted and place by the rules, of all that no gate refused; and its parameters."""
    wanted, params = ["1"], []
    for number, one in enumerate(rules.overlaps, 1):
        where, values = build_kind_condition(one.kind)
        if one.share < 1:
            where = f"{where} AND floor(s.k * ? + s.starts[{number}]) > floor((s.k - 1) * ? + s.starts[{number}])"
            values = [*values, one.share, one.share]
        wanted.append(f"CASE WHEN {where} THEN ? ELSE 1 END")
        params += [*values, one.wanted]
    places = []
    for number, kind in enumerate(rules.first):
        where, values = build_kind_condition(kind)
        places.append(f"WHEN {where} THEN {number - len(rules.first)}")
        params += values
    place = f"CASE {' '.join(places)} ELSE 0 END" if places else "0"
    strata: list[Stratum] = [
        (task, level_from_text(level), domain, language)
        for task, level, domain, language in fetch("SELECT DISTINCT task, level, domain, language FROM state", [])
    ]
    starts = [[_start(rules.seed, place, stratum) for place in range(len(rules.overlaps))] for stratum in strata]
    columns = [list(column) for column in zip(*strata, strict=True)] if strata else [[], [], [], []]
    return (
        f"""
        WITH stratum AS (
            SELECT unnest(?::VARCHAR[]) AS task, unnest(?::VARCHAR[]) AS level, unnest(?::VARCHAR[]) AS domain,
                unnest(?::VARCHAR[]) AS language, unnest(?::DOUBLE[][]) AS starts
        ), s AS (
            SELECT t.*, u.starts, row_number() OVER (
                PARTITION BY t.task, t.level, t.domain, t.language ORDER BY t.number
            ) AS k
            FROM state t
            JOIN stratum u ON u.task = t.task AND u.level IS NOT DISTINCT FROM t.level AND u.domain = t.domain
                AND u.language = t.language
            WHERE t.status <> 'refused'
        )
        SELECT s.item, greatest({", ".join(wanted)}) AS wanted, {place} AS place
        FROM s
        """,
        [columns[0], [level_to_text(level) for level in columns[1]], *columns[2:], starts, *params],
    )


def plan_new_items(fetch: Fetch, new: Sequence[tuple[ItemKind, str]]) -> list[QueueEntry]:
    """How items of those kinds and flags wait, that come in now in this order."""
    rules = load_current_rules(fetch)
    if not rules.overlaps and not rules.first:
        return [QueueEntry()] * len(new)
    rows = fetch("SELECT task, level, domain, language, count(*) FROM state WHERE status <> 'refused' GROUP BY ALL", [])
    before: Counter[Stratum] = Counter({(t, level_from_text(lv), d, lang): n for t, lv, d, lang, n in rows})
    found = []
    for kind, flags in new:
        stratum = kind[0], kind[1], kind[2], kind[3]
        before[stratum] += 1  # type: ignore[index]  # an item's kind has no None but the level
        found.append(_wait(rules, kind, flags, stratum, before[stratum]))  # type: ignore[arg-type, index]  # as above
    return found


def _wait(rules: QueueRules, kind: ItemKind, flags: str, stratum: Stratum, k: int) -> QueueEntry:
    """Of the k-th item of its stratum."""
    wanted = 1
    for place, one in enumerate(rules.overlaps):
        start = _start(rules.seed, place, stratum)
        if matches_kind(kind, flags, one.kind) and floor(k * one.share + start) > floor((k - 1) * one.share + start):
            wanted = max(wanted, one.wanted)
    first = (number - len(rules.first) for number, one in enumerate(rules.first) if matches_kind(kind, flags, one))
    return QueueEntry(wanted, next(first, 0))


def _start(seed: int, place: int, stratum: Stratum) -> float:
    """Where a share begins to fall in a stratum, 0..1: every item is as likely to be chosen, and of n items n times the share
    are, but for one."""
    return int(derived_id("share", seed, place, *stratum)[-8:], 16) / 2**32


def _read(text: str, version: int, by: str, at: str) -> QueueRules:
    found: Mapping[str, Any] = from_json(text)
    overlaps = [OverlapRule(ItemKind(*one["kind"]), one["wanted"], one["share"]) for one in found["overlaps"]]
    return QueueRules(overlaps, [ItemKind(*kind) for kind in found["first"]], found["seed"], version, by, at)
