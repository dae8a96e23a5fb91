-- Planted items: copies of accepted items in which one thing is wrong, or none. They stand apart from all items. words =
-- {"question", "answers", "evidence"}, truth = {"gone", "put", "why"}; flaw = the name of a flaw.
CREATE TABLE plant (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    source VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    flaw VARCHAR NOT NULL,
    words VARCHAR NOT NULL,
    truth VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- A plant that came to a person out of the queue. key = person/plant; after = the item that was on the desk before it, '' = none;
-- dated = when it seems to have been drafted; times = how often it came, skipped the times before.
CREATE TABLE plant_given (
    key VARCHAR PRIMARY KEY,
    plant VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    after VARCHAR NOT NULL,
    dated VARCHAR NOT NULL,
    times INTEGER NOT NULL,
    made_at VARCHAR NOT NULL
);

-- A person's rounds of practice, append-only. key = person/round; plants = their ids in order; passing = right ones that pass.
CREATE TABLE practice_round (
    key VARCHAR PRIMARY KEY,
    person VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    plants VARCHAR NOT NULL,
    passing INTEGER NOT NULL,
    made_at VARCHAR NOT NULL
);

-- Decisions on plants, append-only. id = the button's idempotency key; round = of practice, 0 = out of the queue; words = what
-- was on the screen; is_right = NULL for an undo, which takes back what this person decided on that plant before.
CREATE TABLE plant_answer (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    plant VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    decision VARCHAR NOT NULL,
    words VARCHAR NOT NULL,
    seconds DOUBLE,
    is_right BOOLEAN,
    made_at VARCHAR NOT NULL
);

-- What a person answered before the draft's answer was shown, append-only: the first alone. key = person/item.
CREATE TABLE own_answer (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    seconds DOUBLE,
    made_at VARCHAR NOT NULL
);
