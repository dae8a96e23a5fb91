-- What a project asks of every reviewer. A question is never deleted: a retired one is asked no more, its answers stay.
CREATE TABLE label_question (
    name VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    record VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
-- The answers that an item has in a release, as they stood when it was frozen.
CREATE TABLE release_label (
    hash VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    answers VARCHAR NOT NULL,
    PRIMARY KEY (hash, item)
);
