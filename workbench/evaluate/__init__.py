"""Runs systems on releases: estimates, answers, scores, reports, and views of single questions."""
