"""The removal of secrets: secret names, shapes and texts, and the walk that takes them out."""
