"""Shortcuts: each file defines one way to answer a question without understanding it as its constant SHORTCUT."""
