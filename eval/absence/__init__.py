"""Compare what systems answer to items and to their absence twins, which are the same questions with all evidence hidden."""
