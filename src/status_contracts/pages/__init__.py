"""Pages as values: settings of an owner, documents, API pages of a table of endpoints, OpenAPI."""
