"""Absence twins: an item's question, asked on a corpus from which all passages that prove its answer were taken out."""
