"""What lets people and scripts in: passwords, tokens, the secrets of both, and the record of who came."""
