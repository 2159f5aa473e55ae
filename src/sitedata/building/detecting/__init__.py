"""Propose settings of a build from the names of the files of a repository."""
