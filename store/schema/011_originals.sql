-- The file that a document was read from, where its pages can be shown: never part of a release. Its bytes stand in pieces,
-- key = document/number from 0, so that none is held whole to read a part.
CREATE TABLE original (
    document VARCHAR PRIMARY KEY,
    size BIGINT NOT NULL,
    pieces INTEGER NOT NULL
);

CREATE TABLE original_piece (
    key VARCHAR PRIMARY KEY,
    bytes BLOB NOT NULL
);
