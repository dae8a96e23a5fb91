"""Two small tables that lead to one another, and a table of prices over time."""

from core.tables.nouns import TableRelation, TableSpec
from core.tables.world import EntityTable, Tables

PEOPLE = TableSpec(
    name="people",
    columns={"id": "text", "name": "text", "born": "integer"},
    entity="person",
    key="id",
    label="name",
    attributes=("born",),
    relations=(TableRelation(name="films", column="id", to="films", to_column="cast", many=True),),
)
FILMS = TableSpec(
    name="films",
    columns={
        "id": "integer",
        "title": "text",
        "director": "text",
        "cast": "list",
        "released": "date",
        "votes": "integer",
        "rating": "number",
    },
    entity="film",
    key="id",
    label="title",
    attributes=("released", "rating"),
    time="released",
    popularity="votes",
    relations=(
        TableRelation(name="director", column="director", to="people", to_column="id", many=False),
        TableRelation(name="cast", column="cast", to="people", to_column="id", many=True),
    ),
)
PRICES = TableSpec(
    name="prices",
    columns={"ticker": "text", "name": "text", "from": "date", "price": "number"},
    entity="share",
    key="ticker",
    label="name",
    attributes=("price",),
    time="from",
)

PEOPLE_ROWS = [("p1", "Ira Vane", 1950), ("p2", "Odo Lisk", 1961), ("p3", "Ira Vane", 1988)]
FILM_ROWS = [
    (1, "The Long Lamp", "p1", ("p2", "p3"), "1990-05-01", 900, 7.5),
    (2, "A Lamp in Orvel", "p1", ("p2",), "2004-11-20", 60, 6.0),
    (3, "Harbour", "p2", (), "2020", None, None),
    (4, "Harbour", "p9", ("p1",), None, 40, 5.0),
]
PRICE_ROWS = [
    ("ORV", "Orvel Mills", "2030-01-01", 10.0),
    ("ORV", "Orvel Mills", "2031-01-01", 12.5),
    ("LSK", "Lisk", "2030-06-01", 3.0),
]


def films() -> Tables:
    return Tables(
        [
            EntityTable(PEOPLE, PEOPLE_ROWS, "b2:people"),
            EntityTable(FILMS, FILM_ROWS, "b2:films"),
            EntityTable(PRICES, PRICE_ROWS),
        ]
    )
