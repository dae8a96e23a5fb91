-- What annotators are told, append-only: the newest row of a task counts; task '' = the text for all tasks. version counts over
-- all texts; a review's details carry the one that it was made under as `guideline`.
CREATE TABLE guideline (
    version INTEGER PRIMARY KEY,
    task VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
