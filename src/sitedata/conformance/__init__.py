"""Checks of a deployment of the site-data file over HTTP, whatever its host; they only read."""
