"""Compare two versions of a contract: what breaks, for whom, and in which order to deploy."""
