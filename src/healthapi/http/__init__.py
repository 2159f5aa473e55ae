"""Requests and responses: endpoints, queries, links, envelopes, resources, service."""
