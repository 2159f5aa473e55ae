"""Views of problems: order, filters, groups, comparison, calendar."""
