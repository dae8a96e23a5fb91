-- Prompt trials: two ways to draft on the same windows. sides = [{"agent", "version", "words"}, ...], a first, b second: version =
-- hash of the drafting prompt's version or null for the delivered words, words = {prompt: hash} of all edited prompts in force;
-- settings = as a drafting job has them; seed orders the windows, and the two drafts of each on the screen.
CREATE TABLE trial (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    task VARCHAR NOT NULL,
    domain VARCHAR NOT NULL,
    sides VARCHAR NOT NULL,
    settings VARCHAR NOT NULL,
    windows INTEGER NOT NULL,
    seed BIGINT NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- One window drafted on both sides. key = trial/number; place = the window's key; spans = its text; drafts = what each side came
-- to, a first: state, message, gates, item and verdicts or null, price, seconds, calls; shown_first = a or b.
CREATE TABLE trial_pair (
    key VARCHAR PRIMARY KEY,
    trial VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    place VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    spans VARCHAR NOT NULL,
    drafts VARCHAR NOT NULL,
    shown_first VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- Decisions on pairs, append-only: the last row of a pair counts. id = the button's idempotency key; decisions = {"a", "b"} with
-- decision, question, answer and reason each, null for an undo; preference = a, b, same or ''.
CREATE TABLE trial_answer (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    pair VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    decisions VARCHAR,
    preference VARCHAR NOT NULL,
    seconds DOUBLE,
    made_at VARCHAR NOT NULL
);

-- Trials that are closed: their sides are told, and their drafts went to the items. entered = what went where, counted.
CREATE TABLE trial_end (
    trial VARCHAR PRIMARY KEY,
    entered VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
