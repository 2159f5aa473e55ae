"""The contract's values as attrs classes."""
