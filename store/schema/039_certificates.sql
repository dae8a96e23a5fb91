-- Shortcut certificates of releases: which questions can be answered without understanding. Append-only: of one release content
-- the last number counts. settings = {shortcuts, agents, offline, threshold, passages, chunk_tokens, runs}; seed chose the other
-- questions whose gold answers measure chance.
CREATE TABLE certificate (
    id VARCHAR PRIMARY KEY,
    release VARCHAR NOT NULL,
    release_hash VARCHAR NOT NULL,
    settings VARCHAR NOT NULL,
    seed INTEGER NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    number BIGINT NOT NULL
);

-- What one shortcut does with one question; shortcut 'any' = all of them together. is_right NULL = nothing can be said, for the
-- reason in why; failed = because the shortcut gave no answer. chance = share of the gold answers of other
-- questions by which the same answer is right. A passage is not stored: document, start and stop say where it stands.
CREATE TABLE shortcut_result (
    certificate VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    shortcut VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    is_right BOOLEAN,
    chance DOUBLE,
    answer VARCHAR,
    why VARCHAR NOT NULL,
    failed BOOLEAN NOT NULL,
    document VARCHAR,
    start INTEGER,
    stop INTEGER,
    PRIMARY KEY (certificate, item, shortcut, agent)
);
