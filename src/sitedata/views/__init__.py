"""Ways to look at the problems of a snapshot: order, selection, counts, calendar, changes."""
