"""Supported languages, one file each; core/text/language.py describes the fields."""
