-- tokens: estimated when a document comes in; NULL = not counted yet.
ALTER TABLE document ADD COLUMN tokens INTEGER;

-- Append-only: what people changed of a document beside its text. old and new as they stand in the column `field`.
CREATE TABLE document_change (
    number INTEGER PRIMARY KEY,
    document VARCHAR NOT NULL,
    field VARCHAR NOT NULL,
    old VARCHAR,
    new VARCHAR,
    person VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- Seconds at work, all starts of it together; what a killed process had worked is not in it.
ALTER TABLE job ADD COLUMN seconds DOUBLE;
