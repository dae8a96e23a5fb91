-- The numbers of the last review and the last comment when a release was frozen: what people decide and say afterwards is no part
-- of its exports. NULL = not known, as for releases that were frozen before this step; then all that stands is.
ALTER TABLE release ADD COLUMN decided INTEGER;
ALTER TABLE release ADD COLUMN said INTEGER;
