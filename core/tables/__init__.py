"""Tables of entities (persons, films, companies): rows and columns, relations between tables, and queries. files.py reads rows,
proposal.py and a person describe them, checks.py checks them, the store keeps them."""
