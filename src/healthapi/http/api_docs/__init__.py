"""Generated documentation of the service: schemas, OpenAPI, manual, HTML page."""
