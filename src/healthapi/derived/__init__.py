"""Values derived from the rows: sleep, daily rows, periods, series, cards, correlations."""
