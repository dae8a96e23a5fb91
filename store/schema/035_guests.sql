-- The only release that a guest sees; null for every other role.
ALTER TABLE person ADD COLUMN release VARCHAR;
ALTER TABLE invite ADD COLUMN release VARCHAR;
