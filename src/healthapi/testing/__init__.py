"""For the tests of services and readers: strategies, conformance; needs the extra `testing`."""
