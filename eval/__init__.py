"""Evaluation, from releases to traces, scores and reports. Always imported as 'from eval.x import y'."""
