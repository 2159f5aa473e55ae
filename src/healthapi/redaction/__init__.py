"""Removal of secrets and identities: a table of names, a table of shapes, a reader, a walk."""
