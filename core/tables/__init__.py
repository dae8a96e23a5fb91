"""Tables of entities (persons, films, companies): rows and columns, relations between tables, and queries. files.py reads rows,
proposal.py proposes specs for people to edit, checks.py checks tables, the store saves them."""
