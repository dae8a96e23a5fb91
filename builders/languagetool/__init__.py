"""LanguageTool: a server of it, at an address or started here, and questions put to it within time limits."""
