"""Agents, prompts, jobs and the health of the installation."""
