"""Build a graph of a corpus's entities and relations, which an agent extracts chunk by chunk. Entities with the same normalised
name are merged. Communities in the graph, and the part of the graph that matters for a question, can be found."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.nouns import Span

MAX_NAME_CHARACTERS = 120
"""Maximum length in characters of an entity's name; a longer text is not a name."""
MAX_ROUNDS = 10
"""Maximum number of rounds of label propagation, by which communities are found."""


@dataclass(slots=True)
class Entity:
    """One entity of the corpus, with its descriptions and the chunks that mention it."""

    name: str
    """Name of the entity in its first spelling."""
    descriptions: dict[str, None] = field(default_factory=dict)
    chunks: dict[int, None] = field(default_factory=dict)
    """Indexes of the chunks that mention the entity, in order."""


@dataclass(slots=True)
class EntityRelation:
    """The relation between two entities of the graph."""

    source: str
    target: str
    """Normalised name of the second entity, as `source` is of the first."""
    descriptions: dict[str, None] = field(default_factory=dict)
    chunks: dict[int, None] = field(default_factory=dict)


@dataclass(slots=True)
class EntityGraph:
    """Entities by normalised name, and relations by pair of names, both in the order in which they were found."""

    chunks: Sequence[Span]
    entities: dict[str, Entity] = field(default_factory=dict)
    relations: dict[tuple[str, str], EntityRelation] = field(default_factory=dict)

    def add(self, chunk: int, reply: Mapping[str, Any], limit: int) -> int:
        """Add what an agent extracted from a chunk, at most `limit` entities and `limit` relations, and return how many were
        left out."""
        entities = [entity for entity in reply["entities"] if 0 < len(entity["name"].strip()) <= MAX_NAME_CHARACTERS]
        for entity in entities[:limit]:
            name = " ".join(entity["name"].split())
            _describe(self.entities.setdefault(normalise_name(entity["name"]), Entity(name)), chunk, entity["description"])
        ends = [(sorted(map(normalise_name, (r["source"], r["target"]))), r["description"]) for r in reply["relations"]]
        relations = [(pair, description) for pair, description in ends if self.entities.keys() >= set(pair)]
        for (source, target), description in relations[:limit]:
            if source != target:
                relation = self.relations.setdefault((source, target), EntityRelation(source, target))
                _describe(relation, chunk, description)
        return len(reply["entities"]) - min(len(entities), limit) + max(0, len(relations) - limit)

    def list_neighbours(self) -> dict[str, list[str]]:
        """Return a dict from entity to the entities that are related to it."""
        neighbours: dict[str, list[str]] = {name: [] for name in self.entities}
        for source, target in self.relations:
            neighbours[source].append(target)
            neighbours[target].append(source)
        return neighbours


def _describe(part: Entity | EntityRelation, chunk: int, description: str) -> None:
    part.chunks[chunk] = None
    if description:
        part.descriptions[" ".join(description.split())] = None


class GraphNeighbourhood(NamedTuple):
    """The part of the graph that matters for a question: entities, relations and chunks, nearest first."""

    entities: Sequence[str]
    relations: Sequence[EntityRelation]
    chunks: Sequence[int]


def normalise_name(name: str) -> str:
    """Return a form of the entity's name that ignores case, character width, white space, quotation marks and a leading
    article."""
    plain = re.sub(r"[\"'“”‘’《》「」]", "", unicodedata.normalize("NFKC", name)).casefold()
    return re.sub(r"^(?:the|a|an) ", "", " ".join(plain.split())) or plain.strip() or name


def find_neighbourhood(graph: EntityGraph, matched: Sequence[str]) -> GraphNeighbourhood:
    """Return the matched entities with their neighbours, relations and chunks, best first. Relations between two matched
    entities come first, then those stated in most chunks. A chunk's weight is the sum of 1, 1/2, 1/3 ... for the first, second,
    third matched entity that the chunk mentions, plus the same amount for each relation of that entity that the chunk
    states."""
    inner = {name: 1 / place for place, name in enumerate(matched, 1)}
    relations = [r for r in graph.relations.values() if r.source in inner or r.target in inner]
    relations.sort(key=lambda r: (-(r.source in inner) - (r.target in inner), -len(r.chunks)))
    outer = dict.fromkeys(end for r in relations for end in (r.source, r.target) if end not in inner)
    weights: dict[int, float] = {}
    weighted = [(worth, graph.entities[name].chunks) for name, worth in inner.items()]
    weighted += [(max(inner.get(r.source, 0.0), inner.get(r.target, 0.0)), r.chunks) for r in relations]
    for worth, numbers in weighted:
        for number in numbers:
            weights[number] = weights.get(number, 0.0) + worth
    chunks = sorted(weights, key=lambda number: (-weights[number], number))
    return GraphNeighbourhood([*inner, *outer], relations, chunks)


def find_communities(graph: EntityGraph, least: int = 3) -> list[list[str]]:
    """Return groups of at least `least` entities that have more relations among each other than to others, by label propagation
    in a fixed order."""
    neighbours = graph.list_neighbours()
    labels = {name: place for place, name in enumerate(graph.entities)}
    for _ in range(MAX_ROUNDS):
        is_changed = False
        for name, others in neighbours.items():
            if not others:
                continue
            counts = Counter(labels[other] for other in others)
            best = min(counts, key=lambda label: (-counts[label], label != labels[name], label))
            is_changed, labels[name] = is_changed or best != labels[name], best
        if not is_changed:
            break
    groups: dict[int, list[str]] = {}
    for name, label in labels.items():
        groups.setdefault(label, []).append(name)
    return [group for group in groups.values() if len(group) >= least]


def describe_lines(graph: EntityGraph, entities: Iterable[str], relations: Iterable[EntityRelation]) -> list[str]:
    """Return one line per entity (name and descriptions) and per relation (both names and descriptions), for a prompt."""
    named = [(graph.entities[name].name, graph.entities[name].descriptions) for name in entities]
    named += [(f"{graph.entities[r.source].name} - {graph.entities[r.target].name}", r.descriptions) for r in relations]
    return [f"{name}: {' '.join(descriptions)}" if descriptions else name for name, descriptions in named]
