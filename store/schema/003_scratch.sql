-- What a person has typed on an item and not submitted. key = person/item, a slash within the name escaped; words = {"question", "answer", "evidence"}.
CREATE TABLE scratch (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    words VARCHAR NOT NULL,
    seconds DOUBLE,
    made_at VARCHAR NOT NULL
);

-- What else belongs to a decision: marks on claims, words that were typed and then discarded. NULL = nothing.
ALTER TABLE review ADD COLUMN details VARCHAR;
