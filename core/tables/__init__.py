"""Tables of entities: what is known of persons, films, companies in rows and columns, how tables hang together, and how they
are asked. Rows come in by files.py, are described by proposal.py and a person, looked at by checks.py and kept by the store."""
