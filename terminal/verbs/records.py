"""Command-line verbs that list people's reviews, runs, and the answers and scores of a run."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from core.as_json import as_json
from core.nouns import Score, Trace
from core.records import pick_fields
from terminal.output import describe_retry, show
from terminal.session import Session

RUN_COUNTS = ("asked", "answered", "failed", "scored", "at")
TRACE_FIELDS = tuple(field.name for field in fields(Trace) if field.name != "steps")
SCORE_FIELDS = tuple(field.name for field in fields(Score))
REVIEW_FIELDS = ("id", "item", "revision", "person", "decision", "reason", "comment", "seconds", "at", "role", "details")


def reviews(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        listed = b.item_list.list_reviews()
    records = [pick_fields(one.review, REVIEW_FIELDS) | {"effective": one.is_effective} for one in listed]
    people = {r["id"]: r["person"] for r in records}
    lines = [f"{r['at'][:19]}  {r['item']} r{r['revision']}  {_name_reviewers(r, people)}  {r['reason']}" for r in records]
    show(session, options, records, "\n".join(map(str.rstrip, lines)) or "No reviews.")


def _name_reviewers(record: Mapping[str, Any], people: Mapping[str, str]) -> str:
    """Return the decision of a review with the people who took it. Equal opinions decide an item when the last one is given, or
    when somebody changes the rules so that no more are needed: that person gave no opinion."""
    given = [people[id_] for id_ in record["details"].get("of", ()) if id_ in people] if record["role"] == "settled" else []
    text = f"{record['decision']} by {' and '.join(given) or record['person']}"
    ruler = record["details"].get("ruled_by") or record["person"]  # older reviews have the ruler as their person
    return f"{text}, by the rules of {ruler}" if given and ruler not in given else text


def runs(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        listed = b.reports.runs(options.release)
    records = [
        {
            **{name: getattr(line.run, name) for name in ("id", "agent", "release", "repetition")},
            "system": line.run.system.name,
            "settings": as_json(line.run.system.settings),
            "offline": list(line.run.offline),
            **pick_fields(line.tally, RUN_COUNTS),
        }
        for line in listed
    ]
    lines = [f"{line.run.id}  {line.name}  {line.tally.answered} answered, {line.tally.failed} failed" for line in listed]
    if failed := sum(line.tally.failed for line in listed):
        lines.append(describe_retry(failed))
    show(session, options, records, "\n".join(lines) or "No runs.")


def traces(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records = [pick_fields(trace, TRACE_FIELDS) for trace in b.run_exports.list_traces(options.run)]
    lines = [f"{r['item']}  {r['variant'] or ''}  {r['answer'] if r['error'] is None else r['error']}" for r in records]
    show(session, options, records, "\n".join(lines) or "No answers yet.")


def scores(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records = [pick_fields(score, SCORE_FIELDS) for score in b.run_exports.list_scores(options.run)]
    lines = [
        f"{r['item']}  {r['variant'] or ''}  {r['metric']}  {r['why'] if r['value'] is None else r['value']}" for r in records
    ]
    show(session, options, records, "\n".join(lines) or "No scores yet.")
