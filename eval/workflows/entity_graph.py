"""A graph of what a corpus speaks of: entities and relations as an agent told them chunk by chunk, merged by normalised name,
its communities, and which of it bears on a question."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.nouns import Span

MAX_NAME_CHARACTERS = 120
"""Characters of an entity's name; what is longer is no name."""
MAX_ROUNDS = 10
"""Of label propagation, at most."""


@dataclass(slots=True)
class Entity:
    """One thing that the corpus names."""

    name: str
    """As it was written first."""
    descriptions: dict[str, None] = field(default_factory=dict)
    chunks: dict[int, None] = field(default_factory=dict)
    """Numbers of the chunks that name it, in order."""


@dataclass(slots=True)
class EntityRelation:
    """What joins two entities."""

    source: str
    target: str
    """Normalised names."""
    descriptions: dict[str, None] = field(default_factory=dict)
    chunks: dict[int, None] = field(default_factory=dict)


@dataclass(slots=True)
class EntityGraph:
    """Entities by normalised name, relations by the pair of them, in the order they were met."""

    chunks: Sequence[Span]
    entities: dict[str, Entity] = field(default_factory=dict)
    relations: dict[tuple[str, str], EntityRelation] = field(default_factory=dict)

    def add(self, chunk: int, told: Mapping[str, Any], most: int) -> int:
        """Takes what an agent told of a chunk, at most so many entities and as many relations; how many it left."""
        names: set[str] = set()
        entities = [one for one in told["entities"] if 0 < len(one["name"].strip()) <= MAX_NAME_CHARACTERS]
        for one in entities[:most]:
            key = normalise_name(one["name"])
            names.add(key)
            entity = self.entities.setdefault(key, Entity(" ".join(one["name"].split())))
            entity.chunks[chunk] = None
            if one["description"]:
                entity.descriptions[" ".join(one["description"].split())] = None
        known = [
            r for r in told["relations"] if {normalise_name(r["source"]), normalise_name(r["target"])} <= self.entities.keys()
        ]
        for one in known[:most]:
            ends = sorted((normalise_name(one["source"]), normalise_name(one["target"])))
            if ends[0] == ends[1]:
                continue
            relation = self.relations.setdefault((ends[0], ends[1]), EntityRelation(ends[0], ends[1]))
            relation.chunks[chunk] = None
            if one["description"]:
                relation.descriptions[" ".join(one["description"].split())] = None
        return len(told["entities"]) - min(len(entities), most) + max(0, len(known) - most)

    def neighbours(self) -> dict[str, list[str]]:
        """Entity -> those that a relation joins it to."""
        found: dict[str, list[str]] = {name: [] for name in self.entities}
        for source, target in self.relations:
            found[source].append(target)
            found[target].append(source)
        return found


class GraphNeighbourhood(NamedTuple):
    """The part of a graph that bears on a question, nearest first."""

    entities: Sequence[str]
    relations: Sequence[EntityRelation]
    chunks: Sequence[int]


def normalise_name(name: str) -> str:
    """Case, width, white space, quotation marks and a leading article do not tell two names apart."""
    plain = re.sub(r"[\"'“”‘’《》「」]", "", unicodedata.normalize("NFKC", name)).casefold()
    return re.sub(r"^(?:the|a|an) ", "", " ".join(plain.split())) or plain.strip() or name


def find_neighbourhood(graph: EntityGraph, matched: Sequence[str]) -> GraphNeighbourhood:
    """The matched entities, their neighbours, the relations that touch the matched (those between two of them first, then those
    told by most chunks) and the chunks of all that. A chunk counts 1, 1/2, 1/3 ... for the first, second, third of the matched
    that it names, and as much for a relation that it tells of one."""
    inner = {name: 1 / place for place, name in enumerate(matched, 1)}
    joined = [r for r in graph.relations.values() if r.source in inner or r.target in inner]
    joined.sort(key=lambda r: (-(r.source in inner) - (r.target in inner), -len(r.chunks)))
    near = dict.fromkeys(end for r in joined for end in (r.source, r.target) if end not in inner)
    weight: dict[int, float] = {}
    told = [(worth, graph.entities[name].chunks) for name, worth in inner.items()]
    told += [(max(inner.get(r.source, 0.0), inner.get(r.target, 0.0)), r.chunks) for r in joined]
    for worth, numbers in told:
        for number in numbers:
            weight[number] = weight.get(number, 0.0) + worth
    chunks = sorted(weight, key=lambda number: (-weight[number], number))
    return GraphNeighbourhood([*inner, *near], joined, chunks)


def find_communities(graph: EntityGraph, least: int = 3) -> list[list[str]]:
    """Groups of entities that are joined more among each other than outwards, by label propagation in a fixed order; those of
    at least so many members."""
    neighbours = graph.neighbours()
    label = {name: place for place, name in enumerate(graph.entities)}
    for _ in range(MAX_ROUNDS):
        changed = False
        for name, others in neighbours.items():
            if not others:
                continue
            counts = Counter(label[other] for other in others)
            best = min(counts, key=lambda one: (-counts[one], one != label[name], one))
            changed, label[name] = changed or best != label[name], best
        if not changed:
            break
    groups: dict[int, list[str]] = {}
    for name, one in label.items():
        groups.setdefault(one, []).append(name)
    return [group for group in groups.values() if len(group) >= least]


def describe_lines(graph: EntityGraph, entities: Iterable[str], relations: Iterable[EntityRelation]) -> list[str]:
    """A line for each: the name and what is said of it; the two names and what joins them."""
    told = [(graph.entities[name].name, graph.entities[name].descriptions) for name in entities]
    told += [(f"{graph.entities[r.source].name} - {graph.entities[r.target].name}", r.descriptions) for r in relations]
    return [f"{name}: {' '.join(said)}" if said else name for name, said in told]
