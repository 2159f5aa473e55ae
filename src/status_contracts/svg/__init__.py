"""SVG: escaped and measured text, whole images, and the chart kit that all pictures share."""
