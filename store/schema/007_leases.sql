-- Who holds which item until when (UTC, ISO format). key = person/item as in scratch; a lease past its time counts as none, and
-- is swept out by the next claim of its item.
CREATE TABLE lease (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    until VARCHAR NOT NULL,
    taken_at VARCHAR NOT NULL
);

-- Append-only: the leases that somebody else ended. what = 'taken over' or 'released'.
CREATE TABLE lease_end (
    number INTEGER PRIMARY KEY,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    ended_by VARCHAR NOT NULL,
    what VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
