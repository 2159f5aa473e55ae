"""Badge, card and timeline as SVG."""
