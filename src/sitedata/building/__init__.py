"""Build a snapshot from the tree and the history of a repository."""
