-- Edited prompts, append-only. hash is over the words; identities = {language: name@hash} as calls carry them.
CREATE TABLE prompt_version (
    key VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    hash VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    identities VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- Which words stand, append-only: the last row of a name counts; version NULL = the delivered file.
CREATE TABLE prompt_choice (
    number INTEGER PRIMARY KEY,
    name VARCHAR NOT NULL,
    version VARCHAR,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
