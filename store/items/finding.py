"""Search items by their properties and texts. SQL filters the items, finds the search terms (as substrings, in any order) and
selects the page, so that searching a hundred thousand items takes little longer than searching a thousand."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from core.nouns import Item, Status
from core.quality.difficulty import DifficultyRule
from store.engine.database import Database
from store.items import difficulty_facts
from store.items.current_verdicts import CURRENT_VERDICTS
from store.items.difficulty_facts import DIFFICULT
from store.items.items import fetch_revisions
from store.queue.effective_reviews import EFFECTIVE_REVIEWS
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.queue import WAITING_STATUS

_ANSWERS_LENGTH = "length(r.answers)"
ORDERS: Mapping[str, str] = MappingProxyType(
    {
        "newest": "s.number DESC",
        "oldest": "s.number",
        "overlap": "r.overlap DESC NULLS LAST, s.number",
        "little overlap": "r.overlap NULLS LAST, s.number",
        "longest": f"length(r.question) + {_ANSWERS_LENGTH} DESC, s.number",
        "shortest": f"length(r.question) + {_ANSWERS_LENGTH}, s.number",
    }
)
"""Dict from the name of a sort order to its SQL; items are sorted "by length" by the number of characters of question and
answers."""
LENGTH_ORDERS = tuple(name for name, order in ORDERS.items() if _ANSWERS_LENGTH in order)
"""Names of the sort orders that depend on the length of the answers."""
UNDEFINED_BAND = "undefined"
"""Value of `ItemSearch.difficulty` for items that too few systems answered to have a difficulty band."""
_MEASURED = f"""(
    SELECT json_extract_string(v.details, '$.measured')::INTEGER
    FROM (SELECT item, revision, gate, outcome, details, number FROM verdict WHERE gate = 'level' {CURRENT_VERDICTS}) v
    WHERE v.item = s.item AND v.revision = s.revision
)"""


@dataclass(frozen=True, slots=True)
class ItemSearch:
    """The conditions of an item search. A field with the value None, "" or False sets no condition."""

    kind: ItemKind = field(default_factory=ItemKind)
    status: Status | None = None
    text: str = ""
    """Words that must all occur in the question or an answer, in any order. A phrase in quotation marks must occur
    unchanged."""
    in_evidence: bool = False
    """Whether `text` may also occur in the evidence."""
    in_question_only: bool = False
    """Whether `text` must occur in the question, not only in an answer."""
    excluded: tuple[str, ...] = ()
    """Ids of items that the search leaves out."""
    hidden_answers: tuple[str, ...] = ()
    """Ids of items whose answers count as empty when items are sorted by length."""
    is_exact: bool = False
    """Whether the search distinguishes upper and lower case."""
    prompt: str | None = None
    """Identity (name@hash) of the prompt that drafted the question."""
    person: str | None = None
    """Name of a person whose decision or opinion on the item is in effect."""
    is_edited: bool | None = None
    """True to find only items whose text was edited, False to find only items with their original text."""
    is_commented: bool = False
    """Whether to select only items with a comment that is not withdrawn."""
    is_disputed: bool = False
    """Whether to select only items on which all needed people gave opinions that differ."""
    document: str | None = None
    """Id of a document that the item was drafted from or has evidence in."""
    bulk: str | None = None
    """Id of the job that changed the item in a bulk action."""
    labels: tuple[tuple[str, str], ...] = ()
    """Labels that the item must have, as (name, value) pairs."""
    measured: int | None = None
    """Difficulty level that the level audit measured for the item; 0 selects items without a measured level."""
    difficulty: str | None = None
    """Difficulty band, as in core/quality/difficulty.py, or UNDEFINED_BAND."""
    rule: DifficultyRule = field(default_factory=DifficultyRule)
    """Rule by which the search for `difficulty` decides whether a system solved an item."""
    order: str = "newest"
    """Sort order of the found items, a name in ORDERS."""


class ListPosition(NamedTuple):
    """The position of an item in a list of found items, with its neighbours."""

    before: str | None
    after: str | None
    number: int
    """Position in the list, from 1. If the item is not in the list, this is the position that it would have."""
    of: int
    """Number of items in the whole list of found items."""


def load_page(database: Database, search: ItemSearch, limit: int, offset: int = 0) -> tuple[int, list[Item]]:
    """Return (number of items found, one page of these items in their current state). The page has at most `limit` items and
    begins after the first `offset`."""
    where, params = _build_filter(search)
    [(total,)] = database.rows(f"SELECT count(*) {_build_tables(search)} WHERE {where}", params)
    table, order, hidden = _build_order(search)
    sql = f"""{table}
        SELECT s.item, s.revision, s.status {_build_tables(search, True)}
        WHERE {where}
        ORDER BY {order}
        LIMIT ? OFFSET ?
    """
    return total, fetch_revisions(database.rows, database.rows(sql, [*hidden, *params, limit, offset]))


def list_ids(database: Database, search: ItemSearch) -> list[str]:
    """Return the ids of all items that the search finds, in the search's sort order."""
    where, params = _build_filter(search)
    table, order, hidden = _build_order(search)
    sql = f"{table} SELECT s.item {_build_tables(search, True)} WHERE {where} ORDER BY {order}"
    return [row[0] for row in database.rows(sql, [*hidden, *params])]


