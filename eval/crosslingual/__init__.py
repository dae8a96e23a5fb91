"""Compare what systems answer to items and to their twins in another language."""
