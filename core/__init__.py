"""The ground floor: nouns, errors, text, search, agents. Imports nothing of ours."""