def locate_item(database: Database, search: ItemSearch, item: str) -> ListPosition | None:
    """Return the position of the item in the list of found items, or the position that the item would have in this list; None
    if no item has the given id."""
    where, params = _build_filter(search)
    table, order, hidden = _build_order(search)
    rows = database.rows(
        f"""{table},
        listed AS (
            SELECT
                s.item, {where} AS is_in, lag(s.item) OVER w AS before, lead(s.item) OVER w AS after,
                row_number() OVER w AS number
            {_build_tables(search, True)}
            WHERE ({where}) OR s.item = ?
            WINDOW w AS (ORDER BY {order})
        )
        SELECT before, after, number, (SELECT count(*) FILTER (is_in) FROM listed)
        FROM listed
        WHERE item = ?
        """,
        [*hidden, *params, *params, item, item],
    )
    return ListPosition(*rows[0]) if rows else None


def load_flags(database: Database, wanted: Sequence[str]) -> dict[str, list[str]]:
    """Return a dict from item id to the names of the gates that flag the item's current revision."""
    rows = database.rows("SELECT item, flags FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", [list(wanted)])
    return {item: [gate for gate in gates.split(",") if gate] for item, gates in rows}


def list_prompts(database: Database) -> list[str]:
    """Return the identities (name@hash) of the prompts that drafted the questions of items."""
    rows = database.rows("SELECT DISTINCT json_extract_string(provenance, '$.prompt') AS prompt FROM revision ORDER BY prompt")
    return [row[0] for row in rows if row[0] is not None]


def list_people(database: Database) -> list[str]:
    """Return the names of all people who made a decision, or gave an opinion, that is in effect."""
    return [row[0] for row in database.rows(f"WITH {EFFECTIVE_REVIEWS} SELECT DISTINCT person FROM effective ORDER BY person")]


def load_texts(database: Database, language: str, of: str, known: Mapping[str, int]) -> list[tuple[str, int, str | None]]:
    """Return (item, revision, text) for all items in the language. `of` says whether the text is the "question" or the first
    "answer". `known` is a dict from item to revision; if it contains an item's current revision, the item's text is None."""
    text = "r.question" if of == "question" else "coalesce(json_extract_string(r.answers, '$[0]'), '')"
    rows = database.rows("SELECT item, revision FROM state WHERE language = ? ORDER BY number", [language])
    new = [f"{item}@{revision}" for item, revision in rows if known.get(item) != revision]
    sql = f"SELECT r.item, {text} FROM revision r WHERE r.key IN (SELECT unnest(?::VARCHAR[]))"
    texts = dict(database.rows(sql, [new])) if new else {}
    return [(item, revision, texts.get(item)) for item, revision in rows]


def fingerprint(database: Database, language: str) -> tuple[int, int]:
    """Return a value that changes whenever an item in the language is added or edited."""
    [(n, revisions)] = database.rows("SELECT count(*), sum(revision)::BIGINT FROM state WHERE language = ?", [language])
    return n, revisions or 0


def _build_tables(search: ItemSearch, is_ordered: bool = False) -> str:
    """Return the FROM clause of the SQL query for a search. The clause contains the table of the items' texts only if the
    search needs it."""
    has_words = bool(search.text.strip() or search.labels) or (search.prompt, search.document) != (None, None)
    is_wordy = has_words or (is_ordered and "r." in ORDERS[search.order])
    return "FROM state s" + (" JOIN revision r ON r.item = s.item AND r.revision = s.revision" if is_wordy else "")


