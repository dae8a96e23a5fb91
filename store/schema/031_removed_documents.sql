-- When a document was taken out of the corpus; NULL = it is in it. Its text stays for the releases and decisions that stand on it.
ALTER TABLE document ADD COLUMN removed_at VARCHAR;
