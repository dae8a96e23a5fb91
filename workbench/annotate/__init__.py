"""Contains what people need to review items: the data that the review page (the desk) shows, the storing of their decisions,
and the reviews that led to earlier decisions."""
