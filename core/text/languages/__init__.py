"""Rows of languages, one file each; core/text/language.py says what a row holds."""
