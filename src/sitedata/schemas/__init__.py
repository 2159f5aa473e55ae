"""JSON Schemas, OpenAPI and TypeScript of the site-data contract."""
