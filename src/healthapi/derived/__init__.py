"""What follows from the rows: nights, merged days, periods, series, cards, correlations."""
