"""Freeze sets of template questions as seasons, and recompute the answers of template questions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builders.templates.entity_naming import Owners
from builders.templates.question_maker import QuestionMaker, RefreshedItem, find_step
from builders.templates.templates import check_template, template_from_record
from core.errors import BenchError
from core.ids import content_hash, derived_id
from core.nouns import Item
from core.tables.world import Tables


@dataclass(frozen=True, slots=True)
class Season:
    """A frozen set of template questions, identified by the hash of its seed, templates, tables and items. Results can be
    compared only if they were measured on the same season."""

    seed: int
    templates: Mapping[str, str]
    """A dict from template id to the version of the template."""
    tables: Mapping[str, str]
    """A dict from table name to the hash of the table's snapshot."""
    items: tuple[str, ...]

    @property
    def id(self) -> str:
        return derived_id(self.seed, sorted(self.templates.items()), self.data_hash, *self.items)

    @property
    def n(self) -> int:
        return len(self.items)

    @property
    def data_hash(self) -> str:
        return content_hash(dict(self.tables))

    def record(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "seed": self.seed,
            "n": self.n,
            "templates": dict(self.templates),
            "tables": dict(self.tables),
            "data_hash": self.data_hash,
        }


def season(items: Sequence[Item], seed: int) -> Season:
    """Return the season made of these items. Raises BenchError if the items use several snapshots of one table."""
    templates: dict[str, str] = {}
    hashes: dict[str, str] = {}
    for item in items:
        step = find_step(item, "template")
        templates[step["template"]["id"]] = step["version"]
        for name, hash in find_step(item, "tables")["tables"].items():
            if hashes.setdefault(name, hash) != hash:
                raise BenchError(f"These questions use several snapshots of table {name}: refresh them to one snapshot first.")
    return Season(seed, templates, hashes, tuple(item.id for item in items))


def templates_of(items: Iterable[Item]) -> dict[str, Mapping[str, Any]]:
    """Return the templates from which the items were made, as a dict from version to record. Raises BenchError if an item was
    not made from a template."""
    return {step["version"]: step["template"] for step in (find_step(item, "template") for item in items)}


def refresh(tables: Tables, items: Iterable[Item], now: str | None = None) -> Iterator[RefreshedItem]:
    """Yield the same questions one by one, with their answers recomputed from these tables. An item keeps its id if its rows
    are unchanged. Raises BenchError if an item was not made from a template, or if its template does not fit the tables."""
    askers: dict[str, QuestionMaker] = {}
    owners: Owners = {}
    for item in items:
        step = find_step(item, "template")
        name = content_hash([step["version"], step["seed"]])
        if name not in askers:
            template = template_from_record(step["template"])
            check_template(template, tables)
            askers[name] = QuestionMaker(tables, template, int(step["seed"]), now, owners=owners)
        yield askers[name].refresh_item(item, step)
