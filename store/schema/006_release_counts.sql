-- How many items, variants and documents a release holds, so that a list of releases reads no manifest. They are set once, when
-- it is frozen, and follow from the manifest, which never changes.
ALTER TABLE release ADD COLUMN items INTEGER;
ALTER TABLE release ADD COLUMN variants INTEGER;
ALTER TABLE release ADD COLUMN documents INTEGER;
ALTER TABLE release ADD COLUMN unlicensed VARCHAR;
UPDATE release SET
    items = json_array_length(manifest, '$.items'),
    variants = json_array_length(manifest, '$.variants'),
    documents = json_array_length(manifest, '$.documents'),
    unlicensed = json_extract_string(manifest, '$.unlicensed');
