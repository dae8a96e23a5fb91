-- Several people's opinions on one draft, and the order in which drafts wait.

-- base: the revision whose words an opinion, or a decision between opinions, put in another form; NULL = an edit that became the
-- current revision when it landed.
ALTER TABLE revision ADD COLUMN base INTEGER;

-- role: '' = it decides its item; 'opinion' = one of several that are wanted; 'settled' = equal opinions decided, on record under
-- whoever's act made them enough; 'adjudicated' = somebody decided between opinions. An undo has the role of what it takes back:
-- '' all decisions on the item before it, 'opinion' that person's opinions on it.
ALTER TABLE review ADD COLUMN role VARCHAR DEFAULT '';

-- latest: the highest revision number there is. wanted: people whose opinion is wanted, given: opinions that stand; at 1 the first
-- decision decides. place: what waits with a lower one comes first. document: the first that the item was given. flags: the gates
-- that did not pass the current revision, ",a,b,", or "".
ALTER TABLE state ADD COLUMN latest INTEGER;
ALTER TABLE state ADD COLUMN wanted INTEGER DEFAULT 1;
ALTER TABLE state ADD COLUMN given INTEGER DEFAULT 0;
ALTER TABLE state ADD COLUMN place INTEGER DEFAULT 0;
ALTER TABLE state ADD COLUMN document VARCHAR;
ALTER TABLE state ADD COLUMN agent VARCHAR;
ALTER TABLE state ADD COLUMN flags VARCHAR DEFAULT '';
UPDATE state SET
    latest = state.revision,
    document = coalesce(json_extract_string(r.given, '$[0]'), json_extract_string(r.evidence, '$[0][0]')),
    agent = json_extract_string(r.provenance, '$.agent')
FROM revision r
WHERE r.key = state.item || '@' || state.revision;
UPDATE state SET flags = f.flags
FROM (
    SELECT item, revision, ',' || string_agg(DISTINCT gate, ',' ORDER BY gate) || ',' AS flags
    FROM verdict
    WHERE outcome <> 'pass'
    GROUP BY item, revision
) f
WHERE f.item = state.item AND f.revision = state.revision;

-- The opinions that stand on items that wait: derived from the reviews. key = person/item as in scratch.
CREATE TABLE opinion (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    review VARCHAR NOT NULL
);

-- Whom an item that waits was given to: nobody else gets their place. key = person/item.
CREATE TABLE assignment (
    key VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    assigned_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- How many people are wanted on which items, and what comes first; append-only, the newest counts.
CREATE TABLE queue_rule (
    version INTEGER PRIMARY KEY,
    rules VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);
