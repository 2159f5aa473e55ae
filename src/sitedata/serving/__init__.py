"""The file over HTTP: the service's exchange, and what a client remembers."""
