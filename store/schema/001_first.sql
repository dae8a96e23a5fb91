-- Primary keys only: no secondary index, no foreign key (platform.md, 3.4). A primary key of ONE column where single rows
-- are looked up: DuckDB finds a row by one column's key in 0.5 ms and scans for a key of several.
-- JSON stands as text. Times are UTC in ISO format. `number` keeps the order in which things came.

CREATE TABLE document (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    domain VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    origin VARCHAR NOT NULL,
    licence VARCHAR,
    published VARCHAR,
    meta VARCHAR NOT NULL,
    characters INTEGER NOT NULL,
    text VARCHAR NOT NULL
);

-- Append-only. key = item@revision. `status` is what the item is when this revision lands, before any review of it.
CREATE TABLE revision (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    number INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    level VARCHAR,
    domain VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    answers VARCHAR NOT NULL,
    evidence VARCHAR NOT NULL,
    labels VARCHAR NOT NULL,
    inputs VARCHAR NOT NULL,
    given VARCHAR NOT NULL,
    steps VARCHAR NOT NULL,
    overlap DOUBLE,
    provenance VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- What is current, one row an item, written in the transaction of the revision or review that changed it; rebuildable.
CREATE TABLE state (
    item VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    level VARCHAR,
    domain VARCHAR NOT NULL,
    language VARCHAR NOT NULL
);

CREATE TABLE verdict (
    item VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    gate VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    details VARCHAR NOT NULL,
    calls VARCHAR NOT NULL,
    PRIMARY KEY (item, revision, gate, version)
);

-- `status` is rebuildable from born_status and the reviews.
CREATE TABLE variant (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    item VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    born_status VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    generator VARCHAR NOT NULL,
    seed BIGINT,
    checks VARCHAR NOT NULL
);

-- Append-only. id = the button's idempotency key; item = id of an item or of a variant.
CREATE TABLE review (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    item VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    person VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    comment VARCHAR NOT NULL,
    seconds DOUBLE,
    made_at VARCHAR NOT NULL
);

-- One task is never drafted twice from one place (window).
CREATE TABLE tried (
    task VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    job VARCHAR NOT NULL,
    PRIMARY KEY (task, place)
);

-- `secret` salts the hashes of withheld golds and is never exported. Only the release "working" has several rows.
CREATE TABLE release (
    name VARCHAR NOT NULL,
    hash VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    manifest VARCHAR NOT NULL,
    secret VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (name, hash)
);

-- The status that a variant had when it was frozen.
CREATE TABLE release_variant (
    hash VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    PRIMARY KEY (hash, variant)
);

-- `asked` = [[item, variant or null], ...] that the run is to answer.
CREATE TABLE run (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    identity VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    settings VARCHAR NOT NULL,
    release VARCHAR NOT NULL,
    release_hash VARCHAR NOT NULL,
    agent VARCHAR,
    config VARCHAR NOT NULL,
    repetition INTEGER NOT NULL,
    offline VARCHAR NOT NULL,
    asked VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- variant = '' for the item itself, here and in score and judged.
CREATE TABLE trace (
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    answer VARCHAR,
    retrieved VARCHAR,
    steps VARCHAR NOT NULL,
    calls INTEGER NOT NULL,
    tokens_in BIGINT,
    tokens_out BIGINT,
    seconds DOUBLE,
    stop VARCHAR NOT NULL,
    error VARCHAR,
    PRIMARY KEY (run, item, variant)
);

CREATE TABLE score (
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    value DOUBLE,
    why VARCHAR NOT NULL,
    PRIMARY KEY (run, item, variant, metric, version)
);

-- A judge's single verdicts with its words, beside the scores made of them.
CREATE TABLE judged (
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    details VARCHAR NOT NULL,
    PRIMARY KEY (run, item, variant, metric, version)
);

-- The ledger, append-only. An answered call's id is the hash of its whole request; failed ones have ids of their own.
-- attempts: requests that left this process; NULL when the call was broken off and nobody knows.
-- charged: what a budget was charged: the price, or the worst price where the endpoint did not say what it counted.
CREATE TABLE call (
    id VARCHAR PRIMARY KEY,
    key VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    skill VARCHAR NOT NULL,
    job VARCHAR,
    request VARCHAR NOT NULL,
    text VARCHAR,
    raw VARCHAR,
    finish VARCHAR,
    tokens_in BIGINT,
    tokens_out BIGINT,
    logprobs VARCHAR,
    price DOUBLE,
    charged DOUBLE,
    seconds DOUBLE,
    waited DOUBLE,
    attempts INTEGER,
    kind VARCHAR,
    error VARCHAR,
    made_at VARCHAR NOT NULL
);

CREATE TABLE job (
    id VARCHAR PRIMARY KEY,
    number INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    params VARCHAR NOT NULL,
    budget DOUBLE,
    state VARCHAR NOT NULL,
    total INTEGER,
    cancel BOOLEAN NOT NULL,
    owner VARCHAR,
    heartbeat VARCHAR,
    error VARCHAR,
    result VARCHAR,
    made_at VARCHAR NOT NULL
);

CREATE TABLE job_item (
    job VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    attempts INTEGER NOT NULL,
    result VARCHAR,
    error VARCHAR,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (job, key)
);

CREATE TABLE setting (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
