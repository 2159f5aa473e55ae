"""A series as an SVG chart: layout, scales, lines, palette, legend, words."""
