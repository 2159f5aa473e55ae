"""Models of the contract's values, as attrs classes."""
