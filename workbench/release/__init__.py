"""Freeze accepted items as releases, and show, compare, export, import and publish releases."""
