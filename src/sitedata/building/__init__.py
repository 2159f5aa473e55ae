"""From the tree and the history of a repository to a snapshot."""
