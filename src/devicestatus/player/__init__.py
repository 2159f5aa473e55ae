"""The consumer's end of the window."""
