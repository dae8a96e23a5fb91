"""A kind of item: what people filter by, and what the queue's rules are about. It is said of state rows alone, so that a
hundred thousand items cost what a thousand do."""

from typing import Any, NamedTuple

from core.nouns import Level
from store.engine.columns import level_to_text

NO_FLAG, ANY_FLAG = "none", "any"
"""In the place of a gate: every gate passed it; at least one did not."""


class ItemKind(NamedTuple):
    """Which items; None = any."""

    task: str | None = None
    level: Level = None
    domain: str | None = None
    language: str | None = None
    agent: str | None = None
    """Who drafted it."""
    flag: str | None = None
    """A gate that did not pass the current revision, NO_FLAG or ANY_FLAG."""


ANY_KIND = ItemKind()


def build_kind_condition(kind: ItemKind) -> tuple[str, list[Any]]:
    """What a state row `s` must fulfil to be of the kind, and the parameters of it."""
    given = [
        ("task", kind.task),
        ("level", level_to_text(kind.level)),
        ("domain", kind.domain),
        ("language", kind.language),
        ("agent", kind.agent),
    ]
    known = [(name, value) for name, value in given if value is not None]
    parts, params = [f"s.{name} = ?" for name, _ in known], [value for _, value in known]
    if kind.flag in (NO_FLAG, ANY_FLAG):
        parts.append("s.flags = ''" if kind.flag == NO_FLAG else "s.flags <> ''")
    elif kind.flag is not None:
        parts.append("contains(s.flags, ?)")
        params.append(f",{kind.flag},")
    return " AND ".join(parts) or "true", params


def matches_kind(one: ItemKind, flags: str, kind: ItemKind) -> bool:
    """Whether a new item with those values and flags (as in its state's row) is of the kind."""
    asked = kind._replace(level=level_to_text(kind.level), flag=None)
    mine = one._replace(level=level_to_text(one.level))
    is_flagged = {None: True, NO_FLAG: not flags, ANY_FLAG: bool(flags)}.get(kind.flag, f",{kind.flag}," in flags)
    return is_flagged and all(wanted is None or wanted == value for wanted, value in zip(asked, mine, strict=True))
