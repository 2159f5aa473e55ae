"""The endpoints: service, views, responses."""
