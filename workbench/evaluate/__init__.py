"""Run systems on releases: estimate runs, answer and score questions, report results, and show single questions."""
