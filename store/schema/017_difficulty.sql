-- How hard the items of a release were, by the traces that were there when it was frozen (JSON). NULL = not known, as for releases
-- that were frozen before this step.
ALTER TABLE release ADD COLUMN difficulty VARCHAR;
