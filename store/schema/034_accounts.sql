-- Who may sign in. person = the name in the columns that name people: of a local account its name, else "provider:subject" or
-- "header:value". name = what is shown. password_hash = argon2, null = the person signs in elsewhere.
CREATE TABLE account (
    person VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    password_hash VARCHAR,
    made_at VARCHAR NOT NULL,
    made_by VARCHAR
);
-- A link that makes one account. Only the SHA-256 of its secret is stored. person = the only name that it is for; "" = a new name.
-- is_first = for the first owner. made_by null = the terminal.
CREATE TABLE invite (
    id VARCHAR PRIMARY KEY,
    sha256 VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    is_first BOOLEAN NOT NULL,
    made_at VARCHAR NOT NULL,
    made_by VARCHAR,
    expires_at VARCHAR NOT NULL,
    used_at VARCHAR,
    used_by VARCHAR,
    revoked_at VARCHAR
);
-- A secret by which a script acts as a person. Only its SHA-256 is stored.
CREATE TABLE access_token (
    id VARCHAR PRIMARY KEY,
    sha256 VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    made_by VARCHAR,
    expires_at VARCHAR NOT NULL,
    revoked_at VARCHAR,
    used_at VARCHAR
);
-- A person's sessions that began before this time, in seconds since 1970, have ended.
CREATE TABLE session_limit (
    person VARCHAR PRIMARY KEY,
    not_before DOUBLE NOT NULL
);
-- Append-only: who signed in, or was refused, and from where. tried = the person, or the name that was tried.
CREATE TABLE sign_in (
    number INTEGER PRIMARY KEY,
    made_at VARCHAR NOT NULL,
    act VARCHAR NOT NULL,
    tried VARCHAR NOT NULL,
    address VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    is_refused BOOLEAN NOT NULL
);
