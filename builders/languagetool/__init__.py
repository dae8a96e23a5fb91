"""LanguageTool: find or start a server, and check texts with it within time limits."""
