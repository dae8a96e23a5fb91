"""Exchange with the Hugging Face hub: import data sets and publish releases."""
