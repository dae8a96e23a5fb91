-- A new workspace has no names in two spellings, so that its first opening writes nothing.
INSERT INTO setting (key, value)
SELECT 'names_united', 'true'
WHERE NOT EXISTS (SELECT 1 FROM revision) AND NOT EXISTS (SELECT 1 FROM person) AND NOT EXISTS (SELECT 1 FROM log)
    AND NOT EXISTS (SELECT 1 FROM setting);
