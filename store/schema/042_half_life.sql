-- Half-life checks: the questions of a release asked again of newer tables and pages. checked_on = the day of the newer data (ISO
-- date); inputs = hashes of the tables and pages, the agent and its prompts, as JSON. Rows never change.
CREATE TABLE half_life_check (
    id VARCHAR PRIMARY KEY,
    release VARCHAR NOT NULL,
    release_hash VARCHAR NOT NULL,
    checked_on VARCHAR NOT NULL,
    inputs VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    number BIGINT NOT NULL
);

-- What a check found about each item: outcome = unchanged, changed, gone, not_found or not_asked; before and after = the answers,
-- '' = none known; days = from the date of the released answer to the check.
CREATE TABLE checked_answer (
    half_life_check VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    before VARCHAR NOT NULL,
    after VARCHAR NOT NULL,
    days INTEGER NOT NULL,
    PRIMARY KEY (half_life_check, item)
);
