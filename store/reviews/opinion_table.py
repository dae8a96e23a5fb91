"""Load the opinions of several people on the same items as NumPy columns, in order to compute how far the people agree. Undone
opinions do not count, and only opinions on the same text are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.nouns import Span
from core.statistics.ratings import RatingTable
from store.engine.columns import from_json, spans_from_json
from store.engine.database import Database
from store.queue.effective_reviews import WORK

_OPINIONS = f"""{WORK}, placed AS (
        SELECT w.item, w.revision, w.number, w.person, w.decision, w.reason, w.role = 'opinion' AS is_blind,
            CASE w.role WHEN 'opinion' THEN coalesce(r.base, r.revision) ELSE 0 END AS base,
            coalesce(json_extract(w.details, '$.label_answers')::VARCHAR, '') AS answers
        FROM work w
        JOIN revision r ON r.key = w.item || '@' || w.revision
        WHERE w.role IN ('', 'opinion') AND w.item IN (
            SELECT item FROM work WHERE role IN ('', 'opinion') GROUP BY item HAVING count(DISTINCT person) > 1
        )
    ), last AS (
        SELECT *
        FROM placed
        QUALIFY row_number() OVER (PARTITION BY item, base, person ORDER BY number DESC) = 1
    ), opinions AS (
        SELECT *
        FROM last
        QUALIFY count(*) OVER (PARTITION BY item, base) > 1
    )"""
"""SQL table `opinions`: each person's last opinion on each text that at least two people judged. The column `base` is the
number of the revision that several people were shown; it is 0 for a decision on the item."""
_PLACES = "SELECT unnest(?::VARCHAR[]) AS name, unnest(range(?)) AS place"
"""SQL query that numbers the names of a list from 0; its parameters are the list and its length."""
_LABEL_ANSWERS = """
    SELECT DISTINCT json_extract(details, '$.label_answers')::VARCHAR AS answers
    FROM review
    WHERE answers IS NOT NULL
    ORDER BY answers
    """
_REVISION_BITS = 24
"""Number of bits for the revision's number in an integer that combines item and revision."""


class OpinionText(NamedTuple):
    """Text of an item that people gave opinions on, or that a person wrote as part of an opinion."""

    evidence: tuple[Span, ...]
    answer: str
    """First answer in the text; "" if the text has no answer."""
    language: str
    is_changed: bool
    """Whether the question or an answer differs from the item's first revision."""


@dataclass(frozen=True, slots=True)
class OpinionTable:
    """People's opinions on items that at least two of them judged, as NumPy columns with one row per opinion. The rows of one
    item are adjacent and sorted by person. Opinions on one item are compared only if they concern the same text."""

    items: Any
    """Integer array: a number for each opinion that identifies its item. If several people were shown several texts of an item,
    each text has a separate number."""
    people: Any
    """Integer array: index into `names` for each opinion."""
    decisions: Any
    """Integer array: index into `decided` for each opinion."""
    reasons: Any
    """Integer array: index into `reasoned`, the reasons for discarding, for each opinion. The reason of an acceptance is ""."""
    texts: Any
    """Integer array: index into `read`, the texts, for each opinion."""
    kinds: Any
    """Integer array: index into `kinds_of_items` for each opinion."""
    answered: Any
    """Integer array: index into `label_answers` for each opinion."""
    is_blind: Any
    """Boolean array: whether each opinion was given before the person could see the other people's opinions."""
    names: Sequence[str]
    decided: Sequence[str]
    reasoned: Sequence[str]
    read: Sequence[OpinionText]
    kinds_of_items: Sequence[tuple[str, str, str]]
    """The distinct combinations (task, domain, language) of the items."""
    label_answers: Sequence[Mapping[str, Any]]
    """Distinct sets of answers to label questions, each a dict from question name to answer."""

    def select(self, rows: Any) -> "OpinionTable":
        """Return the table with only the opinions in `rows`, which is a boolean mask or a list of row numbers."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _OPINION_COLUMNS})

    def tabulate(self, labels: Any, values: Sequence[Any]) -> RatingTable:
        """Return a table of ratings by item and person, from which agreement is computed. `labels` has, for each opinion, the
        index of its rating in `values`."""
        return RatingTable(self.items, self.people, labels, values, self.names)

    def tabulate_decisions(self) -> RatingTable:
        """Return a table with people's decisions as ratings by item and person, from which agreement is computed."""
        return self.tabulate(self.decisions, self.decided)


