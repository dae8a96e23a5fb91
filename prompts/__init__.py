"""Files of words -> Prompt."""
