"""Boards of sealed releases: submissions, their scores, and the opening of the seal."""
