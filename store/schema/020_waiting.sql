-- What an answer waited for, kept apart from its service time: a free place, and attempts that failed. NULL = not measured, as for
-- what was stored before this step.
ALTER TABLE trace ADD COLUMN queued DOUBLE;
ALTER TABLE trace ADD COLUMN retrying DOUBLE;
ALTER TABLE call ADD COLUMN retrying DOUBLE;
