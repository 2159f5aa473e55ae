"""JSON Schemas, OpenAPI and TypeScript of the device status contract."""
