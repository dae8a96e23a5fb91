"""Ways to vary a question: each file defines one as its constant PERTURBATION."""
