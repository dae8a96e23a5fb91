-- Contests: what somebody says is wrong with an item of a release. id = the hash of what is said, so that the same contest is one
-- row. kind = wrong_answer, missing_answer, bad_evidence, unclear_question or other; answer = what is proposed instead, '' = none;
-- source = 'file' or 'app'. Rows never change.
CREATE TABLE contest (
    id VARCHAR PRIMARY KEY,
    release VARCHAR NOT NULL,
    release_hash VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    received_at VARCHAR NOT NULL,
    number BIGINT NOT NULL
);

-- Decisions on contests. Append-only: of one contest the last number counts. decision = accept or dismiss; revision = that of the
-- corrected item, NULL with accept = the item is withdrawn.
CREATE TABLE contest_decision (
    contest VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    revision INTEGER,
    reason VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (contest, number)
);
