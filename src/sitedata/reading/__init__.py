"""From the bytes of a snapshot to its models, and what is wrong with them."""
