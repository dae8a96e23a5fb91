-- That a person passed an item over and why, append-only. It counts as long as the item waits in that revision.
CREATE TABLE skip (
    id VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    person VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
