-- What each model of each endpoint was found to take. way = what else is asked of it, as JSON: the reasoning effort and further
-- fields; profile = JSON, see agents/openai/profile.py.
CREATE TABLE profile (
    endpoint VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    way VARCHAR NOT NULL,
    profile VARCHAR NOT NULL,
    learned_at VARCHAR NOT NULL,
    PRIMARY KEY (endpoint, model, way)
);
-- Of a call: tokens of thinking are part of tokens_out; thinking = what the model thought before its text; not_taken = JSON list of
-- what was asked for and the endpoint does not take.
ALTER TABLE call ADD COLUMN tokens_thinking BIGINT;
ALTER TABLE call ADD COLUMN thinking VARCHAR;
ALTER TABLE call ADD COLUMN not_taken VARCHAR;
ALTER TABLE trace ADD COLUMN tokens_thinking BIGINT;
ALTER TABLE trace ADD COLUMN not_taken VARCHAR;
-- Thoughts that stand in the text of earlier replies are taken off as they are now when a reply enters.
UPDATE call
SET
    thinking = trim(replace(regexp_extract(text, '^(.*)</think>', 1, 's'), '<think>', ''), ' ' || chr(10)),
    text = ltrim(regexp_replace(text, '^.*</think>', '', 's'), ' ' || chr(10))
WHERE text LIKE '%</think>%';
