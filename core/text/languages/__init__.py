"""Supported languages: each file describes one; core/text/language.py documents the fields."""
