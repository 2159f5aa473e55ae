"""The practice page of a snapshot: a static document and a script over the public file."""
