"""HTTP endpoints: service, views, responses."""
