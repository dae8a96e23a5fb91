-- Questions on web pages as people are writing them: one row a draft, all that its form holds. It goes when the question is
-- handed in, or dropped.
CREATE TABLE web_draft (
    id VARCHAR PRIMARY KEY,
    person VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    saved_at VARCHAR NOT NULL
);

-- What people say of a question in one of the two phases of its review (its labels; its answers), append-only. `mark` is the JSON
-- of the values that they would give it, or of a discard; two equal ones settle a phase, else somebody resolves.
CREATE TABLE phase_mark (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    item VARCHAR NOT NULL,
    phase VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    mark VARCHAR,
    role VARCHAR NOT NULL,
    comment VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
