-- Nuggets: the short facts that a good answer to an item's question must or may contain. Append-only: of one item and gold answer
-- the last number counts. key = item/gold/number; gold = hash of the gold answer and its language; nuggets = [{text, importance
-- (vital or okay), evidence: [[document, start, end]]}]; prompts = identities of the prompts that gave them, [] for what a person
-- wrote; offline = the offline agent (no LLM) gave them.
CREATE TABLE nugget_set (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    gold VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    language VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    nuggets VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    prompts VARCHAR NOT NULL,
    offline BOOLEAN NOT NULL,
    made_at VARCHAR NOT NULL
);
