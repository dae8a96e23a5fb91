"""Presets: tables and figures of papers; each file declares one as its constant PRESET."""
