"""What requests and answers are made of: queries, endpoints, links, envelopes, resources."""
