"""The board that one comes home to, and the demo."""
