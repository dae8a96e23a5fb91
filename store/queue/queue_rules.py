"""Store and apply the rules of the review queue, which set how many people must review an item and which items come first. New
rules change only waiting items; decided items stay decided."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Level
from store.engine.columns import Fetch, Timestamp, current_time, fetch_from, from_json, level_from_text, level_to_text, to_json
from store.engine.database import Cursor
from store.queue.kind import ItemKind, build_kind_condition, matches_kind

MAX_WANTED_PEOPLE = 9
"""Maximum number of people that a rule can require for one item."""
Stratum = tuple[str, Level, str, str]
"""(task, level, domain, language): the group of items from which a rule draws its share."""
_SELECT_RULES = "SELECT rules, version, made_by, made_at FROM queue_rule ORDER BY version DESC"


@dataclass(frozen=True, slots=True)
class OverlapRule:
    """Rule that sets how many people must review the items of a kind, or a share of these items."""

    kind: ItemKind
    wanted: int
    share: float = 1.0
    """Share of the items of each task, level, domain and language to which the rule applies; above 0, at most 1."""


@dataclass(frozen=True, slots=True)
class QueueRules:
    """One version of the review queue's rules: how many people review which items, and which kinds of items come first."""

    overlaps: Sequence[OverlapRule] = ()
    """Rules that set how many people must review an item. If several rules apply to one item, the largest number counts."""
    first: Sequence[ItemKind] = ()
    """Kinds of items that the queue gives before all others, in this order."""
    seed: int = 0
    """Random seed with which a rule draws its share of items."""
    version: int = 0
    by: str = ""
    at: Timestamp = ""


class QueueRuleEffect(NamedTuple):
    """Number of waiting items that other rules of the queue would change in the same way, with that change."""

    wanted: int
    """Number of people who must review each of the items now."""
    then: int
    """Number of people who would have to review each item under the other rules."""
    is_moved: bool
    """Whether the items would come earlier or later in the queue."""
    items: int


class QueueEntry(NamedTuple):
    """What the queue's rules give to one item: the number of people who must review it, and its place in the queue."""

    wanted: int = 1
    place: int = 0


def load_current_rules(fetch: Fetch) -> QueueRules:
    """Return the current rules of the queue, which are empty if none were ever stored."""
    return next((_read_rules(*row) for row in fetch(f"{_SELECT_RULES} LIMIT 1", [])), QueueRules())


def load_history(fetch: Fetch) -> list[QueueRules]:
    """Return all versions of the queue's rules, newest first."""
    return [_read_rules(*row) for row in fetch(_SELECT_RULES, [])]


def check_rules(rules: QueueRules) -> None:
    """Check the rules of the queue. Raises BenchError if the rules require too many reviewers or an invalid share."""
    for rule in rules.overlaps:
        if not 1 <= rule.wanted <= MAX_WANTED_PEOPLE:
            raise BenchError(f"An item cannot have {rule.wanted} reviewers: give 1 to {MAX_WANTED_PEOPLE}.")
        if not 0 < rule.share <= 1:
            raise BenchError(f"A share of {rule.share:g} is not possible: give a number greater than 0 and at most 1.")


def insert(cursor: Cursor, rules: QueueRules, by: str, at: str | None = None) -> int:
    """Store the rules of the queue and apply them to all items. Return the number of waiting items that now need another number
    of reviewers or come earlier or later in the queue. Some items may then have enough equal opinions, which the caller must
    decide."""
    overlaps = [{"kind": rule.kind, "wanted": rule.wanted, "share": rule.share} for rule in rules.overlaps]
    record = to_json({"overlaps": overlaps, "first": list(rules.first), "seed": rules.seed})
    row = [load_current_rules(fetch_from(cursor)).version + 1, record, by, at or current_time()]
    cursor.execute("INSERT INTO queue_rule (version, rules, made_by, made_at) VALUES (?, ?, ?, ?)", row)
    return apply(cursor, rules)