_OPINION_COLUMNS = ("items", "people", "decisions", "reasons", "texts", "kinds", "answered", "is_blind")


def load_opinions(database: Database) -> OpinionTable:
    """Return each person's last opinion or decision on each item that at least two people judged. Undone ones are left out.
    Decisions between opinions are left out, because the person who makes such a decision sees the other people's opinions."""
    import numpy as np

    names, decided, reasoned = (
        [name for (name,) in database.rows(f"SELECT DISTINCT {column} FROM review ORDER BY ALL")]
        for column in ("person", "decision", "reason")
    )
    label_answers = ["", *(answers for (answers,) in database.rows(_LABEL_ANSWERS))]
    kinds = database.rows("SELECT DISTINCT task, domain, language FROM state ORDER BY ALL")
    columns = database.columns(
        f"""
        WITH {_OPINIONS}
        SELECT
            s.number, o.base, o.revision, p.place AS person, d.place AS decision, e.place AS reason, a.place AS answers,
            k.place AS kind, o.is_blind
        FROM opinions o
        JOIN state s ON s.item = o.item
        JOIN ({_PLACES}) p ON p.name = o.person
        JOIN ({_PLACES}) d ON d.name = o.decision
        JOIN ({_PLACES}) e ON e.name = o.reason
        JOIN ({_PLACES}) a ON a.name = o.answers
        JOIN (
            SELECT
                unnest(?::VARCHAR[]) AS task, unnest(?::VARCHAR[]) AS domain, unnest(?::VARCHAR[]) AS language,
                unnest(range(?)) AS place
        ) k ON k.task = s.task AND k.domain = s.domain AND k.language = s.language
        ORDER BY CASE WHEN o.base = 0 THEN o.item ELSE o.item || '@' || o.base END, o.person
        """,
        [
            *(part for known in (names, decided, reasoned, label_answers) for part in (known, len(known))),
            *([kind[column] for kind in kinds] for column in range(3)),
            len(kinds),
        ],
    )
    texts = database.rows(
        f"""
        WITH {_OPINIONS}
        SELECT
            s.number, o.revision, r.evidence, coalesce(json_extract_string(r.answers, '$[0]'), ''), r.language,
            (r.question, r.answers) IS DISTINCT FROM (f.question, f.answers)
        FROM (SELECT DISTINCT item, revision FROM opinions) o
        JOIN state s ON s.item = o.item
        JOIN revision r ON r.key = o.item || '@' || o.revision
        JOIN revision f ON f.key = o.item || '@1'
        ORDER BY s.number, o.revision
        """
    )
    numbers, bases = columns["number"].astype(np.int64), columns["base"]
    is_next = (np.diff(numbers, prepend=numbers[:1]) != 0) | (np.diff(bases, prepend=bases[:1]) != 0)
    keys = np.fromiter((number << _REVISION_BITS | revision for number, revision, *_ in texts), np.int64, len(texts))
    wanted = numbers << _REVISION_BITS | columns["revision"].astype(np.int64)
    places = np.searchsorted(keys, wanted)
    table = OpinionTable(
        items=np.cumsum(is_next),
        people=columns["person"],
        decisions=columns["decision"],
        reasons=columns["reason"],
        texts=places,
        kinds=columns["kind"],
        answered=columns["answers"],
        is_blind=columns["is_blind"],
        names=names,
        decided=decided,
        reasoned=reasoned,
        read=[OpinionText(spans_from_json(evidence), *rest) for _, _, evidence, *rest in texts],
        kinds_of_items=kinds,
        label_answers=[from_json(answers) if answers else {} for answers in label_answers],
    )
    is_read = keys[np.minimum(places, len(keys) - 1)] == wanted if len(keys) else np.zeros(len(wanted), bool)
    return table if is_read.all() else table.select(is_read)  # someone decided on it between the two queries
