"""One way to vary a question a file, its constant PERTURBATION."""
