"""Kinds of injected errors: each file defines one as its constant INJECTED_ERROR, and builders.injected_error.inject applies
them."""