def _build_order(search: ItemSearch) -> tuple[str, str, list[Any]]:
    """Return (WITH clause that defines the table `hidden`, ORDER BY expression, parameters of the WITH clause) for a search."""
    order = ORDERS[search.order]
    shown = f"CASE WHEN s.item IN (SELECT item FROM hidden) THEN 0 ELSE {_ANSWERS_LENGTH} END"
    return (
        "WITH hidden AS (SELECT unnest(?::VARCHAR[]) AS item)",
        order.replace(_ANSWERS_LENGTH, shown) if search.hidden_answers else order,
        [list(search.hidden_answers)],
    )


def _build_filter(search: ItemSearch) -> tuple[str, list[Any]]:
    where, params = build_kind_condition(search.kind)
    parts = [where]
    if search.status is not None:
        parts.append("s.status = ?")
        params.append(search.status)
    if search.document is not None:
        parts.append("s.document = ? OR contains(r.given, ?) OR contains(r.evidence, ?)")
        params += [search.document] * 3
    if search.is_edited is not None:
        parts.append("s.revision > 1" if search.is_edited else "s.revision = 1")
    if search.is_commented:
        parts.append("""s.item IN (
            SELECT item FROM comment
            WHERE takes_back IS NULL AND id NOT IN (SELECT takes_back FROM comment WHERE takes_back IS NOT NULL)
        )""")
    if search.is_disputed:
        parts.append(f"s.status = '{WAITING_STATUS}' AND s.given >= s.wanted")
    if search.prompt is not None:
        parts.append("json_extract_string(r.provenance, '$.prompt') = ?")
        params.append(search.prompt)
    for name, value in search.labels:
        parts.append("json_extract_string(r.labels, ?) = ?")
        params += [f"$.{name}", value]
    if search.measured is not None:
        parts.append(f"{_MEASURED} = ?" if search.measured else f"{_MEASURED} IS NULL")
        params += [search.measured] if search.measured else []
    if search.difficulty is not None:
        has_band = f"s.item IN ({DIFFICULT})"
        parts.append(f"NOT {has_band}" if search.difficulty == UNDEFINED_BAND else has_band)
        params += [
            *difficulty_facts.rule_parameters(search.rule),
            None if search.difficulty == UNDEFINED_BAND else search.difficulty,
        ]
    if search.person is not None:
        parts.append(f"s.item IN (WITH {EFFECTIVE_REVIEWS} SELECT item FROM effective WHERE person = ?)")
        params.append(search.person)
    if search.bulk is not None:
        parts.append("s.item IN (SELECT key FROM job_item WHERE job = ?)")
        params.append(search.bulk)
    if search.excluded:
        parts.append("s.item NOT IN (SELECT unnest(?::VARCHAR[]))")
        params.append(list(search.excluded))
    if search.text.strip():
        words, values = _build_words_condition(search)
        parts.append(words)
        params += values
    return " AND ".join(f"({part})" for part in parts), params


def parse_terms(text: str) -> list[str]:
    """Return the words and quoted phrases of a search text. An unpaired quotation mark counts as an ordinary character."""
    return [phrase or word for phrase, word in _TERM.findall(text)]


_TERM = re.compile(r'["“”„]([^"“”„]+)["“”„]|(\S+)')


def _build_words_condition(search: ItemSearch) -> tuple[str, list[str]]:
    """Return (SQL condition, its parameters). The condition is true if each search term occurs in the question, in an answer
    or, with `in_evidence`, in the evidence. The condition decodes the answers from JSON, because the quotation marks of the
    JSON text must not be searched."""

    def contains_text(column: str) -> str:
        return f"contains({column}, ?)" if search.is_exact else f"contains(lower({column}), lower(?))"

    answers = "array_to_string(from_json(r.answers, '[\"VARCHAR\"]'), chr(10))"
    places = [contains_text("r.question"), *([] if search.in_question_only else [contains_text(answers)])]
    if search.in_evidence and not search.in_question_only:
        places.append(f"""
            s.item IN (
                SELECT p.item
                FROM (
                    SELECT i.item, unnest(from_json(i.evidence, '["JSON"]')) AS span
                    FROM state t JOIN revision i ON i.item = t.item AND i.revision = t.revision
                ) p
                JOIN document d ON d.id = p.span ->> '$[0]' AND {contains_text("d.text")}
                WHERE {
            contains_text('''substring(d.text, (p.span ->> '$[1]')::BIGINT + 1,
                    (p.span ->> '$[2]')::BIGINT - (p.span ->> '$[1]')::BIGINT)''')
        }
            )""")
    terms = parse_terms(search.text)
    holds_one = " OR ".join(places)
    return " AND ".join(f"({holds_one})" for _ in terms), [term for term in terms for _ in range(holds_one.count("?"))]
