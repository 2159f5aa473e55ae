"""Effects that a request handler asks for, and their drivers."""
