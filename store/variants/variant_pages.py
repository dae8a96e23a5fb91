"""Load pages of variants, each with its original question, and count variants by kind and by the checks that flagged them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.nouns import Variant
from store.engine.columns import build_conditions, fetch_in_batches
from store.engine.database import Database
from store.items import items
from store.variants import variants
from store.variants.variant_queue import IS_FLAGGED

PAGE_SIZE = 25
"""Number of variants on one page of the list."""
ANY_FLAG, NO_FLAG = "any", "none"
"""Two values of `VariantFilter.flag` that stand for no single flag: variants with any flag, and variants without a flag."""
_FROM = "FROM variant v JOIN state s ON s.item = v.item"


class VariantFilter(NamedTuple):
    """Conditions that variants must fulfil to be listed. A field that is None matches every variant."""

    kind: str | None = None
    flag: str | None = None
    """Flag that a guard (an automatic check of variants) raised, or ANY_FLAG or NO_FLAG."""
    status: str | None = None
    task: str | None = None
    domain: str | None = None


class VariantRow(NamedTuple):
    """A variant together with its original question."""

    variant: Variant
    question: str


class VariantPage(NamedTuple):
    """One page of at most PAGE_SIZE variants, in the order of their items, newest item first. The variants of each item are in
    the order in which they were added."""

    total: int
    kinds: dict[str, int]
    """Dict from kind to the number of variants with the flag that the filter selects."""
    flags: dict[str, int]
    """Dict from flag to the number of variants of the kind that the filter selects."""
    rows: list[VariantRow]


def load_page(database: Database, wanted: VariantFilter, number: int) -> VariantPage:
    """Return page `number` of the variants that match the filter; the first page is number 1."""
    if not database.has_any("variant"):
        return VariantPage(0, {}, {}, [])
    where, params = _build_filter(wanted)
    [(total,)] = database.rows(f"SELECT count(*) {_FROM} WHERE {where}", params)
    sql = f"""
        SELECT v.id {_FROM} WHERE {where}
        ORDER BY max(v.number) OVER (PARTITION BY v.item) DESC, v.number
        LIMIT ? OFFSET ?
        """
    ids = [row[0] for row in database.rows(sql, [*params, PAGE_SIZE, PAGE_SIZE * (max(1, number) - 1)])]
    on_page = variants.load_variants(database, ids)
    pairs = list(dict.fromkeys((v.item, v.revision) for v in on_page))
    words = {pair: revision.item for pair in pairs if (revision := items.load_revision(database, *pair)) is not None}
    rows = [VariantRow(v, words[v.item, v.revision].question) for v in on_page if (v.item, v.revision) in words]
    return VariantPage(total, _count_kinds(database, wanted), _count_flags(database, wanted), rows)


def count_languages(database: Database, ids: Sequence[str]) -> dict[str, int]:
    """Return a dict from language to the number of the given items in that language."""
    sql = "SELECT language FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    counts = Counter(language for (language,) in fetch_in_batches(database.rows, sql, ids))
    return dict(sorted(counts.items()))


def _count_kinds(database: Database, wanted: VariantFilter) -> dict[str, int]:
    where, params = _build_filter(wanted._replace(kind=None))
    return dict(database.rows(f"SELECT v.kind, count(*) {_FROM} WHERE {where} GROUP BY v.kind ORDER BY v.kind", params))


def _count_flags(database: Database, wanted: VariantFilter) -> dict[str, int]:
    where, params = _build_filter(wanted._replace(flag=None))
    sql = f"""
        SELECT flag, count(*)
        FROM (SELECT unnest(json_extract_string(v.checks, '$.flags[*]')) AS flag {_FROM} WHERE {where})
        GROUP BY flag
        ORDER BY count(*) DESC, flag
        """
    return dict(database.rows(sql, params))


def _build_filter(wanted: VariantFilter) -> tuple[str, list[Any]]:
    columns = {"v.kind": wanted.kind, "v.status": wanted.status, "s.task": wanted.task, "s.domain": wanted.domain}
    conditions, params = build_conditions(columns)
    if wanted.flag in (ANY_FLAG, NO_FLAG):
        conditions.append(IS_FLAGGED if wanted.flag == ANY_FLAG else f"NOT {IS_FLAGGED}")
    elif wanted.flag is not None:
        conditions.append("list_contains(json_extract_string(v.checks, '$.flags[*]'), ?)")
        params.append(wanted.flag)
    return " AND ".join(["true", *conditions]), params
