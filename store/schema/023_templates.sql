-- Templates of questions, every version of each (version = hash of the record; record = JSON), and seasons: draws that are frozen.
-- record = seed, n, versions and table hashes, as JSON; items = their ids in order, as JSON.
CREATE TABLE template (
    version VARCHAR PRIMARY KEY,
    id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    record VARCHAR NOT NULL,
    saved_at VARCHAR NOT NULL
);
CREATE TABLE season (
    id VARCHAR PRIMARY KEY,
    record VARCHAR NOT NULL,
    items VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
