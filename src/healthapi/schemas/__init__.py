"""JSON Schemas, OpenAPI and TypeScript of the health data contract."""
