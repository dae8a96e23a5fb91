-- How many commits there were, and whether some may stand in the log alone: `store/commits.py` compares this with the file
-- beside the workspace.
CREATE SEQUENCE commits;
CREATE TABLE opened (workspace VARCHAR PRIMARY KEY, is_open BOOLEAN NOT NULL);
INSERT INTO opened VALUES (CAST(uuid() AS VARCHAR), false);
