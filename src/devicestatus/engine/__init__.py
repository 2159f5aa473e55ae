"""Compute deadlines, stored records and the delayed projection."""
