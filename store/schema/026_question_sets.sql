-- Questions about gold answers, with the answers that the gold answer gives to each: what rag_quest_eval asks of an answer.
-- Append-only: of one item and gold answer the last number counts. key = item/gold/number; gold = hash of the gold answer and its
-- language; pairs = [[question, answer]], of which
-- the gold answer answers `answered`; prompts = identities of the prompts that gave them, [] for what a person wrote;
-- offline = the offline agent (no LLM) gave them.
CREATE TABLE question_set (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    gold VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    language VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    pairs VARCHAR NOT NULL,
    answered INTEGER NOT NULL,
    made_by VARCHAR NOT NULL,
    prompts VARCHAR NOT NULL,
    offline BOOLEAN NOT NULL,
    made_at VARCHAR NOT NULL
);
