-- What people say about an item, append-only, in the order it was said. A row with `takes_back` is the mark by which its person
-- took that comment of theirs back; its own text is empty.
CREATE TABLE comment (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    takes_back VARCHAR,
    made_at VARCHAR NOT NULL
);
