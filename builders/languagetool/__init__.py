"""Check grammar with LanguageTool: find or start its server, and check texts within time limits."""
