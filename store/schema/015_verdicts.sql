-- Verdicts are append-only: a gate that finds something else than before adds a row. `number` keeps the order in which they came.
CREATE TABLE verdict_made (
    number BIGINT PRIMARY KEY,
    item VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    gate VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    details VARCHAR NOT NULL,
    calls VARCHAR NOT NULL,
    made_at VARCHAR
);
INSERT INTO verdict_made
SELECT row_number() OVER (ORDER BY item, revision, gate, version), item, revision, gate, version, outcome, why, details, calls, NULL
FROM verdict;
DROP TABLE verdict;
ALTER TABLE verdict_made RENAME TO verdict;

-- The number of the last verdict when a release was frozen, and what people had made of the drafts of its kinds by then (JSON).
-- NULL = not known, as for releases that were frozen before this step.
ALTER TABLE release ADD COLUMN judged BIGINT;
ALTER TABLE release ADD COLUMN people VARCHAR;
