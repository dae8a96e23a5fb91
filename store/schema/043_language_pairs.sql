-- Language pairs: an item and its twin, which asks the same in another language. source = imported, translated or by hand; made_by
-- = the file, the agent or the person. A row is deleted when somebody takes the pair apart; releases keep their own list.
CREATE TABLE language_pair (
    item VARCHAR NOT NULL,
    twin VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (item, twin)
);
