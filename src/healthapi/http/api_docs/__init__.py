"""How the service describes itself: schemas, OpenAPI, manual, HTML page."""
