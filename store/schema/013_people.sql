-- Who may do what: a role that somebody was given (annotator, lead, researcher, admin; null = none), and whether the person's work
-- here has ended. How it came to that stands in the log.
CREATE TABLE person (
    name VARCHAR PRIMARY KEY,
    role VARCHAR,
    is_removed BOOLEAN NOT NULL
);

-- Append-only: what was done, and what was refused. person null = the terminal, whose file it is; details = JSON.
CREATE TABLE log (
    number INTEGER PRIMARY KEY,
    made_at VARCHAR NOT NULL,
    person VARCHAR,
    act VARCHAR NOT NULL,
    what VARCHAR NOT NULL,
    details VARCHAR NOT NULL,
    is_refused BOOLEAN NOT NULL
);
