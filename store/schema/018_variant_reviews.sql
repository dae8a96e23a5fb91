-- Who has which variant on the screen until when. A lease past its time is none; one of a person's goes when the next is taken.
CREATE TABLE variant_lease (
    variant VARCHAR PRIMARY KEY,
    person VARCHAR NOT NULL,
    until VARCHAR NOT NULL
);

-- A sample of variants that two people judge without seeing each other's word; it never changes once it is drawn.
-- `asked`, `kinds`, `seed`: what it was drawn by. `variants` = ids in the order they are judged; `strata` = [[kind, how many there
-- were, how many were drawn], ...]; `reviewers` = the two named beforehand, [] = the first two who judge one.
CREATE TABLE variant_sample (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    kinds VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    variants VARCHAR NOT NULL,
    strata VARCHAR NOT NULL,
    reviewers VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- Append-only: a person's last row on a variant of a sample is their word; NULL answers take it back. id = the key of the press.
CREATE TABLE variant_judgement (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    sample VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    applied BOOLEAN,
    kept BOOLEAN,
    comment VARCHAR NOT NULL,
    seconds DOUBLE,
    made_at VARCHAR NOT NULL
);
