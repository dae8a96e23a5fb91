-- Absence twins: for an item of a release, the passages that are hidden from retrieval when its question is asked as a twin. hash
-- = that of the twin's record, by which manifests of releases name it; hidden = [{document, start, end, why}]. Rows never change.
CREATE TABLE absence_twin (
    hash VARCHAR PRIMARY KEY,
    item VARCHAR NOT NULL,
    hidden VARCHAR NOT NULL
);
