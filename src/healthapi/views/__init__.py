"""Values made for being shown: coverage, overview, catalog, sections, tables, dashboard."""
