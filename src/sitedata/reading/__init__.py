"""Models of the snapshot, parsing, encoding and checking."""
