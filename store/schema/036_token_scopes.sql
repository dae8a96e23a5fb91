-- What a token reaches: all = what its person reaches by routes; metrics = the figures of the server alone.
ALTER TABLE access_token ADD COLUMN scope VARCHAR DEFAULT 'all';
