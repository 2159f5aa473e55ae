"""A series of health data as an SVG chart."""
