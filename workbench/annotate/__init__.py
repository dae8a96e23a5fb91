"""People review items here: data for the desk, decisions on items, and reviews of earlier decisions."""
