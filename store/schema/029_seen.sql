-- What a person has looked at of what their first page told them: a comment that mentions them, a version of a guideline.
CREATE TABLE seen (key VARCHAR PRIMARY KEY, person VARCHAR NOT NULL, thing VARCHAR NOT NULL, made_at VARCHAR NOT NULL);
