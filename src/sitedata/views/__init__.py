"""Views of problems: order, filters, groups, calendar."""
