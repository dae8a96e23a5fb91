-- How each person's name is written here: the first spelling that came. key = the name without case and with single spaces
-- (core/person_name.py). Workspaces made before have the spellings of one name made one when they are opened (store/names.py).
CREATE TABLE spelling (
    key VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL
);
