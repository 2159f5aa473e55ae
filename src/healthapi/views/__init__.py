"""Values for display: coverage, overview, catalog, sections, tables."""
