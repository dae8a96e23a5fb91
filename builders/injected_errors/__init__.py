"""One kind of injected error a file: INJECTED_ERROR. builders.injected_error.inject applies them."""
