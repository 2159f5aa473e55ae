"""For the tests of services and readers: Hypothesis strategies; needs the extra `testing`."""
