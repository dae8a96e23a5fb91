"""Contain the launchers, which start the shards of a command on several processes or machines. Each module of this package
defines one launcher."""
