"""Summarise the shortcut certificate of a release, for tables and exports: how many of its questions each shortcut answers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.as_json import Json
from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Item, Run
from core.statistics.clusters import clusters
from eval.shortcut import ANY, ProbeKey
from eval.shortcuts._rates import ItemResult, ShortcutRate, compute_rates, name_probe, record_rate
from store.engine.database import Database
from store.releases import certificates
from store.releases.certificates import Certificate, StoredResult

__all__ = [
    "ANY",
    "GROUPS",
    "AnsweredCount",
    "count_answered",
    "describe_certificate",
    "load_flagged",
    "load_record",
    "rate_shortcuts",
]

GROUPS = ("level", "task", "language", "domain")
"""Names of the properties by which the rates of a certificate can be grouped."""


class AnsweredCount(NamedTuple):
    """Number of questions that a shortcut answers."""

    shortcut: str
    label: str
    n: int


def rate_shortcuts(
    certificate: Certificate, results: Sequence[StoredResult], items: Sequence[Item], by: Sequence[str] = ()
) -> list[ShortcutRate]:
    """Return the rate at which each shortcut answers, for each group of questions; the properties in `by` form the groups.
    Raises BenchError if a name is not in GROUPS."""
    if unknown := [name for name in by if name not in GROUPS]:
        raise BenchError(f"A certificate cannot be grouped by {unknown[0]!r}: choose from {', '.join(GROUPS)}.")
    order = [*certificate.settings["shortcuts"], ANY]
    ordered = sorted(results, key=lambda one: order.index(one.shortcut))
    judged = [
        ItemResult(one.item, ProbeKey(one.shortcut, one.agent), one.is_right, one.chance, one.why, one.has_failed)
        for one in ordered
    ]
    together = clusters({item.id: [span.document for span in item.evidence] for item in items})
    groups = {item.id: tuple(_name_value(getattr(item, name)) for name in by) for item in items}
    return compute_rates(judged, together.of, certificate.seed, groups if by else None)


def load_record(database: Database, release_hash: str, items: Sequence[Item]) -> Mapping[str, Json]:
    """Return the newest certificate of a release as JSON values for an export, with its table and the result of each shortcut
    for each item; {} if there is no certificate."""
    certificate = certificates.find_newest(database, release_hash)
    if certificate is None:
        return {}
    results = certificates.load_results(database, certificate.id)
    return {
        **describe_certificate(certificate),
        "rates": [record_rate(rate) for rate in rate_shortcuts(certificate, results, items)],
        "results": [
            {
                "item": one.item,
                "shortcut": one.shortcut,
                "agent": one.agent or None,
                "right": one.is_right,
                "chance": one.chance,
                "why": one.why,
                "failed": one.has_failed,
                "place": [one.span.document, one.span.start, one.span.end] if one.span else None,
            }
            for one in results
        ],
    }


def load_flagged(database: Database, on: Sequence[Run], shortcuts: Sequence[str]) -> frozenset[str]:
    """Return the ids of the items that these shortcuts answer according to the newest certificates of the runs' releases.
    Raises BenchError if a release has no certificate, or if a certificate did not try one of the shortcuts."""
    flagged: set[str] = set()
    for name, hash_ in _list_contents(on):
        certificate = certificates.find_newest(database, hash_)
        if certificate is None:
            raise BenchError(f"Release {name!r} has no certificate of its shortcuts: `{COMMAND} certificate make {name}`.")
        if untried := sorted(set(shortcuts) - {ANY, *certificate.settings["shortcuts"]}):
            raise BenchError(f"The newest certificate of release {name!r} did not try {untried[0]}: make one that does.")
        flagged.update(certificates.list_flagged(database, certificate.id, shortcuts))
    return frozenset(flagged)


def count_answered(database: Database, on: Sequence[Run]) -> list[AnsweredCount]:
    """Return how many questions of the runs' releases each shortcut answers, beginning with all shortcuts together; [] if a
    release has no certificate."""
    counts: Counter[str] = Counter()
    for _, hash_ in _list_contents(on):
        certificate = certificates.find_newest(database, hash_)
        if certificate is None:
            return []
        counts.update(certificates.count_answered(database, certificate.id))
    ordered = sorted(counts.items(), key=lambda pair: (pair[0] != ANY, pair[0]))
    return [AnsweredCount(name, name_probe(ProbeKey(name)), n) for name, n in ordered]


def _list_contents(on: Sequence[Run]) -> list[tuple[str, str]]:
    """Return (name, hash) of each release that the runs are on."""
    return list(dict.fromkeys((run.release, run.release_hash) for run in on))


def describe_certificate(one: Certificate) -> dict[str, Json]:
    """Return a certificate as JSON values, without its results."""
    return {
        "certificate": one.id,
        "release": one.release,
        "hash": one.release_hash,
        "seed": one.seed,
        "by": one.by,
        "at": one.at,
        **dict(one.settings),
    }


def _name_value(value: object) -> str:
    return "–" if value is None else str(value)
