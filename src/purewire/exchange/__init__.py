"""Effects that a request handler yields, and the drivers that perform them."""
