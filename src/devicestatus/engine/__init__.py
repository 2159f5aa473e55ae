"""Deadlines, stored records, and the delayed projection."""
