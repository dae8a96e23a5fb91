-- Batches of answers that people grade blind. runs = ids; of = '' for whole answers, else the name of the judged metric whose single
-- verdicts are graded; by = what strata are told apart by; sizes = {run: {stratum: answers or verdicts there are}}; each = how many
-- of a run and stratum; graders = blind marks wanted; seed draws and orders.
CREATE TABLE grading (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    release VARCHAR NOT NULL,
    runs VARCHAR NOT NULL,
    scheme VARCHAR NOT NULL,
    "of" VARCHAR NOT NULL,
    "by" VARCHAR NOT NULL,
    sizes VARCHAR NOT NULL,
    "each" INTEGER NOT NULL,
    graders INTEGER NOT NULL,
    seed BIGINT NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- What is graded, in the order in which it comes. key = grading/number; variant '' = the item itself; verdict = the judge's as it
-- stood then ({"n", "side", "sentence", "value", "judge", "prompt"}), NULL for a whole answer; mark = given by rule, with its why:
-- nobody is asked; NULL = people grade it.
CREATE TABLE grading_place (
    key VARCHAR PRIMARY KEY,
    grading VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    stratum VARCHAR NOT NULL,
    verdict VARCHAR,
    mark VARCHAR,
    why VARCHAR NOT NULL
);

-- Marks, append-only: of one person the last counts. id = the button's idempotency key; mark NULL = taken back; role = '' for who
-- grades blind, resolves for who decides between those.
CREATE TABLE grade (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    place VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    mark VARCHAR,
    role VARCHAR NOT NULL,
    comment VARCHAR NOT NULL,
    seconds DOUBLE,
    made_at VARCHAR NOT NULL
);

-- Batches that are done: their systems are told, and nobody grades them any more.
CREATE TABLE grading_end (
    grading VARCHAR PRIMARY KEY,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
