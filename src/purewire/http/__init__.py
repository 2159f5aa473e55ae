"""HTTP as values: messages, header rules, conditional requests, bearer secrets, route tables."""