def apply(cursor: Cursor, rules: QueueRules) -> int:
    """Apply the rules of the queue to all items, like `insert`, but do not store the rules. The state rows of decided items
    also change, because these items may wait for a decision again later."""
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
    """Return how the rules would change the waiting items, without changing anything."""
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
    """Return the ids of the items that need more opinions now but would have enough under the given rules."""
    waits, params = _build_waiting_query(fetch, rules)
    where = "t.status = 'drafted' AND t.given < t.wanted AND t.given >= n.wanted"
    sql = f"SELECT t.item FROM state t JOIN ({waits}) n ON n.item = t.item WHERE {where} ORDER BY t.number"
    return [row[0] for row in fetch(sql, params)]


def _build_waiting_query(fetch: Fetch, rules: QueueRules) -> tuple[str, list[Any]]:
    """Return (SQL query, its parameters) to compute, for all items that are not refused, the number of reviewers and the place
    in the queue under the rules."""
    wanted, params = ["1"], []
    for number, rule in enumerate(rules.overlaps, 1):
        where, values = build_kind_condition(rule.kind)
        if rule.share < 1:
            where = f"{where} AND floor(s.k * ? + s.starts[{number}]) > floor((s.k - 1) * ? + s.starts[{number}])"
            values = [*values, rule.share, rule.share]
        wanted.append(f"CASE WHEN {where} THEN ? ELSE 1 END")
        params += [*values, rule.wanted]
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
    starts = [[_draw_start(rules.seed, place, stratum) for place in range(len(rules.overlaps))] for stratum in strata]
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
    """Return the number of reviewers and the place in the queue that the current rules give to each new item. `new` contains
    (kind, flags) for each item, in the order in which the items will be stored."""
    rules = load_current_rules(fetch)
    if not rules.overlaps and not rules.first:
        return [QueueEntry()] * len(new)
    rows = fetch("SELECT task, level, domain, language, count(*) FROM state WHERE status <> 'refused' GROUP BY ALL", [])
    before: Counter[Stratum] = Counter({(t, level_from_text(lv), d, lang): n for t, lv, d, lang, n in rows})
    entries = []
    for kind, flags in new:
        stratum = kind[0], kind[1], kind[2], kind[3]
        before[stratum] += 1  # type: ignore[index]  # only the level of an item's kind may be None
        entries.append(_plan_item(rules, kind, flags, stratum, before[stratum]))  # type: ignore[arg-type, index]  # as above
    return entries


def _plan_item(rules: QueueRules, kind: ItemKind, flags: str, stratum: Stratum, k: int) -> QueueEntry:
    """Return the number of reviewers and the place in the queue that the rules give an item. The item is the k-th of its task,
    level, domain and language."""
    wanted = 1
    for place, rule in enumerate(rules.overlaps):
        start = _draw_start(rules.seed, place, stratum)
        if matches_kind(kind, flags, rule.kind) and floor(k * rule.share + start) > floor((k - 1) * rule.share + start):
            wanted = max(wanted, rule.wanted)
    first = (number - len(rules.first) for number, earlier in enumerate(rules.first) if matches_kind(kind, flags, earlier))
    return QueueEntry(wanted, next(first, 0))


def _draw_start(seed: int, place: int, stratum: Stratum) -> float:
    """Return a pseudo-random number in [0, 1) at which drawing a share of a group of items by equal steps begins. Each item is
    then equally likely to be drawn. From n items, n * share items are drawn, rounded up or down."""
    return int(derived_id("share", seed, place, *stratum)[-8:], 16) / 2**32


def _read_rules(text: str, version: int, by: str, at: Timestamp) -> QueueRules:
    record: Mapping[str, Any] = from_json(text)
    overlaps = [OverlapRule(ItemKind(*rule["kind"]), rule["wanted"], rule["share"]) for rule in record["overlaps"]]
    return QueueRules(overlaps, [ItemKind(*kind) for kind in record["first"]], record["seed"], version, by, at)
