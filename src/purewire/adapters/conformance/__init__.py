"""Send the requests of conformance checks: over a socket, or to an application in this process."""
