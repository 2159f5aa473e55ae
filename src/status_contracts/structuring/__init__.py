"""Plain values to models and back: constraints, fast decoder, validator."""
