-- Tables of entities. A row is one snapshot: a spec over rows that never change; the rows of its data stand in a table of their
-- own, named for their hash (data_...), with their place (#) and the columns of the spec. hash = of spec and data; spec = JSON; the
-- newest snapshot of a name that is current is the one in use.
CREATE TABLE knowledge_table (
    hash VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    spec VARCHAR NOT NULL,
    data VARCHAR NOT NULL,
    rows INTEGER NOT NULL,
    origin VARCHAR NOT NULL,
    added_at VARCHAR NOT NULL,
    is_current BOOLEAN NOT NULL
);
