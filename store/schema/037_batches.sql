-- Requests that wait for their batch: folder = where their files are; file = NULL until the request is in a file; agent = JSON
-- {"name", "settings", "owner"}, how the command names it; how = JSON of what reading the reply needs (agents/openai/openai_batch.py);
-- tries = replies that could not be used; kind and error = why the request is not asked again, NULL while it waits.
CREATE TABLE batch_request (
    folder VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    file VARCHAR,
    agent VARCHAR NOT NULL,
    endpoint VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    skill VARCHAR NOT NULL,
    job VARCHAR,
    request VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    how VARCHAR NOT NULL,
    price_now DOUBLE,
    price DOUBLE,
    tries INTEGER NOT NULL,
    kind VARCHAR,
    error VARCHAR,
    PRIMARY KEY (folder, key)
);
-- The files of requests; batch = id at the endpoint, NULL until the file was sent; status = as the endpoint last told.
CREATE TABLE batch_file (
    folder VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    endpoint VARCHAR NOT NULL,
    requests INTEGER NOT NULL,
    batch VARCHAR,
    status VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (folder, name)
);
-- Folder in which a job collects its requests for a batch; NULL = the job asks at once.
ALTER TABLE job ADD COLUMN batch VARCHAR;
