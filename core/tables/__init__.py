"""Tables of entities such as persons, films or companies: their rows and columns, the relations between tables, and queries.
files.py reads rows, proposal.py proposes specs for people to edit, checks.py checks tables, and the store saves them."""
