-- Templates that a person is writing, or that an agent proposed and nobody has looked at yet: all that the form holds, as JSON.
-- person = '' is a proposal that waits; of = the template that it changes, or ''; about = JSON: which agent, prompt, seed and calls
-- gave the words, and why (NULL = a person wrote them). One that was turned down stays, so that it is not proposed again.
CREATE TABLE template_draft (
    id VARCHAR PRIMARY KEY,
    person VARCHAR NOT NULL,
    of VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    about VARCHAR,
    is_rejected BOOLEAN NOT NULL,
    saved_at VARCHAR NOT NULL
);
-- Who saved a version, and what an agent had to do with its words (JSON, as above).
ALTER TABLE template ADD COLUMN saved_by VARCHAR;
ALTER TABLE template ADD COLUMN about VARCHAR;
