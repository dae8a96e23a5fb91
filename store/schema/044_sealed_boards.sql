-- Seals of releases. release_hash = hash of manifest, the public manifest, in which commitments stand for what is hidden; the
-- table release has the whole manifest under the same hash. splits = the sealed splits. Rows never change.
CREATE TABLE seal (
    release_hash VARCHAR PRIMARY KEY,
    manifest VARCHAR NOT NULL,
    splits VARCHAR NOT NULL
);

-- What a seal commits to: one row per sealed item, and one for the whole manifest (item = ''). public_id = the random id that an
-- export shows. salt is secret until the seal is opened: no export, page, log or message contains it. Rows never change.
CREATE TABLE sealed_part (
    release_hash VARCHAR NOT NULL,
    public_id VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    salt VARCHAR NOT NULL,
    commitment VARCHAR NOT NULL,
    PRIMARY KEY (release_hash, public_id)
);

-- Record of the board of a sealed release. Append-only: previous = hash of the entry with the number before, so that a removed,
-- changed or reordered entry is found. kind = sealed, rules, submitted, scored or opened; content is JSON.
CREATE TABLE board_entry (
    release_hash VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    previous VARCHAR NOT NULL,
    hash VARCHAR NOT NULL,
    PRIMARY KEY (release_hash, number)
);

-- The predictions of a submission, as they were sent; number = that of its entry. Rows never change.
CREATE TABLE submitted_file (
    release_hash VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    predictions VARCHAR NOT NULL,
    PRIMARY KEY (release_hash, number)
);
