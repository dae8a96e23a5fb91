"""Launchers start the shards of a command on several processes or machines. Each module defines one."""
