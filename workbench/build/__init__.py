"""Documents come in, and drafts come out: in bulk as jobs, or one at a time before somebody's eyes."""
