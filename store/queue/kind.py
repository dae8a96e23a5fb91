"""Define kinds of items (task, level, domain, ...). People filter the review queue by kind, and the queue's rules apply to
kinds. A kind depends only on the state rows of the items, so that filtering a hundred thousand items is as fast as filtering a
thousand."""

from collections.abc import Callable
from typing import Any, NamedTuple

from core.nouns import Level
from store.engine.columns import build_conditions, level_to_text

NO_FLAG, ANY_FLAG = "none", "any"
"""Two values of `ItemKind.flag` that stand for no single gate: all gates passed the item, or at least one gate did not."""


class ItemKind(NamedTuple):
    """Conditions by which the queue selects items. A field that is None matches every item."""

    task: str | None = None
    level: Level = None
    domain: str | None = None
    language: str | None = None
    agent: str | None = None
    """Name of the agent that drafted the item."""
    flag: str | None = None
    """Name of a gate (automatic check) that did not pass the item's current revision, or NO_FLAG or ANY_FLAG."""


ANY_KIND = ItemKind()


def build_kind_condition(kind: ItemKind) -> tuple[str, list[Any]]:
    """Return (SQL condition, its parameters) that selects the items of the kind by their state rows `s`."""
    columns = kind._replace(level=level_to_text(kind.level))._asdict()
    flag = columns.pop("flag")
    conditions, params = build_conditions({f"s.{column}": value for column, value in columns.items()})
    if flag in (NO_FLAG, ANY_FLAG):
        conditions.append("s.flags = ''" if flag == NO_FLAG else "s.flags <> ''")
    elif flag is not None:
        conditions.append("contains(s.flags, ?)")
        params.append(f",{flag},")
    return " AND ".join(conditions) or "true", params


def build_kind_check(kind: ItemKind) -> Callable[[Any], bool]:
    """Return a function that checks whether a state row is of the kind; the result is the same as with the SQL of
    `build_kind_condition`."""
    columns = kind._replace(level=level_to_text(kind.level))._asdict()
    flag = columns.pop("flag")
    wanted = [(name, value) for name, value in columns.items() if value is not None]
    if not wanted and flag is None:
        return lambda row: True
    return lambda row: has_flag(row.flags, flag) and all(getattr(row, name) == value for name, value in wanted)


def has_flag(flags: str, flag: str | None) -> bool:
    """Check whether an item matches the field `flag` of a kind. `flags` is the value of the column `flags` in the item's state
    row."""
    return {None: True, NO_FLAG: not flags, ANY_FLAG: bool(flags)}.get(flag, f",{flag}," in flags)


def matches_kind(item: ItemKind, flags: str, kind: ItemKind) -> bool:
    """Check whether an item is of the kind. `item` has the values of the item; `flags` is the value of the column `flags` in
    its state row."""
    wanted = kind._replace(level=level_to_text(kind.level), flag=None)
    values = item._replace(level=level_to_text(item.level))
    return has_flag(flags, kind.flag) and all(want in (None, value) for want, value in zip(wanted, values, strict=True))
