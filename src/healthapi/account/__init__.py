"""The account snapshot, and typed access to its untyped JSON."""
