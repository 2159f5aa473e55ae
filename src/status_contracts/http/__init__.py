"""HTTP messages, header rules, conditional requests, bearer secrets and route tables as values."""
